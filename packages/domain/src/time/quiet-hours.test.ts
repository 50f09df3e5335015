import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { day } from './day.ts'
import { localTime } from './local-time.ts'
import { DEFAULT_HOURS, hoursOn, nextAllowed, type SendingHours } from './quiet-hours.ts'

const sydney = 'Australia/Sydney'
const next = (at: string, zone = sydney, holidays: ReadonlySet<number> = new Set()) =>
  nextAllowed(DEFAULT_HOURS.AU, { zone, holidays }, new Date(at))?.toISOString()
const plain = (zone: string) => ({ zone, holidays: new Set<number>() })

describe('quiet hours', () => {
  test('inside the sending hours a message goes at once', () => {
    expect(next('2026-11-20T02:34:56.000Z')).toBe('2026-11-20T02:34:56.000Z')
    // Friday 20 November 2026 in Sydney: 09:00 is 22:00 UTC the day before, 20:00 is 09:00 UTC.
    expect(next('2026-11-19T22:00:00.000Z')).toBe('2026-11-19T22:00:00.000Z')
    expect(next('2026-11-19T22:00:30.500Z')).toBe('2026-11-19T22:00:30.500Z')
    expect(next('2026-11-20T08:59:59.000Z')).toBe('2026-11-20T08:59:59.000Z')
  })

  test('an evening message waits for the morning, a Saturday evening one for Monday', () => {
    expect(next('2026-11-20T09:00:00.000Z')).toBe('2026-11-20T22:00:00.000Z')
    expect(next('2026-11-21T06:00:00.000Z')).toBe('2026-11-22T22:00:00.000Z')
    expect(next('2026-11-19T13:00:00.000Z')).toBe('2026-11-19T22:00:00.000Z')
  })

  test('the pharmacy’s time zone counts, not the sender’s', () => {
    expect(next('2026-11-19T23:00:00.000Z', 'Australia/Perth')).toBe('2026-11-20T01:00:00.000Z')
    const us = nextAllowed(DEFAULT_HOURS.US, plain('America/New_York'), new Date('2026-11-22T12:59:00Z'))
    expect(us?.toISOString()).toBe('2026-11-22T13:00:00.000Z')
  })

  test('9 o’clock stays 9 o’clock across a clock change', () => {
    // Saturday 3 October 2026 17:00 AEST is over; summer time starts on Sunday; Monday 09:00 is 22:00 UTC on Sunday.
    expect(next('2026-10-03T07:00:00.000Z')).toBe('2026-10-04T22:00:00.000Z')
    expect(next('2026-04-04T06:00:00.000Z')).toBe('2026-04-05T23:00:00.000Z')
  })

  test.each([
    ['Australia/Sydney', '2026-10-03', '2026-04-04'],
    ['Australia/Adelaide', '2026-10-03', '2026-04-04'],
    ['Europe/London', '2026-03-28', '2026-10-24'],
  ])(
    'on nights of clock changes in %s nothing is sent outside the hours, or later than possible',
    (zone, ...nights) => {
      const ranges = [
        [0, 1440],
        [540, 1200],
        [60, 120],
        [120, 180],
        [60, 90],
        [90, 125],
        [150, 240],
        [0, 150],
        [150, 195],
      ] as const
      const outside: string[] = []
      for (const range of ranges) {
        const sending: SendingHours = { week: [range, range, range, range, range, range, range], holidaysQuiet: false }
        const isOpen = (at: Date) => {
          const { minute } = localTime(zone, at)
          return minute >= range[0] && minute < range[1]
        }
        for (const night of nights) {
          // Backwards, so that the next open minute is already known.
          let nextOpen = new Date('9999-01-01')
          for (let minute = 2 * 1440 - 5; minute >= 0; minute -= 5) {
            const at = new Date(Date.parse(night) + minute * 60_000)
            if (isOpen(at)) nextOpen = at
            const found = nextAllowed(sending, plain(zone), at)!
            if (!isOpen(found) || found < at || found > nextOpen)
              outside.push(`${range} ${at.toISOString()} ${found.toISOString()}`)
          }
        }
      }
      expect(outside).toEqual([])
    },
  )

  test('holidays are quiet if the rule says so', () => {
    const holidays = new Set([day('2026-11-23')])
    expect(next('2026-11-21T06:00:00.000Z', sydney, holidays)).toBe('2026-11-23T22:00:00.000Z')
    expect(hoursOn(DEFAULT_HOURS.US, day('2026-11-23'), { holidays })).toEqual([480, 1260])
  })

  test('hours missed before the clock goes back are waited for when it shows them again', () => {
    const early = [130, 140] as const
    const sending: SendingHours = { week: [early, early, early, early, early, early, early], holidaysQuiet: false }
    // Half past two, for the first time; at three it is two again.
    const found = nextAllowed(sending, plain(sydney), new Date('2026-04-04T15:30:00Z'))
    expect(found?.toISOString()).toBe('2026-04-04T16:10:00.000Z')
  })

  test('hours on one day of the week, missed or on a holiday, come again', () => {
    const mondays: SendingHours = { week: [[540, 600], null, null, null, null, null, null], holidaysQuiet: true }
    const missed = new Date('2026-11-15T23:30:00Z')
    const after = (holidays: string[]) =>
      nextAllowed(mondays, { zone: sydney, holidays: new Set(holidays.map(day)) }, missed)?.toISOString()
    expect(after([])).toBe('2026-11-22T22:00:00.000Z')
    expect(after(['2026-11-23', '2026-11-30', '2026-12-07'])).toBe('2026-12-13T22:00:00.000Z')
  })

  test('a week without sending hours never allows a message', () => {
    const never: SendingHours = { week: [null, null, null, null, [600, 600], null, null], holidaysQuiet: false }
    expect(nextAllowed(never, plain(sydney), new Date('2026-11-20T00:00:00Z'))).toBeNull()
    expect(hoursOn(never, day('2026-11-20'), plain(sydney))).toBeNull()
  })

  test('property: the result is allowed, never earlier, and stable', () => {
    const instant = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true })
    const zones = fc.constantFrom(sydney, 'Australia/Lord_Howe', 'Europe/London', 'America/New_York')
    const country = fc.constantFrom('AU' as const, 'US' as const)
    fc.assert(
      fc.property(instant, zones, country, (at, zone, where) => {
        const sending = DEFAULT_HOURS[where]
        const found = nextAllowed(sending, plain(zone), at)!
        expect(found.getTime()).toBeGreaterThanOrEqual(at.getTime())
        expect(found.getTime() - at.getTime()).toBeLessThan(3 * 86_400_000)
        expect(nextAllowed(sending, plain(zone), found)).toEqual(found)
        const local = localTime(zone, found)
        const [from, to] = hoursOn(sending, local.day, plain(zone))!
        expect(local.minute).toBeGreaterThanOrEqual(from)
        expect(local.minute).toBeLessThan(to)
        if (found.getTime() > at.getTime()) expect(local.minute).toBe(from)
      }),
      { numRuns: 200 },
    )
  })
})
