import { toTheCent } from '../figure/money.ts'
import { t975 } from '../figure/student-t.ts'

/** Days after the first delivery in which dispenses count; the delivery day is day one. */
export const RESULT_DAYS = 30
/** Fewer controls than this are not a valid comparison. */
export const MIN_CONTROLS = 100
/** With fewer messaged patients than this no result is shown: a group of 22 once gave −27.0×. */
export const MIN_MESSAGED = 100

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

/** Best method first. */
export const REVENUE_METHODS = ['holdout', 'difference_in_differences', 'run_rate'] as const
export type RevenueMethod = (typeof REVENUE_METHODS)[number]

/** The methods as screens name them. */
export const METHOD_NAMES: Readonly<Record<RevenueMethod, string>> = {
  holdout: 'Compared with a random group not messaged',
  difference_in_differences: 'Compared with similar patients not messaged',
  run_rate: 'Estimate, compared with the patients’ previous year',
}

export interface CampaignRevenue {
  readonly method: RevenueMethod
  /** Incremental revenue in currency; may be negative. */
  readonly revenue: number
  /** 95% interval of the revenue; null where the method has none. */
  readonly interval: readonly [low: number, high: number] | null
  /** Revenue / revenue expected without the campaign (attributed - incremental); null when that is not above 0. */
  readonly change: number | null
  /** The number of messaged patients in the result. */
  readonly messaged: number
  /** The number of patients they are compared with; null where each is compared with their own past year. */
  readonly compared: number | null
}

/** Mean per person of one group minus that of another, in currency, with its 95% interval. */
export interface Difference {
  readonly difference: number
  readonly low: number
  readonly high: number
}

/**
 * The difference of two means and its 95% interval, without assuming equal variances. Each group needs 2 people or more.
 * Source: B. L. Welch, Biometrika 34 (1947) 28-35; degrees of freedom after Welch and Satterthwaite. The same as R's t.test.
 */
export function differenceOfMeans(one: Moments, other: Moments): Difference {
  const difference = mean(one) - mean(other)
  const [a, b] = [variance(one) / one.n, variance(other) / other.n]
  const error = Math.sqrt(a + b)
  // Two groups without any spread have no degrees of freedom, and their difference is certain.
  const half = error === 0 ? 0 : error * t975((a + b) ** 2 / (a ** 2 / (one.n - 1) + b ** 2 / (other.n - 1)))
  return { difference, low: difference - half, high: difference + half }
}

/** The mean per person of a group of 2 or more, in currency, with its 95% interval (Student's t). */
export function meanOf(group: Moments): { mean: number; low: number; high: number } {
  const half = Math.sqrt(variance(group) / group.n) * t975(Math.max(2, group.n - 1))
  return { mean: mean(group), low: mean(group) - half, high: mean(group) + half }
}

/** The result of comparing two groups, for all messaged; null with under 2 of them or too few to compare with. */
function compared(
  method: RevenueMethod,
  treated: Moments,
  others: Moments,
  attributed: number,
): CampaignRevenue | null {
  if (treated.n < 2 || others.n < MIN_CONTROLS) return null
  const { difference, low, high } = differenceOfMeans(treated, others)
  const revenue = difference * treated.n
  const expected = attributed - revenue
  return {
    ...{ method, revenue, interval: [low * treated.n, high * treated.n] },
    change: expected > 0 ? revenue / expected : null,
    ...{ messaged: treated.n, compared: others.n },
  }
}

/**
 * Holdout: (mean of treated - mean of withheld) × treated, everyone counted as assigned, windows aligned to the send date. Null with fewer
 * than 100 withheld. See decision 020.
 */
export function holdoutRevenue(treated: Moments, withheld: Moments): CampaignRevenue | null {
  return compared('holdout', treated, withheld, treated.sum)
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
  return compared('difference_in_differences', treatedChange, controlChange, attributed)
}

/**
 * Run-rate: what was dispensed to the messaged minus what their own past year predicts. No interval, because nobody is compared. Null without people.
 */
export function runRateRevenue(messaged: number, attributed: number, expected: number): CampaignRevenue | null {
  if (messaged === 0) return null
  const revenue = attributed - expected
  const change = expected > 0 ? revenue / expected : null
  return { method: 'run_rate', revenue, interval: null, change, messaged, compared: null }
}

/** Why there is no result: nothing was sent, no sales cover the days after it, or too few patients were messaged. */
export const NO_RESULTS = ['not_started', 'no_data', 'too_few'] as const
export type NoResult = (typeof NO_RESULTS)[number]

/** A result, or why there is none and the number of messaged patients. */
export type CampaignResult =
  | { readonly found: CampaignRevenue; readonly reason: null; readonly messaged: number }
  | { readonly found: null; readonly reason: NoResult; readonly messaged: number }

/** Whether enough patients were messaged to judge the result. */
export const enoughMessaged = (patients: number): boolean => patients >= MIN_MESSAGED

/**
 * The only rule for showing the result of a campaign or period: the best method (holdout, difference in differences, run-rate) with at least 100
 * messaged patients, in whole cents, else the reason why there is none.
 * @param answers the result of each method @param reached patients messaged at all, including those not measured yet
 */
export function resultOf(answers: readonly (CampaignRevenue | null)[], reached: number): CampaignResult {
  const there = answers.filter((answer) => answer !== null)
  for (const method of REVENUE_METHODS) {
    const found = there.find((answer) => answer.method === method && enoughMessaged(answer.messaged))
    if (found) return { found: inCents(found), reason: null, messaged: found.messaged }
  }
  const measured = Math.max(0, ...there.map(({ messaged }) => messaged))
  const messaged = measured > 0 ? measured : reached
  if (messaged === 0) return { found: null, reason: 'not_started', messaged }
  return { found: null, reason: enoughMessaged(messaged) ? 'no_data' : 'too_few', messaged }
}

const inCents = (found: CampaignRevenue): CampaignRevenue => ({
  ...found,
  revenue: toTheCent(found.revenue),
  interval: found.interval && [toTheCent(found.interval[0]), toTheCent(found.interval[1])],
})

/** The evidence behind a result, as on the wire: money in currency. */
export function basisOf({ found, reason, messaged }: CampaignResult) {
  return {
    reason,
    method: found?.method ?? null,
    method_name: found ? METHOD_NAMES[found.method] : null,
    low: found?.interval?.[0] ?? null,
    high: found?.interval?.[1] ?? null,
    n_messaged: messaged,
    n_compared: found?.compared ?? null,
  }
}

/** What an interval shows about an effect: more, less, or no effect that can be told from chance. */
export function effectOf({ low, high }: { readonly low: number; readonly high: number }): 'more' | 'less' | 'chance' {
  return low > 0 ? 'more' : high < 0 ? 'less' : 'chance'
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
