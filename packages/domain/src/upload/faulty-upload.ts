import type { Day } from '../time/day.ts'
import { instantAt } from '../time/local-time.ts'
import type { LocalCalendar } from '../time/quiet-hours.ts'
import { dayIn, isBusinessDay } from '../time/zone.ts'
import { NEVER_UPLOADED, type UploadState } from './upload-state.ts'

/** The states a pharmacy on the list of faulty uploads may show. */
export type FaultyState = Exclude<UploadState, 'COMPLETED'> | typeof NEVER_UPLOADED

/**
 * The order of the list, worst last, by the specification: NEVER UPLOADED 0, REQUESTED 1, RECEIVED 2, NOT RECEIVED 3, ERROR 4. Uploads that are
 * waiting or loading rank with RECEIVED.
 */
export const FAULTY_RANK: Readonly<Record<FaultyState, number>> = {
  [NEVER_UPLOADED]: 0,
  REQUESTED: 1,
  RECEIVED: 2,
  OVERRIDE: 2,
  PROCESSING: 2,
  'NOT RECEIVED': 3,
  ERROR: 4,
}
export const FAULTY_STATES = Object.keys(FAULTY_RANK) as [FaultyState, ...FaultyState[]]

/** A request is given up if no files arrive for this long. */
export const REQUEST_HOURS = 24

/** How long a pharmacy may be silent before it counts as having no uploads. */
export type Silence = { readonly hours: number } | { readonly businessDays: number }

/** Default number of business days, and the most that may be requested. */
export const SILENCE = { businessDays: 4, mostBusinessDays: 60, hours: 96, mostHours: 2160 } as const

const HOUR_MS = 3_600_000

/**
 * The instant that separates silent pharmacies from the others: if a pharmacy's last completed upload is earlier, it counts as having no uploads.
 * Hours: more than that many ago. Business days: at least that many full ones (Monday to Friday, without the region's holidays) lie between the
 * day of the last success and today, both in the pharmacy's zone.
 */
export function silentBefore(silence: Silence, calendar: LocalCalendar, now: Date): Date {
  if ('hours' in silence) return new Date(now.getTime() - silence.hours * HOUR_MS)
  let first = dayIn(calendar.zone, now)
  for (let left = silence.businessDays; left > 0; ) {
    first--
    if (isBusinessDay(first, calendar.holidays)) left--
  }
  // A success on the day before the first of these days counts as silent; one on that first day has one business day fewer behind it.
  return instantAt(calendar.zone, first, 0)
}

/** Full business days without an upload between the last success and now, in the pharmacy's zone; null if there never was one. */
export function silentDays(last: Date | null, calendar: LocalCalendar, now: Date): number | null {
  if (!last) return null
  const today = dayIn(calendar.zone, now)
  let count = 0
  for (let day: Day = dayIn(calendar.zone, last) + 1; day < today; day++) {
    if (isBusinessDay(day, calendar.holidays)) count++
  }
  return count
}

export interface FaultyFacts {
  readonly state: FaultyState
  /** The number of faulty rows in the newest upload. */
  readonly faults: number
  /** Whether support has requested it. */
  readonly requested: boolean
}

/** The next step for a pharmacy, in a sentence. */
export function nextStep({ state, faults, requested }: FaultyFacts): string {
  switch (state) {
    case 'ERROR':
      return faults > 0
        ? 'Send the pharmacy the row faults, then request the upload again.'
        : 'Read the note, fix the cause, then request the upload again.'
    case 'NOT RECEIVED':
      return requested
        ? 'Call the pharmacy: the requested upload did not arrive.'
        : 'Request an upload. If nothing arrives, call the pharmacy.'
    case 'REQUESTED':
      return 'Wait for the files. After 24 hours the request is given up.'
    case 'RECEIVED':
    case 'OVERRIDE':
    case 'PROCESSING':
      return 'Wait: the files have arrived and are about to be loaded.'
    case NEVER_UPLOADED:
      return 'Help the pharmacy set up its first upload.'
  }
}
