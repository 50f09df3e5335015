import { type Country, formatDate, formatWeekday, LOCALES, NO_VALUE } from '@pillar/domain/time/locale'
import { dayIn, zoneOf } from '@pillar/domain/time/zone'

/** The day of a moment as the company writes it, in its own time zone: '19 Nov 2026'. */
export function dayOf(country: Country, moment: string | null): string {
  return moment === null ? NO_VALUE : formatDate(country, dayIn(zoneOf(country, null), new Date(moment)))
}

const clocks = new Map<Country, Intl.DateTimeFormat>()

/** The moment as the company writes it, in its own time zone: '19 Nov 2026, 2:14 pm'. */
export function momentOf(country: Country, moment: string | null): string {
  if (moment === null) return NO_VALUE
  const options = { timeZone: zoneOf(country, null), hour: 'numeric', minute: '2-digit' } as const
  const clock = clocks.get(country) ?? new Intl.DateTimeFormat(LOCALES[country].locale, options)
  clocks.set(country, clock)
  return `${dayOf(country, moment)}, ${clock.format(new Date(moment))}`
}

/** Day and time of `momentIn`, for a cell of two lines. */
export function partsIn(country: Country, zone: string, at: string): [day: string, time: string] {
  const [day = '', time = ''] = momentIn(country, zone, at).split(', ')
  return [day, time]
}

/** '19 Nov 2026, 2:14 pm' by the clock of a zone, such as the pharmacy's. */
export const momentIn = (country: Country, zone: string, at: string): string =>
  `${formatDate(country, dayIn(zone, new Date(at)))}, ${timeIn(country, zone, at)}`

/** The same with its day of the week: 'Thu 19 Nov 2026, 2:14 pm'. */
export const weekdayMomentIn = (country: Country, zone: string, at: string): string =>
  `${formatWeekday(country, dayIn(zone, new Date(at)))}, ${timeIn(country, zone, at)}`

/** '2:14 pm' by the clock of a zone. */
export function timeIn(country: Country, zone: string, at: string): string {
  const time = new Intl.DateTimeFormat(LOCALES[country].locale, {
    ...{ timeZone: zone, hour: 'numeric', minute: '2-digit', hour12: true },
  }).format(new Date(at))
  return time.replaceAll('\u202f', ' ')
}

/** The zone of the person looking. */
export const hereZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
