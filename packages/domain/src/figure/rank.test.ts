import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Rankable, rankCategories } from './rank.ts'

const item = (category: string, adherentScripts: number, more: Partial<Rankable> = {}): Rankable => ({
  category,
  scripts: 100,
  patients: 50,
  measuredScripts: 100,
  adherentScripts,
  revenue: 1000,
  ...more,
})
const names = (ranked: { categories: readonly { category: string }[] }) =>
  ranked.categories.map((c) => c.category).join('')

describe('rank', () => {
  test('top 5 and bottom 5 of twelve, worst first', () => {
    const { best, worst } = rankCategories([...'abcdefghijkl'].map((name, index) => item(name, 90 - index)))
    expect(names(best)).toBe('abcde')
    expect(names(worst)).toBe('lkjih')
  })

  test('best and worst do not overlap: seven split into four and three', () => {
    const { best, worst } = rankCategories([...'abcdefg'].map((name, index) => item(name, 90 - index)))
    expect([names(best), names(worst)]).toEqual(['abcd', 'gfe'])
  })

  test('too few scripts or patients, or nothing measured, gets no rank', () => {
    const { best, worst } = rankCategories([
      item('a', 20, { scripts: 29 }),
      item('b', 20, { patients: 9 }),
      item('c', 0, { measuredScripts: 0 }),
      item('d', 5, { scripts: 30, patients: 10 }),
    ])
    expect([names(best), names(worst)]).toEqual(['d', ''])
    expect(worst.total).toEqual({ adherentPercent: null, revenue: 0 })
  })

  test('ties go to the higher revenue', () => {
    const { best, worst } = rankCategories([
      item('a', 50, { revenue: 1 }),
      item('b', 50, { revenue: 3 }),
      item('c', 40, { revenue: 1 }),
      item('d', 40, { revenue: 2 }),
    ])
    expect([names(best), names(worst)]).toEqual(['ba', 'dc'])
  })

  test('totals pool scripts and sum revenue', () => {
    const { best } = rankCategories([
      item('a', 90, { revenue: 10 }),
      item('b', 160, { measuredScripts: 200, revenue: 20 }),
      item('c', 10),
      item('d', 10),
    ])
    expect(best.total.adherentPercent).toBeCloseTo(250 / 300, 12)
    expect(best.total.revenue).toBe(30)
  })

  test('property: never in both, best never below worst, input order does not matter', () => {
    const any = fc.record({ adherent: fc.integer({ min: 0, max: 100 }), revenue: fc.integer({ min: 0, max: 5 }) })
    fc.assert(
      fc.property(fc.array(any, { maxLength: 20 }), (list) => {
        const items = list.map((one, index) => item(`c${index}`, one.adherent, { revenue: one.revenue }))
        const ranked = rankCategories(items)
        expect(rankCategories([...items].reverse())).toEqual(ranked)
        const best = ranked.best.categories
        const worst = ranked.worst.categories
        expect(new Set([...best, ...worst].map((one) => one.category)).size).toBe(best.length + worst.length)
        for (const low of worst)
          for (const high of best) expect(high.adherentPercent).toBeGreaterThanOrEqual(low.adherentPercent)
      }),
    )
  })
})
