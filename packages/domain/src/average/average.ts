/** What a figure must be based on: this many pharmacies, of this many companies, none of which has more than this share. */
export interface Safety {
  readonly pharmacies: number
  readonly companies: number
  readonly share: number
}
/** For everything the product average shows. */
export const SHOWN: Safety = { pharmacies: 5, companies: 3, share: 0.5 }
/** For what is not shown but can be derived: loyalty reveals slots leaked. The largest company's amount stays uncertain by at least a quarter. */
export const IMPLIED: Safety = { pharmacies: 3, companies: 3, share: 0.8 }

/** One company's contribution to a figure: an amount, and how many of its pharmacies have any of it. */
export interface Holding {
  readonly company: number
  readonly amount: number
  readonly pharmacies: number
}
/** How one figure of a cell, such as its scripts, is split between the companies behind it. */
export type Measure = readonly Holding[]

/**
 * Whether a figure gives nobody away: it is empty, or enough pharmacies of enough companies contribute and none too much. A negative amount
 * (refunds) counts by its size.
 */
export function isSafe(measure: Measure, safety: Safety = SHOWN): boolean {
  let [whole, largest, pharmacies, companies] = [0, 0, 0, 0]
  for (const holding of measure) {
    const size = Math.abs(holding.amount)
    if (size === 0) continue
    whole += size
    largest = Math.max(largest, size)
    pharmacies += holding.pharmacies
    companies += 1
  }
  if (whole === 0) return true
  return pharmacies >= safety.pharmacies && companies >= safety.companies && largest <= whole * safety.share
}

/**
 * Whether pharmacies may enter a period together: without any one company's, in case it is the one asking, at least 5 pharmacies of 3 companies
 * must be left.
 * @param pharmacies the number of pharmacies of each company
 */
export function isGroup(pharmacies: readonly number[]): boolean {
  const companies = pharmacies.filter((count) => count > 0)
  const whole = companies.reduce((sum, count) => sum + count, 0)
  return companies.length > SHOWN.companies && whole - Math.max(0, ...companies) >= SHOWN.pharmacies
}

// Raises an exact half that floating point left a hair below itself, and changes nothing else.
const HAIR = 1 + 1e-14

/** A figure as the average shows it, to three significant digits, halves rounded away from zero. Null stays null. */
export function threeDigits(value: number | null): number | null {
  return value === null ? null : Number((value * HAIR).toPrecision(3))
}
