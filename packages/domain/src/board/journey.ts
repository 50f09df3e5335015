import { LOOK_BACK_DAYS, stayed } from '../dispensing/persistence.ts'
import type { Followed } from '../figure/kaplan-meier.ts'
import type { Day } from '../time/day.ts'

/** One supply of a product to a person, within one class. */
export interface Supply {
  /** The product: molecule and brand. */
  readonly product: string
  readonly day: Day
  /** The number of days it lasts. */
  readonly days: number
}

/** A person's first supply of a product: new to the class, or replacing another product in it. */
export interface Arrival {
  readonly to: string
  /** Null if new to the class. */
  readonly from: string | null
  readonly day: Day
}

/** A product last supplied longer ago than this does not count as the one switched from. */
const SWITCH_DAYS = 180

/**
 * The arrivals of one person in one class between two days. New: nothing of the class in the 365 days before. Switched: another product supplied
 * in the 180 days before, and never after. A product added beside another is neither.
 * @param supplies all supplies of the class from 365 days before `from`, in order of day
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
 * How long a person who arrived stays with the product, by the rules of `stayed`. A first supply of another product of the class is a switch;
 * further supplies of a product taken beside it are not.
 * @param last last day of the data
 * @returns null if the data end, or the person dies, before the arrival
 */
export function followed(
  supplies: readonly Supply[],
  arrival: Arrival,
  { last, died }: { readonly last: Day; readonly died: Day | null },
): Followed | null {
  // Nothing dated after a death counts.
  const known = supplies.filter(({ day }) => day >= arrival.day && day <= (died ?? last))
  if (!known.length || arrival.day > last) return null
  const own = known.filter(({ product }) => product === arrival.to)
  const switches = known.filter(
    ({ product, day }) =>
      product !== arrival.to &&
      !supplies.some((one) => one.product === product && one.day < day && one.day >= day - LOOK_BACK_DAYS),
  )
  return stayed({ day: own.map((one) => one.day), days: own.map((one) => one.days) }, 0, {
    ...{ last, died },
    switches: switches.map((one) => one.day),
  })
}
