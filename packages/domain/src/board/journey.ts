import { GAP_DAYS, LOOK_BACK_DAYS } from '../dispensing/persistence.ts'
import type { Day } from '../time/day.ts'

/** One supply of a product to somebody, within one class. */
export interface Supply {
  /** The product: molecule and brand. */
  readonly product: string
  readonly day: Day
  /** Days it lasts. */
  readonly days: number
}

/** Somebody's first supply of a product: new to the class, or in place of another product of it. */
export interface Arrival {
  readonly to: string
  /** Null when new to the class. */
  readonly from: string | null
  readonly day: Day
}

/** What was last supplied so long ago is not what somebody switches from. */
const SWITCH_DAYS = 180

/**
 * The arrivals of one person in one class between two days. New: nothing of the class in the 365 days before. Switched: another product
 * supplied in the 180 days before, and never after. A product added beside another one is neither.
 * @param supplies all of the class from 365 days before `from`, in order of day
 */
export function arrivalsOf(supplies: readonly Supply[], from: Day, to: Day): Arrival[] {
  const arrivals: Arrival[] = []
  for (const [at, { product, day }] of supplies.entries()) {
    if (day < from || day > to) continue
    const before = supplies.slice(0, at).filter((one) => one.day >= day - LOOK_BACK_DAYS)
    if (before.some((one) => one.product === product)) continue
    // Two products begun on one day are both new.
    const earlier = before.filter((one) => one.day < day)
    if (earlier.length === 0) {
      arrivals.push({ to: product, from: null, day })
      continue
    }
    const left = earlier.findLast(
      (one) =>
        one.day >= day - SWITCH_DAYS && !supplies.some((later) => later.day >= day && later.product === one.product),
    )
    if (left) arrivals.push({ to: product, from: left.product, day })
  }
  return arrivals
}

/**
 * How long somebody who arrived stays with the product: up to running out before the first gap of more than 90 days. What is fetched early
 * is used later. Followed no further than a switch to another product of the class, death, or the end of the data.
 * @param end last day known of
 */
export function followed(
  supplies: readonly Supply[],
  arrival: Arrival,
  end: Day,
): { days: number; stopped: boolean } | null {
  if (arrival.day > end) return null
  const own = supplies.filter((one) => one.product === arrival.to && one.day >= arrival.day && one.day <= end)
  let runsOut = arrival.day
  for (const { day, days } of own) {
    if (day - runsOut > GAP_DAYS) return ended(supplies, arrival, runsOut, end, true)
    runsOut = Math.max(runsOut, day) + days
  }
  return ended(supplies, arrival, runsOut, end, end - runsOut > GAP_DAYS)
}

function ended(supplies: readonly Supply[], arrival: Arrival, runsOut: Day, end: Day, stopped: boolean) {
  const switched = supplies.find(
    (one) =>
      one.day > arrival.day &&
      one.day <= Math.min(end, runsOut + GAP_DAYS) &&
      one.product !== arrival.to &&
      !supplies.some((later) => later.product === arrival.to && later.day >= one.day && later.day <= end),
  )
  if (switched) return { days: Math.min(switched.day, end) - arrival.day, stopped: false }
  return stopped ? { days: runsOut - arrival.day, stopped } : { days: Math.min(runsOut, end) - arrival.day, stopped }
}
