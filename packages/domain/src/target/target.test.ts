import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  neededText,
  standingOf,
  standingText,
  standingTone,
  TARGET_FIGURES,
  targetLabel,
  targetProblems,
  targetText,
} from './target.ts'

const sum = (value: number | null) => ({ value, n: null })
const share = (value: number | null, n = 200) => ({ value, n })
const words = (...[figure, target, actual, days]: Parameters<typeof standingOf>) =>
  standingText('AU', figure, standingOf(figure, target, actual, days))

describe('a target of a sum', () => {
  it('expects its part by now: 5 of 20 business days, a quarter', () => {
    const standing = standingOf('revenue', 100_000, sum(20_000), { elapsed: 5, whole: 20 })
    expect(standing).toEqual({ state: 'behind', expected: 25_000, gap: -5000, needed: 5333.33 })
    expect(standingText('AU', 'revenue', standing)).toBe('$5,000 behind the pace needed')
    expect(neededText('AU', 'revenue', standing)).toBe('needs $5,334 a business day')
    expect(standingTone(standing)).toBe('bad')
  })

  it('says how far ahead it is, and if it is exactly there', () => {
    expect(words('scripts', 1000, sum(620), { elapsed: 12, whole: 24 })).toBe('120 ahead of the pace needed')
    expect(words('scripts', 1000, sum(500), { elapsed: 12, whole: 24 })).toBe('Exactly at the pace needed')
    expect(words('revenue', 1000, sum(500.3), { elapsed: 12, whole: 24 })).toBe('Exactly at the pace needed')
    expect(standingTone(standingOf('scripts', 1000, sum(500), { elapsed: 12, whole: 24 }))).toBe('good')
  })

  it('is rounded to the cent', () => {
    const standing = standingOf('revenue', 100, sum(33.1), { elapsed: 1, whole: 3 })
    expect(standing).toEqual({ state: 'behind', expected: 33.33, gap: -0.23, needed: 33.45 })
    expect(standingOf('gross_profit', 0.3, sum(0.1), { elapsed: 3, whole: 3 }).gap).toBe(-0.2)
  })

  it('is reached as soon as it is met, and stays so', () => {
    const early = standingOf('revenue', 100_000, sum(100_000), { elapsed: 15, whole: 20 })
    expect(early).toEqual({ state: 'reached', expected: 75_000, gap: 25_000, needed: null })
    expect(standingText('AU', 'revenue', early)).toBe('Target reached')
    expect(neededText('AU', 'revenue', early)).toBeNull()
  })

  it('is missed only once the period is over', () => {
    expect(words('revenue', 100_000, sum(87_600), { elapsed: 20, whole: 20 })).toBe('Target missed by $12,400')
    expect(words('revenue', 100_000, sum(100_001), { elapsed: 20, whole: 20 })).toBe('Target reached')
    expect(words('revenue', 100_000, sum(100_000), { elapsed: 20, whole: 20 })).toBe('Target reached')
    expect(words('revenue', 100_000, sum(99_999.8), { elapsed: 20, whole: 20 })).toBe('Target just missed')
  })

  it('is open while a weekend at the end of its period is still to come', () => {
    const friday = { elapsed: 22, whole: 22, open: true }
    const standing = standingOf('revenue', 100_000, sum(99_600), friday)
    expect(standing).toEqual({ state: 'behind', expected: 100_000, gap: -400, needed: null })
    expect(standingText('AU', 'revenue', standing)).toBe('$400 behind the pace needed')
    expect(words('revenue', 100_000, sum(100_001), friday)).toBe('Target reached')
    expect(words('loyalty', 0.8, share(0.77), friday)).toBe('3.0 points below the target')
  })

  it('says nothing without data, and before the first business day', () => {
    expect(words('revenue', 100_000, sum(null), { elapsed: 0, whole: 20 })).toBe('No data in this period yet')
    expect(words('revenue', 100_000, sum(300), { elapsed: 0, whole: 20 })).toBe('No data in this period yet')
    expect(words('gross_profit', 100_000, sum(null), { elapsed: 5, whole: 20 })).toBe('No cost sent in this period yet')
    expect(standingTone(standingOf('revenue', 1, sum(null), { elapsed: 3, whole: 20 }))).toBe('plain')
  })
})

