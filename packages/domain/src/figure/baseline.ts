/** With fewer measured pairs (patient, molecule) a cell has no performance. */
export const MIN_PERFORMANCE_PAIRS = 10
/** Share of the period's business days that a pharmacy's uploads must cover to enter the product average. */
export const MIN_UPLOAD_COVERAGE = 0.9

/** Change against the prior span as a fraction: (current - prior) / prior. Null when either is missing or prior is 0. */
export function rateOfChange(current: number | null | undefined, prior: number | null | undefined): number | null {
  if (current == null || prior == null || prior === 0) return null
  return (current - prior) / Math.abs(prior)
}

/** numerator / denominator; null when the denominator is 0, never 0. */
export function ratio(numerator: number, denominator: number): number | null {
  return denominator === 0 ? null : numerator / denominator
}

/**
 * How far a cell's ratio is from the product average for the same subcategory: value / average - 1, as a fraction
 * (.63 against .60 is +.05). Null under 10 measured pairs or when either is missing.
 */
export function performance(value: number | null, average: number | null, pairs: number): number | null {
  if (value === null || average === null || average === 0 || pairs < MIN_PERFORMANCE_PAIRS) return null
  return value / average - 1
}

export interface CellSums {
  readonly revenue: number
  readonly scripts: number
  /** Scripts of measured pairs, and of those with at least 80% of days covered. */
  readonly measuredScripts: number
  readonly adherentScripts: number
  readonly here: number
  readonly leaked: number
}

export interface AverageCell {
  readonly revenue: number
  readonly scripts: number
  readonly adherentPercent: number | null
  readonly loyaltyPercent: number | null
}

/** Average of pharmacies: mean per pharmacy for money and counts, pooled ratios. Null without pharmacies. */
export function averageOf(pharmacies: readonly CellSums[]): AverageCell | null {
  const count = pharmacies.length
  if (count === 0) return null
  const sum = (field: keyof CellSums) => pharmacies.reduce((total, pharmacy) => total + pharmacy[field], 0)
  const here = sum('here')
  return {
    revenue: sum('revenue') / count,
    scripts: sum('scripts') / count,
    adherentPercent: ratio(sum('adherentScripts'), sum('measuredScripts')),
    loyaltyPercent: ratio(here, here + sum('leaked')),
  }
}
