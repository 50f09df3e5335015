/** What must stand behind a figure: so many pharmacies, of so many companies, of which none has more than this share. */
export interface Safety {
  readonly pharmacies: number
  readonly companies: number
  readonly share: number
}
/** Behind everything the product average shows. */
export const SHOWN: Safety = { pharmacies: 5, companies: 3, share: 0.5 }
/** Behind what is not shown but follows from it: slots leaked follow from loyalty. The largest company's stays a quarter and more off. */
export const IMPLIED: Safety = { pharmacies: 3, companies: 3, share: 0.8 }

/** What one company brings to a figure: an amount, and how many of its pharmacies have any of it. */
export interface Holding {
  readonly company: number
  readonly amount: number
  readonly pharmacies: number
}
/** How one figure of a cell, such as its scripts, is split between the companies behind it. */
export type Measure = readonly Holding[]

/**
 * Whether a figure gives nobody away: nothing at all, or enough pharmacies of enough companies, none of which has too much. A negative
 * amount (refunds) counts by its size.
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
 * Whether pharmacies may enter a period together: without those of any one company, whoever asks, at least 5 pharmacies of 3 companies
 * are left.
 * @param pharmacies how many each company brings
 */
export function isGroup(pharmacies: readonly number[]): boolean {
  const companies = pharmacies.filter((count) => count > 0)
  const whole = companies.reduce((sum, count) => sum + count, 0)
  return companies.length > SHOWN.companies && whole - Math.max(0, ...companies) >= SHOWN.pharmacies
}

/** A figure as the average shows it: three significant digits. Null stays null. */
export function threeDigits(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(3))
}
