import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addMonths, ageOn, day, daysInMonth, formatDay, fromYmd, parseDay, toYmd, weekday, yearBack } from './day.ts'

describe('day', () => {
  test('counts from 1970-01-01', () => {
    expect(day('1970-01-01')).toBe(0)
    expect(day('1970-02-01')).toBe(31)
    expect(day('1969-12-31')).toBe(-1)
    expect(day('2026-11-19')).toBe(20_776)
  })

  test('rejects invalid dates', () => {
    for (const text of [
      '2025-02-29',
      '2025-13-01',
      '2025-00-10',
      '2025-1-1',
      '01/02/2025',
      '',
      '2025-06-31',
      '0099-01-01',
      '0999-12-31',
    ]) {
      expect(parseDay(text), text).toBeNull()
    }
    expect(() => day('2025-02-29')).toThrow('2025-02-29')
    expect(parseDay('1000-01-01')).not.toBeNull()
  })

  test('format and parse are inverse, and each day follows the one before', () => {
    fc.assert(
      fc.property(fc.integer({ min: -200_000, max: 200_000 }), (value) => {
        const { year, month, day: dayOfMonth } = toYmd(value)
        expect(parseDay(formatDay(value))).toBe(value)
        expect(fromYmd(year, month, dayOfMonth)).toBe(value)
        expect(weekday(value + 1)).toBe((weekday(value) % 7) + 1)
      }),
    )
  })

  test('year, month and day of the month are those of a Date, on every day of a thousand years', () => {
    for (let value = day('1500-01-01'); value <= day('2500-12-31'); value++) {
      const { year, month, day: dayOfMonth } = toYmd(value)
      const at = new Date(value * 86_400_000)
      if (year !== at.getUTCFullYear() || month !== at.getUTCMonth() + 1 || dayOfMonth !== at.getUTCDate())
        expect({ year, month, dayOfMonth }).toEqual(at.toISOString())
    }
  })

  test('weekday counts from Monday', () => {
    expect(weekday(day('1970-01-01'))).toBe(4)
    expect(weekday(day('2025-08-14'))).toBe(4)
    expect(weekday(day('2026-11-22'))).toBe(7)
    expect(weekday(day('1969-12-29'))).toBe(1)
  })

  test('one year back keeps the date, and 29 February becomes 28', () => {
    expect(formatDay(yearBack(day('2026-11-19')))).toBe('2025-11-19')
    expect(formatDay(yearBack(day('2024-02-29')))).toBe('2023-02-28')
    expect(formatDay(yearBack(day('2025-02-28')))).toBe('2024-02-28')
    expect(formatDay(yearBack(day('2026-01-01')))).toBe('2025-01-01')
  })

  test('adding months stops at the end of a shorter month', () => {
    expect(formatDay(addMonths(day('2025-01-31'), 1))).toBe('2025-02-28')
    expect(formatDay(addMonths(day('2025-11-30'), 3))).toBe('2026-02-28')
    expect(formatDay(addMonths(day('2025-03-31'), -4))).toBe('2024-11-30')
    expect(daysInMonth(2024, 2)).toBe(29)
    expect(daysInMonth(2100, 2)).toBe(28)
  })

  test('age is in completed years', () => {
    expect(ageOn(day('1960-06-15'), day('2025-06-14'))).toBe(64)
    expect(ageOn(day('1960-06-15'), day('2025-06-15'))).toBe(65)
    expect(ageOn(day('2008-02-29'), day('2026-02-28'))).toBe(17)
    expect(ageOn(day('2008-02-29'), day('2026-03-01'))).toBe(18)
    expect(ageOn(day('2026-01-01'), day('2026-01-01'))).toBe(0)
    expect(ageOn(day('2026-01-02'), day('2026-01-01'))).toBeNull()
  })
})
