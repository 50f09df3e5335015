import type { Day } from '../time/day.ts'

/** Share of days covered from which a patient counts as adherent (Pharmacy Quality Alliance, proportion of days covered). */
export const ADHERENT_THRESHOLD = 0.8

/** Whether covered days reach the threshold of the observed ones; in whole numbers, so that exactly 80% is never just below it. */
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

/**
 * The days on which a pair (patient, molecule) is measured: the 365 days to `t`, starting no earlier than the first supply ever
 * seen, ending at `lastObserved` when observation ended before `t`. Null when no day is left.
 * @reference
 */
export function adherenceWindow(firstSupply: Day, t: Day, lastObserved: Day | null = null): Window | null {
  const from = Math.max(t - (WINDOW_DAYS - 1), firstSupply)
  const to = lastObserved === null ? t : Math.min(t, lastObserved)
  return from > to ? null : { from, to }
}

/** First date from which supplies are read for a window; earlier ones carry nothing in. */
export function carryInFrom(windowFrom: Day): Day {
  return windowFrom - CARRY_IN_DAYS
}

/**
 * Whether a pair can be measured at `t`: first supply at least 90 days back, and supplies made here on at least 2 different
 * days of its window. What only carries in, and what was supplied elsewhere, does not count.
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
 * Whether a patient has had no supply at all for 180 days at `t`; inactive patients are left out of adherence.
 * @reference
 */
export function isInactive(lastSupplyOfAny: Day, t: Day): boolean {
  return t - lastSupplyOfAny >= INACTIVE_DAYS
}

export interface MoleculeSupply {
  readonly date: Day
  /** ATC code, five levels where known. */
  readonly atc: string
  /** Active ingredients joined by ' + '. */
  readonly molecule: string
}

const sameName = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase()

/** Whether a supply of `next` replaces the molecule `old`: another molecule of the same ATC level 4, or a combination containing it. */
export function replaces(next: Omit<MoleculeSupply, 'date'>, old: Omit<MoleculeSupply, 'date'>): boolean {
  if (sameName(next.molecule, old.molecule) || (next.atc.length === 7 && next.atc === old.atc)) return false
  const sameLevel4 = old.atc.length >= 5 && next.atc.slice(0, 5) === old.atc.slice(0, 5)
  const parts = next.molecule.split('+')
  return sameLevel4 || (parts.length > 1 && parts.some((part) => sameName(part, old.molecule)))
}

/**
 * The day a patient moved to another medicine: the first supply that replaces the old molecule after the last supply of
 * it, up to `t`. Null when there was no switch. `others` are the patient's supplies of other molecules, in any order.
 *
 * @reference
 */
export function switchDay(
  old: Omit<MoleculeSupply, 'date'>,
  oldLastSupply: Day,
  others: readonly MoleculeSupply[],
  t: Day,
): Day | null {
  let first: Day | null = null
  for (const other of others) {
    if (other.date <= oldLastSupply || other.date > t || !replaces(other, old)) continue
    if (first === null || other.date < first) first = other.date
  }
  return first
}

/**
 * The days on which a pair is closed: after each recorded cessation, from the next day to the day before the next supply,
 * which opens it again; without one for good (to Infinity). A cessation before the first supply closes nothing. In order, none overlapping.
 * Closed days are neither observed nor covered.
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

export interface Ending {
  /** Day of death. */
  readonly died?: Day | null
  /** Day of the first supply of the medicine that replaced it. */
  readonly switched?: Day | null
}

/**
 * Last day a pair is observed, or null when nothing ends it: the day of death, or the day before the new medicine at a
 * switch; the earlier of them. Cessations close days and may be undone (closedDays).
 *
 * @reference
 */
export function lastObservedDay({ died, switched }: Ending): Day | null {
  const ends: Day[] = []
  if (died != null) ends.push(died)
  if (switched != null) ends.push(switched - 1)
  return ends.length === 0 ? null : Math.min(...ends)
}
