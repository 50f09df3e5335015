import { type Day, fromYmd } from './day.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

export interface LocalTime {
  readonly day: Day
  /** Minutes since local midnight on the clock, 0..1439. */
  readonly minute: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The wall clock of an IANA zone at an instant, read as UTC, in milliseconds, with seconds. */
function wallClock(zone: string, at: number): number {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(zone, format)
  }
  const parts = new Map(format.formatToParts(at).map((part) => [part.type, Number(part.value)]))
  const get = (type: Intl.DateTimeFormatPartTypes) => parts.get(type)!
  const day = fromYmd(get('year'), get('month'), get('day'))
  return day * DAY_MS + ((get('hour') * 60 + get('minute')) * 60 + get('second')) * 1000
}

/** Day and minute on the clock of an IANA zone at an instant; a RangeError for an unknown zone. Uses Intl because browsers run this too. */
export function localTime(zone: string, at: Date): LocalTime {
  const wall = wallClock(zone, at.getTime())
  const day = Math.floor(wall / DAY_MS)
  return { day, minute: Math.floor((wall - day * DAY_MS) / MINUTE_MS) }
}

/**
 * The instant when clocks in a zone show a minute of a day (minute 1440 is the next midnight). A repeated time means the
 * first; a skipped time moves later by the size of the jump. Two clock changes within a day are not supported.
 */
export function instantAt(zone: string, day: Day, minute: number): Date {
  const wall = day * DAY_MS + minute * MINUTE_MS
  const offsetAt = (at: number) => wallClock(zone, at) - at
  const before = offsetAt(wall - DAY_MS)
  const after = offsetAt(wall + DAY_MS)
  // When clocks go back, the offset before the change is the larger one, so the earlier instant comes first in this list.
  const shown = [wall - before, wall - after].find((at) => wallClock(zone, at) === wall)
  return new Date(shown ?? wall - before)
}

/** Start of a day and its last second (23:59:59) in a zone, as campaign dates are sent. */
export function dayBounds(zone: string, day: Day): { readonly start: Date; readonly end: Date } {
  return { start: instantAt(zone, day, 0), end: new Date(instantAt(zone, day + 1, 0).getTime() - 1000) }
}
