import { type Country, formatDate, formatWeekday, NO_VALUE } from '@pillar/domain/time/locale'
import { dayIn, formatMoment, formatTime, zoneOf } from '@pillar/domain/time/zone'

/** The day of a moment in the company's format and time zone: '19 Nov 2026'. */
export function dayOf(country: Country, moment: string | null): string {
  return moment === null ? NO_VALUE : formatDate(country, dayIn(zoneOf(country, null), new Date(moment)))
}

/** The moment in the company's format and time zone: '19 Nov 2026, 2:14 pm'. */
export const momentOf = (country: Country, moment: string | null): string =>
  moment === null ? NO_VALUE : momentIn(country, zoneOf(country, null), moment)

/** Day and time of `momentIn`, for a cell of two lines. */
export function partsIn(country: Country, zone: string, at: string): [day: string, time: string] {
  const moment = new Date(at)
  return [formatDate(country, dayIn(zone, moment)), formatTime(country, zone, moment)]
}

/** '19 Nov 2026, 2:14 pm' by the clock of a zone, such as the pharmacy's. */
export const momentIn = (country: Country, zone: string, at: string): string =>
  formatMoment(country, zone, new Date(at))

/** The same with its day of the week: 'Thu 19 Nov 2026, 2:14 pm'. */
export function weekdayMomentIn(country: Country, zone: string, at: string): string {
  const moment = new Date(at)
  return `${formatWeekday(country, dayIn(zone, moment))}, ${formatTime(country, zone, moment)}`
}

/** The time zone of the reader. */
export const hereZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
