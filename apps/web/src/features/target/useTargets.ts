import { type Target, target } from '@pillar/contract/target'
import type { TargetFigure } from '@pillar/domain/target/target'
import type { PeriodChoice } from '@pillar/domain/time/period'
import { useRead } from '../../api/client.ts'

/**
 * The targets of a period, by figure: of the whole company, or of one pharmacy.
 * @param pharmacyId null for the company; undefined while what is shown is neither, and then there are none
 */
export function useTargets(
  choice: PeriodChoice,
  pharmacyId: string | null | undefined,
): Partial<Record<TargetFigure, Target>> {
  const asked = { ...choice, pharmacy_id: pharmacyId ?? null }
  const { data } = useRead(target.list, asked, { enabled: pharmacyId !== undefined })
  if (!data || pharmacyId === undefined) return {}
  return Object.fromEntries(data.targets.map((one) => [one.figure, one]))
}

/**
 * The monthly targets of a figure as a line of a chart: one value a month, null where none is set.
 * @param months such as '2026-11', in the chart's order
 */
export function useTargetLine(
  figure: TargetFigure,
  pharmacyId: string | null,
  months: readonly string[],
): (number | null)[] {
  const { data } = useRead(target.line, { figure, pharmacy_id: pharmacyId })
  const byMonth = new Map(data?.months.map((one) => [one.month, one.target]))
  return months.map((month) => byMonth.get(month) ?? null)
}
