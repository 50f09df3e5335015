import { INACTIVE_DAYS } from '../dispensing/adherence.ts'
import type { Day } from '../time/day.ts'
import { firstFrom } from './order.ts'

/** Days of data needed before a first visit to tell whether the person is new. */
export const NEW_AFTER_DAYS = 365

/**
 * A person's status at their first visit in a period. Retained: here in the 180 days before. Returning: here before that. New: never here before,
 * in at least 365 days of data. Unplaced: never here before, but the data do not go back far enough.
 */
export type Visitor = 'new' | 'returning' | 'retained' | 'unplaced'

/**
 * @param visit first visit of the period
 * @param before the visit before it; null when there is none
 * @param dataFrom first day of the pharmacy's data
 */
export function visitorAt(visit: Day, before: Day | null, dataFrom: Day): Visitor {
  if (before !== null) return visit - before <= INACTIVE_DAYS ? 'retained' : 'returning'
  return visit - dataFrom >= NEW_AFTER_DAYS ? 'new' : 'unplaced'
}

/**
 * The days on which a person lapsed: 180 days after a visit that had no other after it by then. Nobody lapses after their death.
 * @param visits days with a supply of anything, ascending
 * @param since only days from this one on
 */
export function lapses(visits: Int32Array, died: Day | null, since: Day): Day[] {
  const days: Day[] = []
  for (let at = firstFrom(visits, 0, visits.length, since - INACTIVE_DAYS); at < visits.length; at++) {
    const lapsed = (visits[at] as Day) + INACTIVE_DAYS
    const next = at + 1 < visits.length ? (visits[at + 1] as Day) : Number.POSITIVE_INFINITY
    if (next > lapsed && (died === null || died > lapsed)) days.push(lapsed)
  }
  return days
}
