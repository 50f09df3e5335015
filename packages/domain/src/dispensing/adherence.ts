import type { Day } from '../time/day.ts'

/** Share of days covered from which a patient counts as adherent (Pharmacy Quality Alliance, proportion of days covered). */
export const ADHERENT_THRESHOLD = 0.8

/** Whether covered days reach the threshold of observed days; in whole numbers, so that exactly 80% is never just below it. */
export function isAdherent(covered: number, observed: number): boolean {
  return covered * 10 >= observed * (ADHERENT_THRESHOLD * 10)
}

/** Longest window, in days, ending at `t`. */
export const WINDOW_DAYS = 365
/** Supplies up to this many days before the window still carry days into it. */
export const CARRY_IN_DAYS = 365
/** The first supply must lie at least this many days before `t`. */
export const MIN_DAYS_SINCE_FIRST = 90
/** Supplies made here on at least this many different days of the window. */
export const MIN_SUPPLY_DAYS = 2
/** A patient without any supply for this many days is inactive. */
export const INACTIVE_DAYS = 180

export const LEVEL_NAMES = { 1: 'Very Poor', 2: 'Poor', 3: 'Average', 4: 'Good', 5: 'Strong' } as const
export type Level = keyof typeof LEVEL_NAMES

/** Lowest value of each level, highest level first; "Good" begins at the adherent threshold. Loyalty uses the same cuts. */
export const LEVEL_CUTS: readonly (readonly [level: Level, from: number])[] = [
  [5, 0.9],
  [4, ADHERENT_THRESHOLD],
  [3, 0.6],
  [2, 0.4],
  [1, 0],
]

/** Level 1..5 of a fraction 0..1; null stays null (unmeasured). */
export function levelOf(value: number | null): Level | null {
  if (value === null) return null
  return LEVEL_CUTS.find(([, from]) => value >= from)?.[0] ?? 1
}

export interface Window {
  /** First observed day. */
  readonly from: Day
  /** Last observed day. */
  readonly to: Day
}

/** First date from which supplies are read for a window; earlier ones carry nothing in. */
export function carryInFrom(windowFrom: Day): Day {
  return windowFrom - CARRY_IN_DAYS
}

/**
 * Whether a pair can be measured at `t`: first supply at least 90 days back, and supplies made here on at least 2 different
 * days of its window. Supplies that only carry in, and those made elsewhere, do not count.
 * @param supplied days of the supplies made here, in any order
 *
 * @reference
 */
export function measurable(firstSupply: Day, supplied: readonly Day[], t: Day): boolean {
  const from = Math.max(t - (WINDOW_DAYS - 1), firstSupply)
  const days = new Set(supplied.filter((day) => day >= from && day <= t))
  return firstSupply <= t - MIN_DAYS_SINCE_FIRST && days.size >= MIN_SUPPLY_DAYS
}

/**
 * The days on which a pair is closed: from the day after each recorded cessation to the day before the next supply, which opens it again; without
 * one, for good (to Infinity). A cessation before the first supply closes nothing. In order, without overlaps. Closed days are neither observed
 * nor covered.
 * @param supplied days of all the pair's supplies, made here or elsewhere, in any order
 */
export function closedDays(cessations: readonly Day[], supplied: readonly Day[]): Window[] {
  const ordered = supplied.toSorted((a, b) => a - b)
  const closed: Window[] = []
  for (const ceased of cessations.toSorted((a, b) => a - b)) {
    const next = ordered.find((day) => day > ceased) ?? Number.POSITIVE_INFINITY
    const known = closed.at(-1)?.to === next - 1
    if (ordered[0] !== undefined && ordered[0] <= ceased && ceased + 1 < next && !known)
      closed.push({ from: ceased + 1, to: next - 1 })
  }
  return closed
}
