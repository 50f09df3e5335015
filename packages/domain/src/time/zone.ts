import { type Day, fromYmd, parseDay, weekday } from './day.ts'
import { localTime } from './local-time.ts'
import { type Country, formatDate, LOCALES } from './locale.ts'

/** IANA zones of the Australian states and territories; Broken Hill and Eucla use their state's. */
export const AU_STATE_ZONES: Readonly<Record<string, string>> = {
  ACT: 'Australia/Sydney',
  NSW: 'Australia/Sydney',
  NT: 'Australia/Darwin',
  QLD: 'Australia/Brisbane',
  SA: 'Australia/Adelaide',
  TAS: 'Australia/Hobart',
  VIC: 'Australia/Melbourne',
  WA: 'Australia/Perth',
}

/** IANA zones of the states of the United States. A state with two gets the one where most of its people live; `americanZone` knows the other part. */
const US_STATE_ZONES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    'America/New_York': 'CT DC DE FL GA IN KY MA MD ME MI NC NH NJ NY OH PA RI SC VA VT WV',
    'America/Chicago': 'AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI',
    'America/Denver': 'CO ID MT NM UT WY',
    'America/Phoenix': 'AZ',
    'America/Los_Angeles': 'CA NV OR WA',
    'America/Anchorage': 'AK',
    'Pacific/Honolulu': 'HI',
  }).flatMap(([zone, states]) => states.split(' ').map((state) => [state, zone])),
)

const STATE_ZONES: Readonly<Partial<Record<Country, Readonly<Record<string, string>>>>> = {
  AU: AU_STATE_ZONES,
  US: US_STATE_ZONES,
}

const COUNTRY_ZONES: Readonly<Record<Country, string>> = {
  AU: 'Australia/Sydney',
  GB: 'Europe/London',
  US: 'America/New_York',
}

/** Whether the zone of a state is known. */
export const hasZone = (country: Country, state: string | null): boolean =>
  Object.hasOwn(STATE_ZONES[country] ?? {}, state?.trim().toUpperCase() ?? '')

/** The zone of a pharmacy: its state's, or else its country's main zone. */
export function zoneOf(country: Country, state: string | null | undefined): string {
  return STATE_ZONES[country]?.[state?.trim().toUpperCase() ?? ''] ?? COUNTRY_ZONES[country]
}

/** The civil Day of an instant in an IANA zone; a RangeError for an unknown zone. */
export const dayIn = (zone: string, at: Date): Day => localTime(zone, at).day

/** '2:14 pm' by the clock of a zone, in the country's format. */
export function formatTime(country: Country, zone: string, at: Date): string {
  const clock = { timeZone: zone, hour: 'numeric', minute: '2-digit', hour12: true } as const
  return new Intl.DateTimeFormat(LOCALES[country].locale, clock).format(at).replaceAll('\u202f', ' ')
}

/** '19 Nov 2026, 2:14 pm' by the clock of a zone, in the country's format. */
export const formatMoment = (country: Country, zone: string, at: Date): string =>
  `${formatDate(country, dayIn(zone, at))}, ${formatTime(country, zone, at)}`

/** The days that fit a text of ten characters, and therefore the database. */
const DAYS = { first: fromYmd(1000, 1, 1), last: fromYmd(9999, 12, 31) }

/**
 * The civil day of a date: '2026-11-20', the same with a local time, or the day on which an instant falls in the zone. Null for anything else,
 * and for a day outside the years 1000 to 9999.
 */
export function sentDay(text: string, zone: string): Day | null {
  const instant = /(Z|[+-]\d\d:?\d\d)$/.test(text)
  const day = instant ? dayIn(zone, new Date(text)) : parseDay(text.slice(0, 10))
  return day !== null && day >= DAYS.first && day <= DAYS.last ? day : null
}

/** Monday to Friday and not a holiday of the pharmacy's region. */
export function isBusinessDay(day: Day, holidays: ReadonlySet<Day> = new Set()): boolean {
  return weekday(day) <= 5 && !holidays.has(day)
}

/** Full business days strictly between two days (neither end counts); 0 if they touch or are out of order. */
export function businessDaysBetween(from: Day, to: Day, holidays: ReadonlySet<Day> = new Set()): number {
  let count = 0
  for (let day = from + 1; day < to; day++) if (isBusinessDay(day, holidays)) count++
  return count
}
