import { MIN_SHARE_N } from './interval.ts'

/** Share of the period's business days that a pharmacy's uploads must cover to enter the product average. */
export const MIN_UPLOAD_COVERAGE = 0.9

/** Change against the prior span as a fraction: (current - prior) / prior. Null when either is missing or prior is 0. */
export function rateOfChange(current: number | null | undefined, prior: number | null | undefined): number | null {
  if (current == null || prior == null || prior === 0) return null
  return (current - prior) / Math.abs(prior)
}

interface YearBefore {
  /** The sum of every pharmacy that has figures. */
  whole: number
  /** The sums of the pharmacies compared: now, and a year earlier. */
  now: number
  prior: number
  compared: number
  pharmacies: number
}

/** Whether enough pharmacies are compared to draw the year before: at least half. */
export const isDrawn = ({ compared, pharmacies }: Pick<YearBefore, 'compared' | 'pharmacies'>): boolean =>
  compared * 2 >= pharmacies

/**
 * The year-before value drawn beside a sum, in its unit: the same pharmacies' or, if only some are compared, the sum taken back by their change.
 * Null if fewer than half are compared, or they have nothing now to compare.
 */
export function yearBefore({ whole, now, prior, compared, pharmacies }: YearBefore): number | null {
  if (!isDrawn({ compared, pharmacies })) return null
  if (compared === pharmacies) return prior
  return now === 0 ? null : whole * (prior / now)
}

/** numerator / denominator; null when the denominator is 0, never 0. */
export function ratio(numerator: number, denominator: number): number | null {
  return denominator === 0 ? null : numerator / denominator
}

/**
 * Distance of a cell's ratio from the product average for the same subcategory: value / average - 1, as a fraction
 * (.63 against .60 is +.05). Null under 10 measured pairs or when either is missing.
 */
export function performance(value: number | null, average: number | null, pairs: number): number | null {
  if (value === null || average === null || average === 0 || pairs < MIN_SHARE_N) return null
  return value / average - 1
}
