import { describe, expect, it } from 'vitest'
import {
  businessDaysBefore,
  dayOf,
  easterOf,
  isHoliday,
  isoOf,
  networkToday,
  weekdayOf,
  willingness,
} from './calendar.ts'

describe('calendar', () => {
  it('converts from ISO text to day and back', () => {
    expect(dayOf('1970-01-02')).toBe(1)
    expect(isoOf(dayOf('2024-02-29'))).toBe('2024-02-29')
    expect(() => dayOf('2025-02-29')).toThrow('Not a date')
    expect(weekdayOf(dayOf('2026-11-19'))).toBe(4)
  })

  it('begins a day when Sydney does', () => {
    expect(networkToday(new Date('2026-11-29T12:59:00Z'))).toBe('2026-11-29')
    expect(networkToday(new Date('2026-11-29T13:00:00Z'))).toBe('2026-11-30')
  })

  it('finds Easter', () => {
    expect([2022, 2024, 2025, 2026].map((year) => isoOf(easterOf(year)))).toEqual([
      '2022-04-17',
      '2024-03-31',
      '2025-04-20',
      '2026-04-05',
    ])
  })

  it('counts business days back over weekends and holidays', () => {
    expect(isoOf(businessDaysBefore(dayOf('2026-11-19'), 5))).toBe('2026-11-12')
    expect(isoOf(businessDaysBefore(dayOf('2025-04-22'), 1))).toBe('2025-04-17')
    expect(isHoliday(dayOf('2025-01-27'))).toBe(true)
    expect(isHoliday(dayOf('2025-01-28'))).toBe(false)
    expect(isHoliday(dayOf('2026-01-26'))).toBe(true)
  })

  it('keeps the pharmacy shut on Christmas Day, Good Friday and, if it does not trade then, Sundays', () => {
    const open = { sunday: true, holidays: true }
    expect(willingness(dayOf('2025-12-25'), open)).toBe(0)
    expect(willingness(dayOf('2026-04-03'), open)).toBe(0)
    expect(willingness(dayOf('2026-11-15'), open)).toBeGreaterThan(0)
    expect(willingness(dayOf('2026-11-15'), { sunday: false, holidays: false })).toBe(0)
  })
})
