import { type Day, weekday } from './day.ts'
import { instantAt, type LocalTime, localTime } from './local-time.ts'
import type { Country } from './locale.ts'

/** From one minute of the day up to, but not including, another; null for no sending that day. */
export type DayHours = readonly [from: number, to: number] | null

/** Sending hours in the pharmacy's time zone: Monday to Sunday, and whether public holidays are quiet. */
export interface SendingHours {
  readonly week: readonly [DayHours, DayHours, DayHours, DayHours, DayHours, DayHours, DayHours]
  readonly holidaysQuiet: boolean
}

const hours = (from: number, to: number): DayHours => [from * 60, to * 60]
const WEEKDAYS = hours(9, 20)
const VOICE_STANDARD: SendingHours = {
  week: [WEEKDAYS, WEEKDAYS, WEEKDAYS, WEEKDAYS, WEEKDAYS, hours(9, 17), null],
  holidaysQuiet: true,
}
const EVERY_DAY = hours(8, 21)

/**
 * A company's defaults, which it can change: Australia follows its voice-call standard (9-20 on weekdays, 9-17 on Saturday,
 * none on Sundays and holidays), Great Britain the same because it has no rule, the United States 8-21 (TCPA).
 */
export const DEFAULT_HOURS: Readonly<Record<Country, SendingHours>> = {
  AU: VOICE_STANDARD,
  GB: VOICE_STANDARD,
  US: {
    week: [EVERY_DAY, EVERY_DAY, EVERY_DAY, EVERY_DAY, EVERY_DAY, EVERY_DAY, EVERY_DAY],
    holidaysQuiet: false,
  },
}

/** Minutes of a day; as an end value, the next midnight. */
export const MINUTES_OF_DAY = 1440
/** Limits for a company's sending rules: messages and hours of the frequency limit, percent of the holdout. */
export const SENDING_LIMITS = {
  cap_messages: { min: 1, max: 100 },
  cap_hours: { min: 1, max: 744 },
  holdout_percent: { min: 0, max: 50 },
} as const
/** A pharmacy's clock and calendar: its IANA zone, and the public holidays of its region. */
export interface LocalCalendar {
  readonly zone: string
  readonly holidays: ReadonlySet<Day>
}

/** How many days ahead to look for a sending hour. */
const DAYS_AHEAD = 31

/** The hours of one day; null if the whole day is quiet. */
export function hoursOn(sending: SendingHours, day: Day, { holidays }: Pick<LocalCalendar, 'holidays'>): DayHours {
  if (sending.holidaysQuiet && holidays.has(day)) return null
  const range = sending.week[weekday(day) - 1] ?? null
  return range && range[0] < range[1] ? range : null
}

/**
 * The first instant from `at` on when a message may go: `at` itself inside sending hours, null if the next month has none. On the night of a clock
 * change, the clock decides: hours it skips do not exist, hours that begin in the skipped time open right after it, and in an hour it shows twice
 * a message may go both times.
 */
export function nextAllowed(sending: SendingHours, calendar: LocalCalendar, at: Date): Date | null {
  const { zone } = calendar
  const now = localTime(zone, at)
  for (let day = now.day; day <= now.day + DAYS_AHEAD; day++) {
    const range = hoursOn(sending, day, calendar)
    if (!range) continue
    const [from, to] = range
    if (day === now.day && now.minute >= from) {
      if (now.minute < to) return at
      const again = openAgain(range, zone, now, at)
      if (again) return again
      continue
    }
    const opens = opening(zone, day, from)
    // On the second showing, the distance is what the clock says.
    if (opens < at) return new Date((Math.floor(at.getTime() / MINUTE_MS) + from - now.minute) * MINUTE_MS)
    if (localTime(zone, opens).minute < to) return opens
  }
  return null
}

/** The first instant when the clock shows this minute of the day, or the next minute it does show if it skips this one. */
function opening(zone: string, day: Day, minute: number): Date {
  let opens = instantAt(zone, day, minute)
  if (localTime(zone, opens).minute === minute) return opens
  for (;;) {
    const before = new Date(opens.getTime() - MINUTE_MS)
    const shown = localTime(zone, before)
    if (shown.day < day || shown.minute < minute) return opens
    opens = before
  }
}

/** When the clock returns to a sending hour because it goes back before the day ends; null on every other day. */
function openAgain([from, to]: NonNullable<DayHours>, zone: string, { day, minute: now }: LocalTime, at: Date) {
  const end = instantAt(zone, day, MINUTES_OF_DAY).getTime()
  if (end - at.getTime() <= (MINUTES_OF_DAY - now) * MINUTE_MS) return null
  for (let next = Math.ceil(at.getTime() / MINUTE_MS) * MINUTE_MS; next < end; next += MINUTE_MS) {
    const { minute } = localTime(zone, new Date(next))
    if (minute < now) return minute < to ? new Date(next + Math.max(0, from - minute) * MINUTE_MS) : null
  }
  return null
}

const MINUTE_MS = 60_000
