import type { Day } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { dayIn, zoneOf } from '@pillar/domain/time/zone'

/** Today by the company's calendar, according to the server, whatever this machine's clock says. */
export function todayOf(country: Country): Day {
  return dayIn(zoneOf(country, null), new Date())
}
