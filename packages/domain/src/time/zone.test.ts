import { describe, expect, test } from 'vitest'
import { day, formatDay } from './day.ts'
import { businessDaysBetween, dayIn, formatMoment, hasZone, isBusinessDay, sentDay, zoneOf } from './zone.ts'

describe('zone', () => {
  test.each([
    ['2026-11-20', '2026-11-20'],
    ['2026-11-20T23:59:59', '2026-11-20'],
    ['2026-11-20T13:00:00.000Z', '2026-11-21'],
    ['2026-11-20T23:59:59+11:00', '2026-11-20'],
    ['9999-12-31T23:59:59', '9999-12-31'],
    ['9999-12-31T23:59:59Z', null],
    ['0999-12-31', null],
    ['2026-02-30', null],
  ])('reads %s in Sydney as %s', (text, wanted) => {
    const sent = sentDay(text, 'Australia/Sydney')
    expect(sent === null ? null : formatDay(sent)).toBe(wanted)
  })

  test('gives a moment by its clock, as each country writes it', () => {
    const at = new Date('2026-09-19T18:14:00Z')
    expect(formatMoment('AU', 'Australia/Sydney', at)).toBe('20 Sep 2026, 4:14 am')
    expect(formatMoment('GB', 'Europe/London', at)).toBe('19 Sep 2026, 7:14 pm')
    expect(formatMoment('US', 'America/New_York', at)).toBe('Sep 19, 2026, 2:14 PM')
  })

  test('each state of Australia and the United States has its own', () => {
    expect(zoneOf('AU', 'WA')).toBe('Australia/Perth')
    expect(zoneOf('AU', ' qld ')).toBe('Australia/Brisbane')
    expect(zoneOf('AU', null)).toBe('Australia/Sydney')
    expect(zoneOf('AU', 'Nowhere')).toBe('Australia/Sydney')
    expect(zoneOf('GB', 'WA')).toBe('Europe/London')
    expect(zoneOf('US', 'WA')).toBe('America/Los_Angeles')
    expect(zoneOf('US', 'AZ')).toBe('America/Phoenix')
    expect(zoneOf('US', 'Guam')).toBe('America/New_York')
    expect([' az ', 'Guam', null].map((state) => hasZone('US', state))).toEqual([true, false, false])
  })

  test('one instant can be two days in two zones', () => {
    const at = new Date('2026-11-19T14:30:00Z')
    expect(formatDay(dayIn('Australia/Sydney', at))).toBe('2026-11-20')
    expect(formatDay(dayIn('Australia/Perth', at))).toBe('2026-11-19')
    expect(formatDay(dayIn('America/New_York', new Date('2026-01-01T04:59:59Z')))).toBe('2025-12-31')
    expect(formatDay(dayIn('America/New_York', new Date('2026-01-01T05:00:00Z')))).toBe('2026-01-01')
  })

  test('a sent date stands for itself, an instant for its day in the zone', () => {
    const sent = (text: string) => formatDay(sentDay(text, 'Australia/Sydney')!)
    expect(sent('2026-11-20')).toBe('2026-11-20')
    expect(sent('2026-11-20T23:30:00')).toBe('2026-11-20')
    expect(sent('2026-11-19T14:30:00Z')).toBe('2026-11-20')
    expect(sent('2026-11-20T01:30:00+13:00')).toBe('2026-11-19')
  })

  test('summer time moves midnight', () => {
    // Sydney is UTC+10 until 4 October 2026 02:00, UTC+11 after.
    expect(formatDay(dayIn('Australia/Sydney', new Date('2026-10-03T13:30:00Z')))).toBe('2026-10-03')
    expect(formatDay(dayIn('Australia/Sydney', new Date('2026-10-04T13:30:00Z')))).toBe('2026-10-05')
  })

  test('an unknown zone is an error', () => {
    expect(() => dayIn('Mars/Olympus', new Date(0))).toThrow(RangeError)
  })

  test('Thursday to Thursday has four full business days in between', () => {
    expect(businessDaysBetween(day('2025-08-14'), day('2025-08-21'))).toBe(4)
    expect(businessDaysBetween(day('2025-08-14'), day('2025-08-21'), new Set([day('2025-08-18')]))).toBe(3)
    expect(businessDaysBetween(day('2025-08-15'), day('2025-08-18'))).toBe(0)
    expect(businessDaysBetween(day('2025-08-21'), day('2025-08-14'))).toBe(0)
  })

  test('weekends and holidays are not business days', () => {
    expect(isBusinessDay(day('2025-08-16'))).toBe(false)
    expect(isBusinessDay(day('2025-08-18'))).toBe(true)
    expect(isBusinessDay(day('2025-12-25'), new Set([day('2025-12-25')]))).toBe(false)
  })
})
