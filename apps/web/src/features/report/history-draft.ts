import type { report } from '@pillar/contract/message/report'
import type { ReplyOf } from '@pillar/contract/wire/call'
import { historyDaysProblems } from '@pillar/domain/report/history-report'
import { problemSentence } from '@pillar/domain/text/sentence'
import { type Day, day } from '@pillar/domain/time/day'

export type ReportPharmacy = ReplyOf<typeof report.contacts>['pharmacies'][number]

/** Shown for a pharmacy without a contact. */
export const NO_CONTACT = 'No Contact Set'

export type HistoryValues = { from: string; to: string; ids: string[] }

/** What is wrong with the form's days. */
export function daysProblems({ from, to }: Pick<HistoryValues, 'from' | 'to'>, today: Day) {
  return historyDaysProblems(from === '' ? null : day(from), to === '' ? null : day(to), today)
}

/** Why no report can be made yet; empty when it can. */
export function blockedBy(values: HistoryValues, today: Day, nobody: boolean): string {
  if (nobody) return 'None of the pharmacies has a contact set'
  const dates = problemSentence(daysProblems(values, today))
  if (dates !== '') return dates
  return values.ids.length === 0 ? 'Select a pharmacy with a contact first' : ''
}
