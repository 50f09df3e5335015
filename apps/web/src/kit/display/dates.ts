import { type Country, formatDate, NO_VALUE } from '@pillar/domain/locale'
import { dayIn, zoneOf } from '@pillar/domain/zone'

/** The day of a moment as the company writes it, in its own time zone: '19 Nov 2026'. */
export function dayOf(country: Country, moment: string | null): string {
  return moment === null ? NO_VALUE : formatDate(country, dayIn(zoneOf(country, null), new Date(moment)))
}
