import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { day, formatDay } from './day.ts'
import { dayBounds, instantAt, localTime } from './local-time.ts'
import { dayIn } from './zone.ts'

const at = (zone: string, date: string, minute: number) => instantAt(zone, day(date), minute).toISOString()

describe('local time', () => {
  test('the same clock time is a different instant in summer', () => {
    expect(at('Australia/Sydney', '2026-08-04', 600)).toBe('2026-08-04T00:00:00.000Z')
    expect(at('Australia/Sydney', '2026-11-04', 600)).toBe('2026-11-03T23:00:00.000Z')
    expect(at('Australia/Adelaide', '2026-08-04', 600)).toBe('2026-08-04T00:30:00.000Z')
    expect(at('America/New_York', '2026-07-01', 600)).toBe('2026-07-01T14:00:00.000Z')
    expect(at('Europe/London', '2026-01-01', 1440)).toBe('2026-01-02T00:00:00.000Z')
  })

  test('a skipped hour moves on, a repeated hour counts the first time', () => {
    // Sydney skips 02:00 to 03:00 on 4 October 2026 and repeats it on 5 April 2026.
    expect(at('Australia/Sydney', '2026-10-04', 150)).toBe('2026-10-03T16:30:00.000Z')
    expect(localTime('Australia/Sydney', new Date('2026-10-03T16:30:00Z')).minute).toBe(210)
    expect(at('Australia/Sydney', '2026-04-05', 150)).toBe('2026-04-04T15:30:00.000Z')
    expect(at('America/New_York', '2026-03-08', 600)).toBe('2026-03-08T14:00:00.000Z')
  })

  test('a day with a clock change has 23 or 25 hours', () => {
    const hours = (date: string) => {
      const { start, end } = dayBounds('Australia/Sydney', day(date))
      return (end.getTime() + 1000 - start.getTime()) / 3_600_000
    }
    expect([hours('2026-10-04'), hours('2026-04-05'), hours('2026-06-01')]).toEqual([23, 25, 24])
    expect(dayBounds('Australia/Perth', day('2026-11-20')).end.toISOString()).toBe('2026-11-20T15:59:59.000Z')
  })

  test('an unknown zone is an error', () => {
    expect(() => localTime('Mars/Olympus', new Date(0))).toThrow(RangeError)
  })

  test('property: round trip, and the same day as zone.ts', () => {
    const zones = fc.constantFrom('Australia/Sydney', 'Australia/Lord_Howe', 'Europe/London', 'America/New_York', 'UTC')
    const days = fc.integer({ min: day('2020-01-01'), max: day('2030-12-31') })
    fc.assert(
      fc.property(zones, days, fc.integer({ min: 0, max: 1439 }), (zone, date, minute) => {
        const instant = instantAt(zone, date, minute)
        const back = localTime(zone, instant)
        expect(formatDay(back.day)).toBe(formatDay(dayIn(zone, instant)))
        const late = back.day * 1440 + back.minute - (date * 1440 + minute)
        expect([0, 30, 60]).toContain(late)
      }),
      { numRuns: 300 },
    )
  })
})
