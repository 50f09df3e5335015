import type { Day } from '../time/day.ts'
import { instantAt } from '../time/local-time.ts'
import type { LocalCalendar } from '../time/quiet-hours.ts'
import { dayIn, isBusinessDay } from '../time/zone.ts'
import { NEVER_UPLOADED, type UploadState } from './upload-state.ts'

/** What a pharmacy on the list of faulty uploads may be shown as. */
export type FaultyState = Exclude<UploadState, 'COMPLETED'> | typeof NEVER_UPLOADED

/**
 * The order of the list, worst last, by the specification: NEVER UPLOADED 0, REQUESTED 1, RECEIVED 2, NOT RECEIVED 3, ERROR 4. What waits
 * to be loaded, or is being loaded, stands with RECEIVED.
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

/** A request without files is given up after this long. */
export const REQUEST_HOURS = 24

/** How long a pharmacy may be silent before it counts as one without uploads. */
export type Silence = { readonly hours: number } | { readonly businessDays: number }

/** Business days by default, and the most that may be asked for. */
export const SILENCE = { businessDays: 4, mostBusinessDays: 60, hours: 96, mostHours: 2160 } as const

const HOUR_MS = 3_600_000

/**
 * The instant that parts the silent from the others: a pharmacy whose last completed upload is before it counts as one without uploads.
 * Hours: more than that many ago. Business days: at least that many full ones (Monday to Friday, holidays of the region left out) lie
 * between the day of the success and today, both in the pharmacy's zone.
 */
export function silentBefore(silence: Silence, calendar: LocalCalendar, now: Date): Date {
  if ('hours' in silence) return new Date(now.getTime() - silence.hours * HOUR_MS)
  let first = dayIn(calendar.zone, now)
  for (let left = silence.businessDays; left > 0; ) {
    first--
    if (isBusinessDay(first, calendar.holidays)) left--
  }
  // A success on the day before the first of them is silent; one on that day itself has a business day less behind it.
  return instantAt(calendar.zone, first, 0)
}

/** Full business days without an upload between the last success and now, in the pharmacy's zone; null when it never had one. */
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
  /** Faulty rows of the newest upload. */
  readonly faults: number
  /** Support has asked for it. */
  readonly requested: boolean
}

/** What to do next about a pharmacy, in a sentence. */
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
