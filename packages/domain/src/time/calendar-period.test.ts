import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  calendarDates,
  calendarLabel,
  calendarPeriod,
  calendarYears,
  currentCalendar,
  nextCalendar,
  previousCalendar,
} from './calendar-period.ts'
import { day, formatDay } from './day.ts'

const today = day('2026-11-20')

describe('calendar periods', () => {
  test('a year is the calendar year, with its own key', () => {
    const { key, from, to } = calendarPeriod({ year: 2026 })
    expect([key, formatDay(from), formatDay(to)]).toEqual(['C2026', '2026-01-01', '2026-12-31'])
    expect(calendarPeriod({ year: 2026, quarter: 4 }).key).toBe('2026Q4')
    expect(currentCalendar(today)).toEqual({ year: 2026, month: 11 })
    expect(currentCalendar(today, 'year')).toEqual({ year: 2026 })
  })

  test('arrows wrap, and there is no forward arrow at the current unit', () => {
    expect(previousCalendar({ year: 2026, month: 1 }, today)).toEqual({ year: 2025, month: 12 })
    expect(previousCalendar({ year: 2026, quarter: 1 }, today)).toEqual({ year: 2025, quarter: 4 })
    expect(nextCalendar({ year: 2025, month: 12 }, today)).toEqual({ year: 2026, month: 1 })
    expect(nextCalendar({ year: 2026, month: 11 }, today)).toBeNull()
    expect(nextCalendar({ year: 2026, quarter: 4 }, today)).toBeNull()
    expect(nextCalendar({ year: 2026 }, today)).toBeNull()
    expect(nextCalendar({ year: 2025 }, today)).toEqual({ year: 2026 })
    expect(previousCalendar({ year: 2022 }, today)).toBeNull()
  })

  test('only begun periods are offered', () => {
    expect(calendarYears(day('2026-03-01'))).toEqual([2026, 2025, 2024, 2023, 2022])
  })

  test('period labels', () => {
    expect(calendarLabel({ year: 2026 })).toBe('2026')
    expect(calendarLabel({ year: 2026, quarter: 4 })).toBe('Quarter 4, 2026 (Oct–Dec)')
    expect(calendarDates('AU', { year: 2026, month: 11 }, today)).toBe('1 – 20 Nov 2026')
  })

  test('property: forward undoes back, and never passes today', () => {
    const choices = fc.oneof(
      fc.record({ year: fc.integer({ min: 2022, max: 2026 }), month: fc.integer({ min: 1, max: 12 }) }),
      fc.record({ year: fc.integer({ min: 2022, max: 2026 }), quarter: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ year: fc.integer({ min: 2022, max: 2026 }) }),
    )
    fc.assert(
      fc.property(choices, (choice) => {
        fc.pre(calendarPeriod(choice).from <= today)
        const back = previousCalendar(choice, today)
        if (back) {
          expect(nextCalendar(back, today)).toEqual(choice)
          expect(calendarPeriod(back).to + 1).toBe(calendarPeriod(choice).from)
        }
        const next = nextCalendar(choice, today)
        if (next) expect(calendarPeriod(next).from).toBeLessThanOrEqual(today)
      }),
    )
  })
})
