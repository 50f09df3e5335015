import { describe, expect, it } from 'vitest'
import { day, formatDay } from '../time/day.ts'
import { businessDayOfMonth, lastDayOf, monthKey, reportIsDue, reportMonth } from './report-mail.ts'

describe('the monthly report', () => {
  it('covers the previous month', () => {
    expect(reportMonth(day('2026-11-04'))).toEqual({ year: 2026, month: 10 })
    expect(monthKey(reportMonth(day('2027-01-31')))).toBe('2026-12')
  })

  it('counts business days from the first, without weekends and public holidays', () => {
    // 1 November 2026 is a Sunday; the 3rd is the Melbourne Cup.
    expect(businessDayOfMonth(day('2026-11-01'))).toBe(0)
    expect(businessDayOfMonth(day('2026-10-01'))).toBe(1)
    expect(businessDayOfMonth(day('2026-11-04'))).toBe(3)
    expect(businessDayOfMonth(day('2026-11-04'), new Set([day('2026-11-03')]))).toBe(2)
    expect(businessDayOfMonth(day('2026-11-08'))).toBe(5)
  })

  it('needs data up to the last day of the month, also on a weekend or 29 February', () => {
    expect(formatDay(lastDayOf({ year: 2026, month: 10 }))).toBe('2026-10-31')
    expect(formatDay(lastDayOf({ year: 2026, month: 12 }))).toBe('2026-12-31')
    expect(formatDay(lastDayOf({ year: 2028, month: 2 }))).toBe('2028-02-29')
  })

  it('is sent on its day if all data is there, waits five more days for late pharmacies, then names them', () => {
    expect([2, 3, 4].map((today) => reportIsDue(today, 3, 0))).toEqual([false, true, true])
    expect([3, 7, 8, 9].map((today) => reportIsDue(today, 3, 2))).toEqual([false, false, true, true])
  })
})
