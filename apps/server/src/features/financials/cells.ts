import type { Cell } from '@pillar/contract/financials'
import { performance, ratio } from '@pillar/domain/baseline'

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

const FIELDS = [
  'script_count',
  'revenue_cents',
  'measured_pairs',
  'measured_scripts',
  'adherent_scripts',
  'here_slots',
  'leaked_slots',
] as const

/** Adds sums up; `minus` subtracts the second from the first. */
export function addSums(a: CellSums, b: CellSums, sign: 1 | -1 = 1): CellSums {
  return Object.fromEntries(FIELDS.map((field) => [field, a[field] + sign * b[field]])) as unknown as CellSums
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
  return {
    revenue_value: sums.revenue_cents / 100 / pharmacies,
    script_count: sums.script_count / pharmacies,
    adherent_script_percent: adherent,
    adherence_performance: baseline ? performance(adherent, adherenceOf(baseline), sums.measured_pairs) : null,
    loyalty_script_percent: loyal,
    loyalty_performance: baseline ? performance(loyal, loyaltyOf(baseline), sums.measured_pairs) : null,
  }
}
