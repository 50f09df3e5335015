import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { wilson } from './interval.ts'
import { type Rankable, rankCategories } from './rank.ts'

const item = (category: string, adherentScripts: number, more: Partial<Rankable> = {}): Rankable => ({
  category,
  measuredPairs: 100,
  measuredScripts: 100,
  adherentScripts,
  revenue: 1000,
  ...more,
})
const names = (ranked: { categories: readonly { category: string }[] }) =>
  ranked.categories.map((c) => c.category).join('')

describe('rank', () => {
  test('lists the top 5 and bottom 5 of twelve, worst first', () => {
    const { best, worst } = rankCategories([...'abcdefghijkl'].map((name, index) => item(name, 90 - index)))
    expect(names(best)).toBe('abcde')
    expect(names(worst)).toBe('lkjih')
  })

  test('never overlaps: seven are split into four and three', () => {
    const { best, worst } = rankCategories([...'abcdefg'].map((name, index) => item(name, 90 - index)))
    expect([names(best), names(worst)]).toEqual(['abcd', 'gfe'])
  })

  test('needs 30 measured pairs, and 29 are too few, whatever the number of scripts', () => {
    const { best, worst } = rankCategories([
      item('a', 900, { measuredPairs: 29, measuredScripts: 1000 }),
      item('b', 0, { measuredPairs: 40, measuredScripts: 0 }),
      item('c', 5, { measuredPairs: 30, measuredScripts: 10 }),
    ])
    expect([names(best), names(worst)]).toEqual(['c', ''])
    expect(names(rankCategories([item('d', 1, { measuredScripts: 1 })]).best)).toBe('d')
    expect(worst.total).toEqual({ adherentPercent: null, pairs: 0, interval: null, revenue: 0 })
  })

  test('puts a high share of few behind a lower one of many, and a low share of few is not the worst', () => {
    const many = { measuredPairs: 10_000, measuredScripts: 10_000 }
    const few = { measuredPairs: 30, measuredScripts: 100 }
    const { best, worst } = rankCategories([
      item('a', 9000, many),
      item('b', 93, few),
      item('c', 5000, many),
      item('d', 47, few),
    ])
    // b lies between 0.77 and 0.98, a between 0.894 and 0.906; d reaches up to 0.64, c to 0.51.
    expect([names(best), names(worst)]).toEqual(['ab', 'cd'])
  })

  test('lists one in the middle with a narrow interval as best only, never as both', () => {
    const sure = item('m', 70_000, { measuredPairs: 100_000, measuredScripts: 100_000 })
    const others = [...'abcdefghi'].map((name, index) => item(name, 74 - index, { measuredPairs: 30 }))
    const { best, worst } = rankCategories([sure, ...others])
    expect(names(best)).toBe('mabcd')
    expect(names(worst)).toBe('ihgfe')
  })

  test('breaks ties by higher revenue', () => {
    const { best, worst } = rankCategories([
      item('a', 50, { revenue: 1 }),
      item('b', 50, { revenue: 3 }),
      item('c', 40, { revenue: 1 }),
      item('d', 40, { revenue: 2 }),
    ])
    expect([names(best), names(worst)]).toEqual(['ba', 'dc'])
  })

  test('pools scripts and pairs in its totals, and sums revenue', () => {
    const { best } = rankCategories([
      item('a', 90, { revenue: 10 }),
      item('b', 160, { measuredScripts: 200, revenue: 20 }),
      item('c', 10),
      item('d', 10),
    ])
    expect(best.categories.map(({ adherentPercent }) => adherentPercent)).toEqual([0.9, 0.8])
    expect(best.total.adherentPercent).toBeCloseTo(250 / 300, 12)
    expect([best.total.pairs, best.total.revenue]).toEqual([200, 30])
    expect(best.total.interval).toEqual(wilson(250 / 300, 200))
  })

  test('property: never in both, ordered by the bound, at most five each, whatever the input order', () => {
    const any = fc.record({
      adherent: fc.integer({ min: 0, max: 100 }),
      pairs: fc.integer({ min: 0, max: 300 }),
      revenue: fc.integer({ min: 0, max: 5 }),
    })
    fc.assert(
      fc.property(fc.array(any, { maxLength: 20 }), (list) => {
        const items = list.map((one, index) =>
          item(`c${index}`, one.adherent, { measuredPairs: one.pairs, revenue: one.revenue }),
        )
        const ranked = rankCategories(items)
        expect(rankCategories([...items].reverse())).toEqual(ranked)
        const best = ranked.best.categories
        const worst = ranked.worst.categories
        expect(new Set([...best, ...worst].map((one) => one.category)).size).toBe(best.length + worst.length)
        expect(best.length + worst.length).toBe(Math.min(10, list.filter((one) => one.pairs >= 30).length))
        expect(best.length - worst.length).toBeOneOf([0, 1])
        const lows = best.map((one) => one.interval.low)
        expect(lows).toEqual([...lows].sort((a, b) => b - a))
        const highs = worst.map((one) => wilson(one.adherentPercent, one.pairs).high)
        expect(highs).toEqual([...highs].sort((a, b) => a - b))
      }),
    )
  })
})
