import { addMonths, type Day, fromYmd, toYmd } from '../time/day.ts'
import type { Span } from '../time/period.ts'

/**
 * The days that 60-day figures are counted over: the 12 calendar months before the one that `today` is in, or a calendar year pinned by
 * whoever runs Pillar (such as 2022, the last year before the policy).
 */
export function baseOf(today: Day, pinnedYear: number | null): Span {
  if (pinnedYear !== null) return { from: fromYmd(pinnedYear, 1, 1), to: fromYmd(pinnedYear, 12, 31) }
  const { year, month } = toYmd(today)
  const first = fromYmd(year, month, 1)
  return { from: addMonths(first, -12), to: first - 1 }
}

/** Days after the base's end from which its figures are written down for the Guild: late uploads of the last month are in by then. */
export const PUBLISHED_AFTER_DAYS = 8

/** For how many days more they wait for pharmacies whose sums cannot be worked out; then they are written without those. */
export const WAITS_FOR_SUMS_DAYS = 7
