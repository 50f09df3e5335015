import { addMonths, type Day } from '../time/day.ts'
import { type Level, levelOf } from './adherence.ts'

/** A slot after the highest seen counts as missed this many days after the previous supply runs out. */
export const OVERDUE_DAYS = 14
/** Months from prescribing during which a repeat may be supplied; some states allow 6 for some items. */
export const EXPIRY_MONTHS = 12
/** With fewer scripts than this a patient's loyalty is unmeasured. */
export const MIN_LOYALTY_SCRIPTS = 3
/** Leaked and own slots count when dated within this many days ending at `t`. */
export const LOYALTY_DAYS = 365

/** `unseen`: dated before the pharmacy's first day of data, so nobody can tell where it was supplied; it enters no figure. */
export type SlotClass = 'here' | 'leaked' | 'missed' | 'open' | 'unseen'

/** One supply of a prescription seen at this pharmacy. */
export interface SeenSupply {
  /** 1 for the original, 2 for the first repeat. */
  readonly number: number
  readonly date: Day
  /** Days the supply lasts. */
  readonly days: number
}

export interface Prescription {
  /** Null if unknown: then every number seen is believed. */
  readonly repeatsAuthorised: number | null
  readonly prescribedOn: Day | null
  readonly seen: readonly SeenSupply[]
  /** Default 12. */
  readonly expiryMonths?: number
  /** First day of the pharmacy's data; slots before it are unseen. */
  readonly dataFrom?: Day
}

export interface Slot {
  readonly number: number
  readonly class: SlotClass
  /** Supply day for `here`, estimated day for `leaked`, due day for the others; null if nothing was seen. */
  readonly date: Day | null
}

/**
 * Supply number from repeats authorised R and repeats left after this supply: k = R - left + 1. Null when they contradict each other.
 *
 * @reference
 */
export function supplyNumber(repeatsAuthorised: number, repeatsLeft: number): number | null {
  const number = repeatsAuthorised - repeatsLeft + 1
  return repeatsLeft >= 0 && number >= 1 ? number : null
}

/**
 * Every slot 1..R+1 of one prescription, in one class as of `t`: here (supplied by this pharmacy), leaked (below the
 * highest seen and not here), missed (after it, 14 days past run-out, script unexpired), open (not due, or expired), unseen
 * (below the highest seen, but dated before the first day of data: a history that begins midway has not leaked anything).
 * A number seen beyond R+1 contradicts the prescription and shows nothing. If a number is seen twice the earlier
 * supply counts.
 * @reference
 */
export function slotsOf(prescription: Prescription, t: Day): Slot[] {
  const authorised = (prescription.repeatsAuthorised ?? Number.POSITIVE_INFINITY) + 1
  const seen = firstSeen(prescription.seen, t, authorised)
  const count = prescription.repeatsAuthorised === null ? (seen.at(-1)?.number ?? 0) : authorised
  const slots: Slot[] = []
  for (let number = 1; number <= count; number++) slots.push(slotAt(number, seen, prescription, t))
  return slots
}

function firstSeen(supplies: readonly SeenSupply[], t: Day, highest: number): SeenSupply[] {
  const byNumber = new Map<number, SeenSupply>()
  for (const supply of supplies) {
    const held = byNumber.get(supply.number)
    if (supply.date <= t && supply.number >= 1 && supply.number <= highest && (!held || supply.date < held.date))
      byNumber.set(supply.number, supply)
  }
  return [...byNumber.values()].sort((a, b) => a.number - b.number)
}

function slotAt(number: number, seen: readonly SeenSupply[], prescription: Prescription, t: Day): Slot {
  const before = seen.findLast((supply) => supply.number <= number)
  const after = seen.find((supply) => supply.number > number)
  if (before?.number === number) return { number, class: 'here', date: before.date }
  if (after) {
    const date = leakedDate(number, before, after)
    return { number, class: date < (prescription.dataFrom ?? date) ? 'unseen' : 'leaked', date }
  }
  if (!before) return { number, class: 'open', date: null }
  const due = before.date + before.days * (number - before.number)
  const runOut = due - 1
  const expired = isExpired(prescription, t)
  return { number, class: t > runOut + OVERDUE_DAYS && !expired ? 'missed' : 'open', date: due }
}

/**
 * Estimated day of a leaked slot: on the straight line between the seen neighbours, truncated to whole days; before the first
 * seen, stepping back by that supply's days. Whole-number division, so that SQL gives the same day.
 */
export function leakedDate(number: number, before: SeenSupply | undefined, after: SeenSupply): Day {
  if (!before) return after.date - (after.number - number) * after.days
  const share = (after.date - before.date) * (number - before.number)
  return before.date + Math.trunc(share / (after.number - before.number))
}

/** Whether a prescription can no longer be supplied at `t`; unknown dates never expire. */
export function isExpired(prescription: Pick<Prescription, 'prescribedOn' | 'expiryMonths'>, t: Day): boolean {
  const { prescribedOn, expiryMonths = EXPIRY_MONTHS } = prescription
  return prescribedOn !== null && t > addMonths(prescribedOn, expiryMonths)
}

export interface LoyaltyCounts {
  readonly here: number
  readonly leaked: number
}

/** A patient's loyalty: 1 - leaked / (here + leaked); null under 3 scripts. */
export function loyalty({ here, leaked }: LoyaltyCounts): number | null {
  // here / total instead of 1 - leaked / total: 4 of 5 must be exactly .8, but 1 - 1/5 may fall just below a level.
  return here + leaked < MIN_LOYALTY_SCRIPTS ? null : here / (here + leaked)
}

/**
 * Level 1..5 of a patient's loyalty, with the adherence thresholds.
 * @reference
 */
export function loyaltyLevel(counts: LoyaltyCounts): Level | null {
  return levelOf(loyalty(counts))
}
