import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { day, formatDay } from './day.ts'
import { COUNTRIES } from './locale.ts'
import {
  beginsBeforeData,
  businessDaysIn,
  choiceAt,
  choiceOf,
  cutTo,
  nextChoice,
  PERIOD_KINDS,
  type PeriodChoice,
  periodDates,
  periodLabel,
  periodOf,
  periodsOf,
  previousChoice,
  priorSpan,
  type Span,
  stepChoice,
  yearsOffered,
} from './period.ts'

const dates = ({ from, to }: Span) => `${formatDay(from)}..${formatDay(to)}`
const prior = (from: string, to: string) => dates(priorSpan(day(from), day(to)))

describe('period', () => {
  test('a year alone is the financial year starting in it', () => {
    expect(dates(periodOf('AU', { year: 2026 }))).toBe('2026-07-01..2027-06-30')
    expect(dates(periodOf('GB', { year: 2026 }))).toBe('2026-04-01..2027-03-31')
    expect(dates(periodOf('US', { year: 2026 }))).toBe('2026-01-01..2026-12-31')
    expect(periodOf('AU', { year: 2026 })).toMatchObject({ kind: 'year', key: '2026' })
  })

  test('quarters and months are calendar units everywhere', () => {
    for (const country of COUNTRIES) {
      expect(dates(periodOf(country, { year: 2026, quarter: 3 }))).toBe('2026-07-01..2026-09-30')
      expect(dates(periodOf(country, { year: 2024, month: 2 }))).toBe('2024-02-01..2024-02-29')
    }
    expect(periodOf('AU', { year: 2026, quarter: 3 }).key).toBe('2026Q3')
    expect(periodOf('AU', { year: 2026, month: 11, quarter: null })).toMatchObject({ kind: 'month', key: '2026-11' })
    expect(() => periodOf('AU', { year: 2026, month: 13 })).toThrow(RangeError)
    for (const quarter of [0, 5, 1.5]) expect(() => periodOf('AU', { year: 2026, quarter })).toThrow(RangeError)
    for (const month of [0, 1.5]) expect(() => periodOf('AU', { year: 2026, month })).toThrow(RangeError)
  })

  test('a key converts back to its choice', () => {
    expect(choiceOf('2026')).toEqual({ year: 2026 })
    expect(choiceOf('2026Q3')).toEqual({ year: 2026, quarter: 3 })
    expect(choiceOf('2026-11')).toEqual({ year: 2026, month: 11 })
    for (const text of ['2026Q5', '2026-13', '2026-1', 'x', '']) expect(choiceOf(text), text).toBeNull()
  })

  test('years offered are the running one and the 4 before', () => {
    expect(yearsOffered(day('2026-11-19'), 'AU', 'year')).toEqual([2026, 2025, 2024, 2023, 2022])
    expect(yearsOffered(day('2027-03-31'), 'AU', 'year')).toEqual([2026, 2025, 2024, 2023, 2022])
    expect(yearsOffered(day('2027-03-31'), 'GB', 'year')[0]).toBe(2026)
    expect(yearsOffered(day('2027-04-01'), 'GB', 'year')[0]).toBe(2027)
    expect(yearsOffered(day('2027-03-31'), 'AU', 'month')).toEqual([2027, 2026, 2025, 2024, 2023])
  })

  test('the stored periods are finite and begin on or before the last day', () => {
    const all = periodsOf('AU', day('2026-11-19'))
    expect(all.filter((period) => period.kind === 'year').map((period) => period.key)).toEqual([
      '2022',
      '2023',
      '2024',
      '2025',
      '2026',
    ])
    expect(all.filter((period) => period.kind === 'quarter')).toHaveLength(20)
    expect(all.filter((period) => period.kind === 'month')).toHaveLength(59)
    expect(all.at(-1)!.key).toBe('2026-11')
    expect(new Set(all.map((period) => period.key)).size).toBe(all.length)
    const march = periodsOf('AU', day('2027-03-01'))
    expect(
      march
        .filter((period) => period.kind === 'year')
        .map((period) => period.key)
        .at(-1),
    ).toBe('2026')
    expect(march.some((period) => period.key === '2027-03')).toBe(true)
    expect(march.some((period) => period.key === '2027-04')).toBe(false)
  })

  test('a running period is cut at t', () => {
    const year = periodOf('AU', { year: 2026 })
    expect(dates(cutTo(year, day('2026-11-19'))!)).toBe('2026-07-01..2026-11-19')
    expect(dates(cutTo(year, day('2028-01-01'))!)).toBe('2026-07-01..2027-06-30')
    expect(dates(cutTo(year, day('2026-07-01'))!)).toBe('2026-07-01..2026-07-01')
    expect(cutTo(year, day('2026-06-30'))).toBeNull()
  })

  test('the prior span is the same dates one year earlier', () => {
    expect(prior('2026-07-01', '2026-11-19')).toBe('2025-07-01..2025-11-19')
    expect(prior('2025-02-01', '2025-02-28')).toBe('2024-02-01..2024-02-29')
    expect(prior('2024-02-01', '2024-02-29')).toBe('2023-02-01..2023-02-28')
    expect(prior('2025-02-01', '2025-02-27')).toBe('2024-02-01..2024-02-27')
    expect(prior('2024-07-01', '2025-06-30')).toBe('2023-07-01..2024-06-30')
  })

  test('a span begins before the data if a business day of it does', () => {
    const begins = (from: string, dataFrom: string, ...holidays: string[]) =>
      beginsBeforeData(day(from), day(dataFrom), new Set(holidays.map(day)))
    // 1 and 2 November 2025 are a weekend, Tuesday the 4th is Melbourne Cup Day.
    expect(begins('2025-11-01', '2025-11-01')).toBe(false)
    expect(begins('2025-11-01', '2025-11-03')).toBe(false)
    expect(begins('2025-11-01', '2025-11-04')).toBe(true)
    expect(begins('2025-11-04', '2025-11-05')).toBe(true)
    expect(begins('2025-11-04', '2025-11-05', '2025-11-04')).toBe(false)
    expect(begins('2025-11-01', '2024-02-10')).toBe(false)
    expect(beginsBeforeData(day('2025-11-01'), null)).toBe(false)
  })

  test('business days of a span are Mondays to Fridays minus the holidays', () => {
    const november = periodOf('AU', { year: 2025, month: 11 })
    expect(businessDaysIn(november)).toBe(20)
    expect(businessDaysIn(november, new Set([day('2025-11-04'), day('2025-11-08')]))).toBe(19)
    expect(businessDaysIn({ from: day('2025-11-01'), to: day('2025-11-02') })).toBe(0)
    expect(businessDaysIn({ from: 10, to: 9 })).toBe(0)
  })

  test('steps wrap across years', () => {
    expect(stepChoice({ year: 2026, month: 12 }, 1)).toEqual({ year: 2027, month: 1 })
    expect(stepChoice({ year: 2026, month: 1 }, -1)).toEqual({ year: 2025, month: 12 })
    expect(stepChoice({ year: 2026, quarter: 4 }, 1)).toEqual({ year: 2027, quarter: 1 })
    expect(stepChoice({ year: 2026, quarter: 1 }, -1)).toEqual({ year: 2025, quarter: 4 })
    expect(stepChoice({ year: 2026 }, -1)).toEqual({ year: 2025 })
  })

  test('the current period has no next step, the oldest has no previous one', () => {
    const today = day('2026-11-19')
    expect(nextChoice('AU', { year: 2026, month: 11 }, today)).toBeNull()
    expect(nextChoice('AU', { year: 2026, month: 10 }, today)).toEqual({ year: 2026, month: 11 })
    expect(nextChoice('AU', { year: 2026 }, today)).toBeNull()
    expect(nextChoice('AU', { year: 2026, month: 10 }, day('2026-10-31'))).toBeNull()
    expect(nextChoice('AU', { year: 2026, month: 10 }, day('2026-11-01'))).toEqual({ year: 2026, month: 11 })
    expect(previousChoice('AU', { year: 2022 }, today)).toBeNull()
    expect(previousChoice('AU', { year: 2022, month: 1 }, today)).toBeNull()
    expect(previousChoice('AU', { year: 2022, month: 2 }, today)).toEqual({ year: 2022, month: 1 })
  })

  test('property: every day lies in its own period, and the next period starts right after', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 10_000, max: 30_000 }),
        fc.constantFrom(...COUNTRIES),
        fc.constantFrom(...PERIOD_KINDS),
        (at, country, kind) => {
          const choice = choiceAt(country, kind, at)
          const period = periodOf(country, choice)
          expect(period.kind).toBe(kind)
          expect(period.from <= at && at <= period.to).toBe(true)
          expect(periodOf(country, stepChoice(choice, 1)).from).toBe(period.to + 1)
          expect(periodOf(country, choiceOf(period.key)!)).toEqual(period)
        },
      ),
    )
  })

  test('labels name the period and its real dates', () => {
    const label = (choice: PeriodChoice) => periodLabel('AU', choice)
    expect(label({ year: 2026 })).toBe('Financial year 2026–27')
    expect(label({ year: 2099 })).toBe('Financial year 2099–00')
    expect(periodLabel('US', { year: 2026 })).toBe('Financial year 2026')
    expect(label({ year: 2026, quarter: 3 })).toBe('Quarter 3, 2026 (Jul–Sep)')
    expect(label({ year: 2026, month: 11 })).toBe('November 2026')
    expect(periodDates('AU', periodOf('AU', { year: 2026 }), day('2026-11-19'))).toBe('1 Jul – 19 Nov 2026')
    expect(periodDates('AU', periodOf('AU', { year: 2025 }), day('2026-11-19'))).toBe('1 Jul 2025 – 30 Jun 2026')
  })
})
