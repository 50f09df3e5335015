import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inBlocks, median, type Point, trendOf } from './trend.ts'

const MB = 1024 ** 2
/** Minutes measured after warm-up. */
const MINUTES = 24

/** What a process holds minute by minute: 100 MB, a leak in MB per hour, noise, and occasionally what a large upload uses for a minute. */
const series = (leak: number, noise: number, random: () => number): Point[] =>
  Array.from({ length: MINUTES }, (_, at) => ({
    at,
    value: (100 + (leak * at) / 60 + noise * (random() + random() + random() - 1.5) + (at % 11 === 5 ? 30 : 0)) * MB,
  }))

/** Numbers between 0 and 1 from a seed. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
const perHour = (points: Point[]) => {
  const { slope, low, high } = trendOf(points)
  return [slope, low, high].map((one) => (60 * one) / MB) as [number, number, number]
}

describe('the trend of a process’s resources', () => {
  it('is that of a straight line, whatever a few outliers do', () => {
    const [slope, low, high] = perHour(series(6, 0, () => 0))
    expect(slope).toBeCloseTo(6, 6)
    expect(low).toBeLessThanOrEqual(6)
    expect(high).toBeGreaterThanOrEqual(6)
  })

  it('has the real one within its interval 19 times in 20, and finds a leak of 8% an hour nearly always', () => {
    const tries = 400
    let [held, found, falselyFound] = [0, 0, 0]
    for (let seed = 1; seed <= tries; seed++) {
      const [, low, high] = perHour(series(8, 1, numbers(seed)))
      if (low <= 8 && high >= 8) held++
      if (low > 1) found++
      if (perHour(series(0, 1, numbers(seed + tries)))[1] > 1) falselyFound++
    }
    expect(held / tries).toBeGreaterThan(0.92)
    expect(found / tries).toBeGreaterThan(0.99)
    expect(falselyFound / tries).toBeLessThan(0.01)
  })

  it('of too few points is refused', () => {
    expect(() => trendOf(series(1, 0, () => 0).slice(0, 4))).toThrow('4 points are too few')
  })

  it('property: turns with its points, and keeps its order', () => {
    const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 5, maxLength: 40 })
    fc.assert(
      fc.property(values, (all) => {
        const up = trendOf(all.map((value, at) => ({ at, value })))
        const down = trendOf(all.map((value, at) => ({ at, value: -value })))
        expect(up.low).toBeLessThanOrEqual(up.slope)
        expect(up.slope).toBeLessThanOrEqual(up.high)
        expect(down.slope).toBeCloseTo(-up.slope, 6)
      }),
    )
  })
})

it('blocks have the median of their values', () => {
  const points = [1, 2, 90, 11, 12].map((value, at) => ({ at: at * 2, value }))
  expect(inBlocks(points, 6)).toEqual([
    { at: 3, value: 2 },
    { at: 9, value: 11.5 },
  ])
  expect([median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([2, 2.5])
})
