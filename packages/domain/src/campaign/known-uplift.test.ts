import { describe, expect, test } from 'vitest'
import { differenceRevenue, effectOf, holdoutRevenue, isHeldOut, momentsOf, resultOf } from './campaign-result.ts'

const DEEP = process.env.DEEP === '1'
/** The deep tests make 200 campaigns of each kind; the others make just enough to catch a break. */
const RUNS = DEEP ? 200 : 40
const PATIENTS = 1200
const SHARE = 0.3

/** Repeatable numbers 0..1. Source: mulberry32, public domain. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Revenue per patient as pharmacies see it: four in ten come in, and a few spend far more than the rest. */
function dollars(random: () => number): number {
  if (random() < 0.6) return 0
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return Math.exp(3.4 + 0.8 * normal)
}

/**
 * One campaign: a share of its patients is held out, and each messaged one refills for 31.60 with this probability. @returns its result and the truth
 */
function campaign(seed: number, chance: number) {
  const random = randomOf(seed)
  const [treated, held, change, heldChange]: number[][] = [[], [], [], []]
  for (let patient = 0; patient < PATIENTS; patient++) {
    const before = dollars(random)
    const out = isHeldOut(String(patient), `campaign ${seed}`, SHARE)
    const now = dollars(random) + (!out && random() < chance ? 31.6 : 0)
    ;(out ? held! : treated!).push(now)
    ;(out ? heldChange! : change!).push(now - before)
  }
  const attributed = treated!.reduce((sum, value) => sum + value, 0)
  const truth = chance * 31.6 * treated!.length
  return {
    truth,
    holdout: resultOf([holdoutRevenue(momentsOf(treated!), momentsOf(held!))], treated!.length).found!,
    difference: differenceRevenue(momentsOf(change!), momentsOf(heldChange!), attributed)!,
  }
}

const runs = (chance: number) => Array.from({ length: RUNS }, (_, seed) => campaign(seed + 1, chance))
const shareOf = <T>(all: readonly T[], holds: (one: T) => boolean) => all.filter(holds).length / all.length

/** Expects 90% to 99% of the deep test's 200 runs; the fewer runs of an ordinary test get a wider range. */
const expectAbout95 = (share: number) => {
  expect(share).toBeGreaterThanOrEqual(DEEP ? 0.9 : 0.85)
  expect(share).toBeLessThanOrEqual(DEEP ? 0.99 : 1)
}

describe.each(['holdout', 'difference'] as const)('by %s', (method) => {
  const inside = (one: ReturnType<typeof campaign>) => {
    const [low, high] = one[method].interval!
    return low <= one.truth && one.truth <= high
  }

  test('a known uplift lies within the 95% interval in about 95 of 100 campaigns', () => {
    const all = runs(0.4)
    expectAbout95(shareOf(all, inside))
    const mean = all.reduce((sum, one) => sum + one[method].revenue / one.truth, 0) / RUNS
    expect(mean).toBeGreaterThan(0.9)
    expect(mean).toBeLessThan(1.1)
  })

  test('no uplift is reported as none equally often', () => {
    const all = runs(0)
    expectAbout95(shareOf(all, inside))
    expect(
      shareOf(all, (one) => effectOf({ low: one[method].interval![0], high: one[method].interval![1] }) === 'chance'),
    ).toBe(shareOf(all, inside))
  })
})
