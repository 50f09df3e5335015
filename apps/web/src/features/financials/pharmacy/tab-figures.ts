import { TOTAL } from '@pillar/domain/dispensing/category'
import type { FigureKey } from '@pillar/domain/figure/figure-list'
import type { Figures } from '../../../kit/chart/csv.ts'
import type { Tab } from './pharmacy-search.ts'
import { type DrugTypesReply, figureNamed, type PharmacyReply } from './pharmacy-words.ts'

/** Counts of patients, never people; the first is the sum of the next four. */
export const PATIENT_FIGURES = [
  ...['patients', 'new_patients', 'returning_patients', 'retained_patients', 'unplaced_patients', 'lapsed_patients'],
  ...['molecules_per_patient', 'lapsed_pair_patients', 'repeats_due', 'repeats_missed'],
] as const as readonly FigureKey[]

/** A tab's content as rows for a file; persistence has its own file at its chart. */
export function tabFigures(tab: Tab, reply: PharmacyReply, types: DrugTypesReply | undefined): Figures | null {
  if (tab === 'drug-types') return types ? drugTypeFigures(types) : null
  if (tab === 'patients') {
    const rows = PATIENT_FIGURES.map((key) => figureNamed(reply, key))
    return {
      heads: ['Figure', 'Value', 'Change'],
      rows: rows.flatMap((row) => (row ? [[row.title, row.value, row.change]] : [])),
    }
  }
  if (tab === 'campaigns') {
    return {
      heads: ['Campaign', 'Active', 'From', 'To', 'Texts delivered', 'Emails delivered', 'Patients reached', 'Cost'],
      rows: reply.campaigns.map((row) => [
        ...[row.name, row.active ? 'yes' : 'no', row.start_date, row.end_date],
        ...[row.sms, row.email, row.reach, row.cost],
      ]),
    }
  }
  if (tab === 'uploads') {
    return {
      heads: ['Received (UTC)', 'Source', 'State', 'From', 'To', 'Rows', 'Faulty rows', 'Note'],
      rows: reply.uploads.map((row) => [
        ...[row.received, row.source, row.state, row.from, row.to],
        ...[row.rows, row.faulty, row.note],
      ]),
    }
  }
  return null
}

const drugTypeFigures = ({ rows }: DrugTypesReply): Figures => ({
  heads: ['Drug type', 'Revenue', 'Change', 'Scripts', 'Adherence', 'Measured', 'Group', 'Opportunity'],
  rows: rows.map((row) => [
    ...[row.name === TOTAL ? 'All drug types' : row.name, row.revenue, row.change, row.scripts],
    ...[row.adherence.value, row.adherence.n, row.group.value, row.opportunity],
  ]),
})
