import { addMonths, type Day, fromYmd, toYmd } from '../time/day.ts'
import type { Span } from '../time/period.ts'

/**
 * The days over which 60-day figures are counted: the 12 calendar months before the month of `today`, or a calendar year pinned by the operator
 * (such as 2022, the last year before the policy).
 */
export function baseOf(today: Day, pinnedYear: number | null): Span {
  if (pinnedYear !== null) return { from: fromYmd(pinnedYear, 1, 1), to: fromYmd(pinnedYear, 12, 31) }
  const { year, month } = toYmd(today)
  const first = fromYmd(year, month, 1)
  return { from: addMonths(first, -12), to: first - 1 }
}

/** Days between the base's end and the publication of its figures for the Guild; by then late uploads of the last month are in. */
export const PUBLISHED_AFTER_DAYS = 8

/** For how many days more they wait for pharmacies whose sums cannot be worked out; then they are written without those. */
export const WAITS_FOR_SUMS_DAYS = 7
