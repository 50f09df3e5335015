import type { Followed } from '../figure/kaplan-meier.ts'
import type { Day } from '../time/day.ts'

/** A medicine not taken for this many days begins anew. */
export const LOOK_BACK_DAYS = 365
/** A patient without supply for more than this many days after running out has stopped. */
export const GAP_DAYS = 90

/**
 * How long the supplies of a medicine last, starting from one of them: up to running out before the first gap of more than 90 days, with early
 * refills used later. Following ends at a death, a switch after the last of them, or the end of the data. If that comes
 * before the gap is longer than 90 days, the supplies count only up to running out.
 * @param supplies days of supply, ascending, and how many days each lasts
 * @param last last day of the data: supplies on it count
 * @param switches days on which a replacement was supplied, ascending
 */
export function stayed(
  { day, days }: { readonly day: readonly Day[]; readonly days: readonly number[] },
  first: number,
  { last, died, switches }: { readonly last: Day; readonly died: Day | null; readonly switches: readonly Day[] },
): Followed {
  const on = day[first] as Day
  let latest = on
  /** The first day with nothing left. */
  let out = on
  for (let at = first; at < day.length && (day[at] as Day) <= last; at++) {
    if ((day[at] as Day) - out > GAP_DAYS) break
    latest = day[at] as Day
    out = Math.max(out, latest) + (days[at] as number)
  }
  const switched = switches.find((one) => one > latest)
  const lost = Math.min(died ?? Number.POSITIVE_INFINITY, switched ?? Number.POSITIVE_INFINITY, last + 1)
  // The gap is longer than 90 days on the day after this one.
  const stopped = lost > out + GAP_DAYS
  return { days: Math.min(lost, out) - on, stopped }
}