describe('a target of a share', () => {
  it('is due in full on any day, without a part due by now', () => {
    const standing = standingOf('adherent_share', 0.65, share(0.638), { elapsed: 1, whole: 60 })
    expect(standing).toMatchObject({ state: 'behind', expected: 0.65, needed: null })
    expect(standingText('AU', 'adherent_share', standing)).toBe('1.2 points below the target')
    expect(words('loyalty', 0.8, share(0.81), { elapsed: 1, whole: 60 })).toBe('1.0 point above the target')
    expect(words('loyalty', 0.8, share(0.8), { elapsed: 1, whole: 60 })).toBe('Exactly at the target')
  })

  it('is reached or missed once the period is over', () => {
    expect(words('loyalty', 0.8, share(0.81), { elapsed: 60, whole: 60 })).toBe('Target reached')
    expect(words('loyalty', 0.8, share(0.77), { elapsed: 60, whole: 60 })).toBe('Target missed by 3.0 points')
  })

  it('says so if it has fewer than 10 observations', () => {
    expect(words('adherent_share', 0.65, share(null, 9), { elapsed: 5, whole: 60 })).toBe('Too few patients to tell')
    expect(words('adherent_share', 0.65, share(null, 10), { elapsed: 5, whole: 60 })).toBe('No data in this period yet')
    expect(words('adherent_share', 0.65, share(null, 0), { elapsed: 5, whole: 60 })).toBe('No data in this period yet')
  })
})

describe('a target', () => {
  it('must be above 0, a share at most 100%, a count whole', () => {
    for (const figure of TARGET_FIGURES) {
      // The last one would be stored as 0.
      for (const wrong of [null, 0, -1, Number.NaN, 0.00004]) expect(targetProblems(figure, wrong)).toHaveLength(1)
    }
    for (const least of [0.0001, 1]) expect(targetProblems('loyalty', least)).toEqual([])
    expect(targetProblems('loyalty', 1.01)[0]!.words).toBe('enter a target of at most 100%')
    expect(targetProblems('scripts', 10.5)[0]!.words).toBe('enter a whole number')
    expect(targetProblems('revenue', 120_000.5)).toEqual([])
    expect(targetProblems('revenue', 1e10)).toEqual([])
    expect(targetProblems('revenue', 1e11)[0]!.words).toBe('enter a smaller target')
  })

  it('is written with its unit', () => {
    expect(targetText('AU', 'revenue', 120_000)).toBe('$120,000')
    expect(targetText('GB', 'revenue', 120_000)).toBe('£120,000')
    expect(targetText('AU', 'adherent_share', 0.615)).toBe('61.50%')
    expect([targetLabel('GB', 'revenue'), targetLabel('AU', 'loyalty'), targetLabel('AU', 'scripts')]).toEqual([
      ...['Target (£)', 'Target (%)', 'Target'],
    ])
  })

  it('is never both ahead and short of what each day must bring on average', () => {
    const days = fc
      .integer({ min: 2, max: 260 })
      .chain((whole) => fc.tuple(fc.integer({ min: 1, max: whole - 1 }), fc.constant(whole)))
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e9 }),
        fc.double({ min: 0, max: 2e9, noNaN: true }),
        days,
        (target, value, [elapsed, whole]) => {
          const standing = standingOf('revenue', target, sum(value), { elapsed, whole })
          if (standing.state === 'reached') return value >= target
          const even = target / whole
          // Half a cent of rounding.
          const slack = 0.005 + 1e-6 * Math.max(1, even)
          return standing.state === 'ahead' ? standing.needed! <= even + slack : standing.needed! >= even - slack
        },
      ),
    )
  })
})
