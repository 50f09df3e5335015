import { type Day, fromYmd, weekday } from './day.ts'
import type { Country } from './locale.ts'

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

const COUNTRY_ZONES: Readonly<Record<Country, string>> = {
  AU: 'Australia/Sydney',
  GB: 'Europe/London',
  US: 'America/New_York',
}

/** The zone of a pharmacy: its Australian state's, else its country's main zone. */
export function zoneOf(country: Country, state: string | null | undefined): string {
  const byState = country === 'AU' && state ? AU_STATE_ZONES[state.trim().toUpperCase()] : undefined
  return byState ?? COUNTRY_ZONES[country]
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The civil Day of an instant in an IANA zone; a RangeError for an unknown zone. Uses Intl because browsers run this too. */
export function dayIn(zone: string, at: Date): Day {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
    })
    formats.set(zone, format)
  }
  const parts = new Map(format.formatToParts(at).map((part) => [part.type, Number(part.value)]))
  return fromYmd(parts.get('year')!, parts.get('month')!, parts.get('day')!)
}

/** Monday to Friday and not a holiday of the pharmacy's region. */
export function isBusinessDay(day: Day, holidays: ReadonlySet<Day> = new Set()): boolean {
  return weekday(day) <= 5 && !holidays.has(day)
}

/** Full business days strictly between two days (neither end counts); 0 when they touch or are out of order. */
export function businessDaysBetween(from: Day, to: Day, holidays: ReadonlySet<Day> = new Set()): number {
  let count = 0
  for (let day = from + 1; day < to; day++) if (isBusinessDay(day, holidays)) count++
  return count
}
