import type { Followed } from '../figure/kaplan-meier.ts'
import type { Day } from '../time/day.ts'

/** Nothing of a medicine for so many days, and it begins anew. */
export const LOOK_BACK_DAYS = 365
/** Whoever has none for more days than this after running out has stopped. */
export const GAP_DAYS = 90

/**
 * How long the supplies of a medicine last, from one of them on: up to running out before the first gap of more than 90 days, early refills
 * used later. Followed no further than a death, a switch with none of the old medicine yet, or the end of the data; and where that comes
 * before the gap is longer than 90 days, no further than running out.
 * @param supplies days of supply, ascending, and how many days each lasts
 * @param last last day of the data: what is had on it counts
 * @param switches days of supply of what replaces the medicine, ascending
 */
export function stayed(
  { day, days }: { readonly day: readonly Day[]; readonly days: readonly number[] },
  first: number,
  { last, died, switches }: { readonly last: Day; readonly died: Day | null; readonly switches: readonly Day[] },
): Followed {
  const on = day[first] as Day
  let latest = on
  /** First day without any left. */
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
  return { days: (stopped ? out : Math.min(lost, out)) - on, stopped }
}
