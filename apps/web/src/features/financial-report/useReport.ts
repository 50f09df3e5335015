import { financialReport } from '@pillar/contract/financial-report'
import type { PeriodChoice } from '@pillar/domain/time/period'
import { send } from '../../api/client.ts'
import { useFile } from '../../kit/display/useFile.ts'

interface ReportOf {
  choice: PeriodChoice
  /** The pharmacy it covers; null for the whole company. */
  pharmacyId: string | null
}

/** The one-page report as a file, for a button on any screen. */
export function useReport({ choice, pharmacyId }: ReportOf): { busy: boolean; save: () => void } {
  return useFile(() => send(financialReport.pdf, { ...choice, pharmacy_id: pharmacyId }))
}
