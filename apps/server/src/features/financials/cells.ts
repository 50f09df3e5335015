import type { Cell, Share } from '@pillar/contract/figure'
import type { AverageCell } from '@pillar/domain/average/average-period'
import { performance, ratio } from '@pillar/domain/figure/baseline'
import { MIN_SHARE_N, wilson } from '@pillar/domain/figure/interval'

/** The sums a cell is calculated from. Money in cents. */
export interface CellSums {
  script_count: number
  revenue_cents: number
  measured_pairs: number
  measured_scripts: number
  adherent_scripts: number
  here_slots: number
  leaked_slots: number
}

/** Adds sums; `minus` subtracts the second from the first. Written out field by field because a table adds thousands of them. */
export function addSums(a: CellSums, b: CellSums, sign: 1 | -1 = 1): CellSums {
  return {
    script_count: a.script_count + sign * b.script_count,
    revenue_cents: a.revenue_cents + sign * b.revenue_cents,
    measured_pairs: a.measured_pairs + sign * b.measured_pairs,
    measured_scripts: a.measured_scripts + sign * b.measured_scripts,
    adherent_scripts: a.adherent_scripts + sign * b.adherent_scripts,
    here_slots: a.here_slots + sign * b.here_slots,
    leaked_slots: a.leaked_slots + sign * b.leaked_slots,
  }
}

export const NO_SUMS: CellSums = {
  script_count: 0,
  revenue_cents: 0,
  measured_pairs: 0,
  measured_scripts: 0,
  adherent_scripts: 0,
  here_slots: 0,
  leaked_slots: 0,
}

/**
 * Rounds the bound of an interval to 6 decimals: with 4, which screens round again to a tenth of a percent, one in twenty would be a tenth
 * off.
 */
export const toBound = (value: number) => Math.round(value * 1_000_000) / 1_000_000

/** An amount in cents, possibly a mean, as currency to the cent. */
export const money = (cents: number) => Math.round(cents) / 100

/** A count, possibly a mean or an estimate, to 2 decimals. */
export const to2 = (count: number) => Math.round(count * 100) / 100

/** A share of `n` observations with its 95% interval; all null under 10 observations or with nothing to divide by. */
export function shareOf(part: number, whole: number, n: number): Share {
  const value = valueIn(part, whole, n)
  if (value === null) return { value, n, low: null, high: null }
  const { low, high } = wilson(value, n)
  return { value, n, low: toBound(low), high: toBound(high) }
}

/** A share without its interval; null exactly when `shareOf` is. */
const valueIn = (part: number, whole: number, n: number) => (n < MIN_SHARE_N ? null : ratio(part, whole))

/** Only the value of `adherenceOf`, and of `loyaltyOf`: a table has ten thousand changes. */
export const adherenceValue = (sums: CellSums) =>
  valueIn(sums.adherent_scripts, sums.measured_scripts, sums.measured_pairs)
export const loyaltyValue = ({ here_slots, leaked_slots }: CellSums) =>
  valueIn(here_slots, here_slots + leaked_slots, here_slots + leaked_slots)

/** Share of the scripts of measured pairs that belong to pairs at 80% or more; based on the number of pairs. */
export const adherenceOf = (sums: CellSums) =>
  shareOf(sums.adherent_scripts, sums.measured_scripts, sums.measured_pairs)

/** Share of prescription slots dispensed here; based on the number of slots. */
function loyaltyOf(sums: CellSums): Share {
  const slots = sums.here_slots + sums.leaked_slots
  return shareOf(sums.here_slots, slots, slots)
}

/**
 * A cell from its sums. Ratios are pooled; `pharmacies` divides counts and money into a mean (1 for a sum). Performances compare with the
 * product average's own share of the same subcategory; null if that is hidden or small.
 */
export function cellOf(sums: CellSums, average: AverageCell | null, pharmacies = 1): Cell {
  const adherence = adherenceOf(sums)
  const loyalty = loyaltyOf(sums)
  const pairs = sums.measured_pairs
  return {
    revenue_value: money(sums.revenue_cents / pharmacies),
    script_count: to2(sums.script_count / pharmacies),
    adherent_script_percent: adherence.value,
    adherence_n: adherence.n,
    adherence_low: adherence.low,
    adherence_high: adherence.high,
    adherence_performance: performance(adherence.value, average?.adherent_script_percent ?? null, pairs),
    loyalty_script_percent: loyalty.value,
    loyalty_n: loyalty.n,
    loyalty_low: loyalty.low,
    loyalty_high: loyalty.high,
    loyalty_performance: performance(loyalty.value, average?.loyalty_script_percent ?? null, pairs),
  }
}
