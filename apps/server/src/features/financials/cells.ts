import type { Cell } from '@pillar/contract/financials'
import { performance, ratio } from '@pillar/domain/figure/baseline'

/** The sums a cell is divided out of. Money in cents. */
export interface CellSums {
  script_count: number
  revenue_cents: number
  measured_pairs: number
  measured_scripts: number
  adherent_scripts: number
  here_slots: number
  leaked_slots: number
}

/** Adds sums up; `minus` subtracts the second from the first. Written out: a table adds thousands of them. */
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

/** Share of the scripts of measured pairs that belong to pairs at 80% or more. */
export const adherenceOf = (sums: CellSums) => ratio(sums.adherent_scripts, sums.measured_scripts)
/** Share of prescription slots dispensed here. */
export const loyaltyOf = (sums: CellSums) => ratio(sums.here_slots, sums.here_slots + sums.leaked_slots)

/**
 * A cell from its sums. Ratios are pooled; `pharmacies` divides counts and money into a mean (1 for a sum).
 * Performances compare with the product average's sums for the same subcategory; null where that is hidden or small.
 */
export function cellOf(sums: CellSums, baseline: CellSums | null, pharmacies = 1): Cell {
  const adherent = adherenceOf(sums)
  const loyal = loyaltyOf(sums)
  const against = (value: number | null, average: (sums: CellSums) => number | null) =>
    baseline ? performance(value, average(baseline), sums.measured_pairs) : null
  return {
    revenue_value: sums.revenue_cents / 100 / pharmacies,
    script_count: sums.script_count / pharmacies,
    adherent_script_percent: adherent,
    adherence_performance: against(adherent, adherenceOf),
    loyalty_script_percent: loyal,
    loyalty_performance: against(loyal, loyaltyOf),
  }
}
