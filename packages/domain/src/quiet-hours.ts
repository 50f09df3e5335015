import { type Day, weekday } from './day.ts'
import { instantAt, localTime } from './local-time.ts'
import type { Country } from './locale.ts'

/** From a minute of the day up to, not including, another; null for no sending that day. */
export type DayHours = readonly [from: number, to: number] | null

/** When messages may go, by the pharmacy's clock: Monday to Sunday, and whether public holidays are quiet. */
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
 * The defaults of a company, which it may set otherwise: Australia the hours of its voice standard (9-20 on weekdays, 9-17 on Saturday,
 * none on Sundays and holidays), Great Britain the same for want of a rule, the United States 8-21 (TCPA). Source: domain.md section 7.
 */
export const DEFAULT_HOURS: Readonly<Record<Country, SendingHours>> = {
  AU: VOICE_STANDARD,
  GB: VOICE_STANDARD,
  US: {
    week: [EVERY_DAY, EVERY_DAY, EVERY_DAY, EVERY_DAY, EVERY_DAY, EVERY_DAY, EVERY_DAY],
    holidaysQuiet: false,
  },
}

/** Minutes of a day; as an end it is the next midnight. */
export const MINUTES_OF_DAY = 1440
/** What a company may set its sending rules to: messages and hours of the frequency limit, percent held back at random. */
export const SENDING_LIMITS = {
  cap_messages: { min: 1, max: 100 },
  cap_hours: { min: 1, max: 744 },
  holdout_percent: { min: 0, max: 50 },
} as const

/** How many days ahead an allowed hour is looked for. */
const DAYS_AHEAD = 31

/** The hours of one day; null when it is quiet throughout. */
export function hoursOn(sending: SendingHours, day: Day, holidays: ReadonlySet<Day> = new Set()): DayHours {
  if (sending.holidaysQuiet && holidays.has(day)) return null
  const range = sending.week[weekday(day) - 1] ?? null
  return range && range[0] < range[1] ? range : null
}

/** The first instant from `at` on at which a message may go, `at` itself inside the hours; null when a month ahead has none. `holidays` are the pharmacy's region's. */
export function nextAllowed(
  sending: SendingHours,
  zone: string,
  at: Date,
  holidays: ReadonlySet<Day> = new Set(),
): Date | null {
  const today = localTime(zone, at).day
  for (let day = today; day <= today + DAYS_AHEAD; day++) {
    const range = hoursOn(sending, day, holidays)
    if (!range) continue
    const from = instantAt(zone, day, range[0])
    if (at < from) return from
    if (at < instantAt(zone, day, range[1])) return at
  }
  return null
}

/** Whether a message may go at this instant. */
export function isAllowedNow(
  sending: SendingHours,
  zone: string,
  at: Date,
  holidays: ReadonlySet<Day> = new Set(),
): boolean {
  return nextAllowed(sending, zone, at, holidays)?.getTime() === at.getTime()
}
