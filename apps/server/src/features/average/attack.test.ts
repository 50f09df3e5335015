import { describe, expect, it, vi } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { attack } from '../../../test/world/average/average-attack.ts'
import { cellByCell, RULES, type Rules } from '../../../test/world/average/average-installation.ts'
import { randomFrom, randomWorld } from '../../../test/world/average/average-world.ts'

const WORLDS = DEEP ? 2000 : 100
/** A broken rule gives a pharmacy away in one world out of a few, or a few hundred: the search begins near the first. */
const BROKEN_WORLDS = 1000
vi.setConfig({ testTimeout: DEEP ? 3_600_000 : 120_000 })

/** Attacks one world after another until one gives a pharmacy away. */
function attackAll(worlds: number, rules: Rules = RULES, first = 1): { attacked: number; found: string[] } {
  let attacked = 0
  for (let seed = first; seed < first + worlds; seed++) {
    const random = randomFrom(seed)
    const one = attack(randomWorld(random), seed % 2, random, rules)
    attacked += one.attacked
    if (one.found.length > 0) return { attacked, found: one.found.map((found) => `world ${seed}: ${found}`) }
  }
  return { attacked, found: [] }
}

describe('with everything the average has ever shown', () => {
  it('nobody can calculate another company’s figure to within 10%', () => {
    const { attacked, found } = attackAll(WORLDS)
    expect(found).toEqual([])
    expect(attacked).toBeGreaterThan(WORLDS * 3)
  })

  it.each<[string, number, Partial<Rules>]>([
    ['the asker’s own pharmacies are in it', 440, { withOwn: true }],
    ['a month is published anew with whoever is complete', 1, { later: 'anew' }],
    ['late pharmacies join the published average one at a time', 1, { later: 'one at a time' }],
    ['cells are shown whoever is behind them', 1, { publication: cellByCell(false) }],
    ['cells are shown that are safe only by themselves', 1, { publication: cellByCell(true) }],
    ['a quarter is counted over pharmacies of its own', 388, { quarter: 'pool' }],
  ])('somebody’s figure is found if %s', (_, first, broken) => {
    expect(attackAll(BROKEN_WORLDS, { ...RULES, ...broken }, first).found).not.toEqual([])
  })
})
