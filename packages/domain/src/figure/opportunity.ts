export interface OpportunityInput {
  /** Days covered and observed of the measured pairs, summed. */
  readonly coveredDays: number
  readonly observedDays: number
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
  /** Fraction 0..1, null when nothing is measured. */
  readonly currentAdherence: number | null
  readonly totalScripts: number
  readonly currentRevenue: number
  readonly potentialAdherence: number | null
  readonly potentialScripts: number
  readonly potentialRevenue: number
}

/**
 * What a change of adherence or price would bring. A = covered / observed days; A' = A + points, within 0..1; scripts of
 * measured pairs scale by A'/A; revenue = scripts x (revenue per script + price change, not below 0). A null or 0 leaves
 * the adherence part out. Nothing is rounded here. (Own formula, docs/metrics.md.)
 */
export function opportunity(input: OpportunityInput): Opportunity {
  const { coveredDays, observedDays, measuredScripts, totalScripts, revenue } = input
  const current = observedDays > 0 ? coveredDays / observedDays : null
  const potential = current ? Math.min(1, Math.max(0, current + input.adherenceAdjustment / 100)) : current
  const growth = current && potential !== null ? potential / current : 1
  const potentialScripts = totalScripts - measuredScripts + measuredScripts * growth
  const price = totalScripts > 0 ? Math.max(0, revenue / totalScripts + input.priceAdjustment) : 0
  return {
    currentAdherence: current,
    totalScripts,
    currentRevenue: revenue,
    potentialAdherence: potential,
    potentialScripts,
    potentialRevenue: potentialScripts * price,
  }
}
