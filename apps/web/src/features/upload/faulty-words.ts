import type { FaultyPharmacy } from '@pillar/contract/upload/etl-faulty'
import { counted } from '@pillar/domain/text/sentence'
import { day, formatDay } from '@pillar/domain/time/day'
import { instantAt } from '@pillar/domain/time/local-time'
import { type Country, formatDate } from '@pillar/domain/time/locale'
import { dayIn } from '@pillar/domain/time/zone'
import { SOURCE_NAMES } from '@pillar/domain/upload/data-source'
import type { FaultyState } from '@pillar/domain/upload/faulty-upload'
import { momentIn } from '../../kit/display/dates.ts'

/** The colour of each state in the chart. */
export const STATE_COLOURS: Readonly<Record<FaultyState, string>> = {
  ERROR: '--d5',
  'NOT RECEIVED': '--d2',
  RECEIVED: '--d4',
  OVERRIDE: '--d4',
  PROCESSING: '--d1',
  REQUESTED: '--d-rest',
  'NEVER UPLOADED': '--d3',
}

/** The name of a data source, as uploads and requests show it. */
export const sourceName = (source: string | null): string =>
  source === null ? 'No data source' : (SOURCE_NAMES[source] ?? source)

/** Why a pharmacy is on the list, in a few words. */
export function why(country: Country, row: FaultyPharmacy): string {
  const dayOf = (moment: string) => formatDate(country, dayIn(row.time_zone, new Date(moment)))
  switch (row.status) {
    case 'ERROR':
      return row.notes || 'The upload was rejected.'
    case 'NOT RECEIVED':
      if (row.requested_at) return `Requested ${dayOf(row.requested_at)}, nothing arrived`
      return row.last_successful_upload_on ? `Nothing since ${dayOf(row.last_successful_upload_on)}` : 'Nothing arrived'
    case 'REQUESTED': {
      const by = row.requested_by ? ` by ${row.requested_by}` : ''
      return row.requested_at ? `Requested${by}, ${momentIn(country, row.time_zone, row.requested_at)}` : 'Requested'
    }
    case 'PROCESSING':
      return 'Being loaded'
    case 'NEVER UPLOADED':
      return `Added ${dayOf(row.added_at)}`
    default:
      return 'In the queue'
  }
}

/** '4 business days silent'; a dash for a pharmacy that never uploaded. */
export const silentWords = (days: number | null): string =>
  days === null ? 'Never' : days === 0 ? 'Up to date' : `${counted(days, 'business day', 'business days')} silent`

/** How long a pharmacy is snoozed; null if it is not. */
export function restWords(country: Country, row: FaultyPharmacy, now: Date): string | null {
  if (row.snoozed_until && restDay(row, now) !== '')
    return `Snoozed until ${momentIn(country, row.time_zone, row.snoozed_until)}`
  return row.snoozed_until_change ? 'Snoozed until its state changes' : null
}

type Snoozed = Pick<FaultyPharmacy, 'snoozed_until' | 'time_zone'>

/** The day until which a pharmacy is snoozed, by its own clock: '2026-12-01'; empty if it is not, or no longer is. */
export function restDay({ snoozed_until, time_zone }: Snoozed, now: Date): string {
  const until = snoozed_until ? new Date(snoozed_until) : null
  return until && until > now ? formatDay(dayIn(time_zone, until)) : ''
}

/** The instant at which that day begins at the pharmacy. */
export const restsUntil = ({ time_zone }: Pick<Snoozed, 'time_zone'>, until: string): string =>
  instantAt(time_zone, day(until), 0).toISOString()
