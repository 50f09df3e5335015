import { MIN_SHARE_N } from './interval.ts'

/** The most by which scripts of measured pairs may grow: no larger growth has been seen. */
export const MAX_GROWTH = 2

export interface OpportunityInput {
  /** Days covered and observed of the measured pairs, summed. */
  readonly coveredDays: number
  readonly observedDays: number
  /** The number of those pairs; under 10 the sums say nothing. */
  readonly measuredPairs: number
  /** Scripts of measured pairs (M): only these grow with adherence. */
  readonly measuredScripts: number
  /** All scripts of the subcategory (S). */
  readonly totalScripts: number
  /** Revenue of all scripts, in currency (R). */
  readonly revenue: number
  /** Signed percentage points; 0 when the toggle is off. */
  readonly adherenceAdjustment: number
  /** Signed currency per script; 0 when the toggle is off. */
  readonly priceAdjustment: number
}

export interface Opportunity {
  /** Fraction 0..1; null if too few pairs are measured or none of their days is covered. Adherence then changes nothing. */
  readonly currentAdherence: number | null
  readonly totalScripts: number
  readonly currentRevenue: number
  readonly potentialAdherence: number | null
  readonly potentialScripts: number
  readonly potentialRevenue: number
  /** Whether the requested growth was more than double, and was capped. */
  readonly growthCapped: boolean
}

/**
 * The value of a change in adherence or price. A = covered / observed days; A' = A + points, within 0..1; scripts of
 * measured pairs scale by A'/A, at most doubling; revenue = scripts x (revenue per script + price change, not below 0).
 * Without an A of at least 10 pairs, or at 0, the adherence part is left out. Nothing is rounded here. (Own formula,
 * docs/metrics.md.)
 */
export function opportunity(input: OpportunityInput): Opportunity {
  const { coveredDays, observedDays, measuredPairs, measuredScripts, totalScripts, revenue } = input
  const known = measuredPairs >= MIN_SHARE_N && observedDays > 0 && coveredDays > 0
  const current = known ? coveredDays / observedDays : null
  const potential = current === null ? null : Math.min(1, Math.max(0, current + input.adherenceAdjustment / 100))
  const growth = current === null || potential === null ? 1 : potential / current
  const potentialScripts = totalScripts - measuredScripts + measuredScripts * Math.min(MAX_GROWTH, growth)
  const price = totalScripts > 0 ? Math.max(0, revenue / totalScripts + input.priceAdjustment) : 0
  return {
    currentAdherence: current,
    totalScripts,
    currentRevenue: revenue,
    potentialAdherence: potential,
    potentialScripts,
    potentialRevenue: potentialScripts * price,
    growthCapped: growth > MAX_GROWTH,
  }
}
