/** Days after the first delivery in which dispenses count; the delivery day is day one. */
export const RESULT_DAYS = 30
/** Fewer controls than this are not a valid comparison. */
export const MIN_CONTROLS = 100
/** Standard normal quantile of a two-sided 95% interval; groups of 100 and more need no t. */
const Z95 = 1.959963984540054

/**
 * Whether a patient is in the holdout: the same answer for the same patient and campaign everywhere. `share` is
 * 0..1, 0 by default (off); never for recall or safety messages. FNV-1a with a final mix, so that neighbouring ids spread evenly.
 */
export function isHeldOut(patientId: string, campaignId: string, share: number): boolean {
  let hash = 0x811c9dc5
  const text = `${campaignId}/${patientId}`
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32 < share
}

/** A group's figures per patient, as SQL sums them: count, sum and sum of squares, in currency. */
export interface Moments {
  readonly n: number
  readonly sum: number
  readonly sumOfSquares: number
}

/**
 * The count, sum and sum of squares of single values.
 * @reference
 */
export function momentsOf(values: readonly number[]): Moments {
  return {
    n: values.length,
    sum: values.reduce((sum, value) => sum + value, 0),
    sumOfSquares: values.reduce((sum, value) => sum + value * value, 0),
  }
}

const mean = ({ n, sum }: Moments) => sum / n
/** Sample variance; rounding in the sums may push it below 0. */
const variance = ({ n, sum, sumOfSquares }: Moments) =>
  n < 2 ? 0 : Math.max(0, (sumOfSquares - sum ** 2 / n) / (n - 1))

export type RevenueMethod = 'holdout' | 'difference_in_differences' | 'run_rate'

/** The methods as screens name them. */
export const METHOD_NAMES: Readonly<Record<RevenueMethod, string>> = {
  holdout: 'Compared with a random group not messaged',
  difference_in_differences: 'Compared with similar patients not messaged',
  run_rate: 'Estimate, compared with the patients’ previous year',
}

export interface CampaignRevenue {
  readonly method: RevenueMethod
  /** Incremental, in currency; may be negative. */
  readonly revenue: number
  /** 95% interval of it; null where the method has none. */
  readonly interval: readonly [low: number, high: number] | null
  /** Revenue / revenue expected without the campaign (attributed - incremental); null when that is not above 0. */
  readonly change: number | null
}

function result(method: RevenueMethod, revenue: number, attributed: number, halfWidth: number | null): CampaignRevenue {
  const expected = attributed - revenue
  return {
    method,
    revenue,
    interval: halfWidth === null ? null : [revenue - halfWidth, revenue + halfWidth],
    change: expected > 0 ? revenue / expected : null,
  }
}

/**
 * Holdout: (mean of treated - mean of withheld) × treated, everyone counted as assigned, windows aligned to the send date. Null with fewer
 * than 100 withheld or none treated. Interval from the two groups' own variances. Source: domain.md section 6.
 */
export function holdoutRevenue(treated: Moments, withheld: Moments): CampaignRevenue | null {
  if (treated.n < 1 || withheld.n < MIN_CONTROLS) return null
  const perPatient = mean(treated) - mean(withheld)
  const error = Math.sqrt(variance(treated) / treated.n + variance(withheld) / withheld.n)
  return result('holdout', perPatient * treated.n, treated.sum, Z95 * error * treated.n)
}

/**
 * Difference in differences: [(T_post - T_pre) - (C_post - C_pre)] × treated, C being patients who pass the filters and were not messaged, pre
 * the same length one year earlier. Takes the moments of each patient's post - pre, and the treated group's attributed revenue. Null under 100 controls.
 */
export function differenceRevenue(
  treatedChange: Moments,
  controlChange: Moments,
  attributed: number,
): CampaignRevenue | null {
  if (treatedChange.n < 1 || controlChange.n < MIN_CONTROLS) return null
  const perPatient = mean(treatedChange) - mean(controlChange)
  const error = Math.sqrt(variance(treatedChange) / treatedChange.n + variance(controlChange) / controlChange.n)
  return result('difference_in_differences', perPatient * treatedChange.n, attributed, Z95 * error * treatedChange.n)
}

/** The best method that gave an answer: holdout, then difference in differences, then run-rate. */
export function bestRevenue(answers: readonly (CampaignRevenue | null)[]): CampaignRevenue | null {
  const order: readonly RevenueMethod[] = ['holdout', 'difference_in_differences', 'run_rate']
  for (const method of order) {
    const found = answers.find((answer) => answer?.method === method)
    if (found) return found
  }
  return null
}

/** (revenue - cost) / cost, both in the same unit; null without cost or revenue; may be negative. */
export function roi(revenue: number | null, cost: number): number | null {
  return revenue === null || cost === 0 ? null : (revenue - cost) / cost
}

/** Ranks 1.. by revenue, highest first; unknown revenue last, ties by name. In the given order. */
export function revenueRanks(rows: readonly { readonly name: string; readonly revenue: number | null }[]): number[] {
  const value = (index: number) => rows[index]!.revenue ?? Number.NEGATIVE_INFINITY
  const order = rows
    .map((_, index) => index)
    .sort((a, b) => {
      if (value(a) !== value(b)) return value(b) > value(a) ? 1 : -1
      return rows[a]!.name < rows[b]!.name ? -1 : rows[a]!.name > rows[b]!.name ? 1 : a - b
    })
  const ranks = rows.map(() => 0)
  order.forEach((index, position) => {
    ranks[index] = position + 1
  })
  return ranks
}
