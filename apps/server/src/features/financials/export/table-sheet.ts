import type { Sheet, SheetCell, SheetColumn } from '@pillar/contract/wire/sheet'
import {
  columnLabel,
  isShare,
  NAME_FIELD,
  SHARE_NOUNS,
  STATISTIC_NAMES,
  type Statistic,
  shareOf,
  shareText,
  TOO_FEW,
} from '@pillar/domain/figure/format'
import { LOCALES } from '@pillar/domain/time/locale'
import type { TableAnswer } from '../table-answer.ts'
import { type ExportLine, type ExportView, exportFields, exportLines } from './export-lines.ts'

const KINDS = {
  Revenue: 'money',
  'Number of Scripts': 'count',
  Adherence: 'percent',
  Loyalty: 'percent',
} as const satisfies Record<Statistic, SheetColumn['kind']>

const text = (head: string, width: number): SheetColumn => ({ head, kind: 'text', width })
const date = (head: string): SheetColumn => ({ head, kind: 'date', width: 12 })

/**
 * The table as on screen, for a spreadsheet: the rows, order and columns of the CSV file, with numbers in full precision and real dates. A
 * share based on too few says so in words.
 */
export function tableSheet(table: TableAnswer, view: ExportView): { filename: string; sheet: Sheet } {
  const fields = exportFields(table, view)
  const figures = fields.map((field): SheetColumn => {
    return { head: columnLabel(table.category, field), kind: KINDS[view.statistic], width: 16 }
  })
  const { country } = view
  const { stateName, postcodeName } = LOCALES[country]
  const columns = [
    ...[
      text(columnLabel(table.category, NAME_FIELD), 30),
      ...(stateName ? [text(stateName, 8)] : []),
      text(postcodeName, 10),
    ],
    ...[date('Data from'), date('Data to'), date('Period from'), date('Period to')],
    ...[text('Note', 30), text('Statistic', 34)],
    ...figures,
    ...sureColumns(view, fields, table.category),
  ]
  const rows = exportLines(table, view).map((line) => cellsOf(line, view, fields))
  const sheet = { name: view.statistic, columns, rows, country }
  return { filename: `${table.period.key}_adherence_data.xlsx`, sheet }
}

function cellsOf(line: ExportLine, view: ExportView, fields: readonly string[]): SheetCell[] {
  return [
    ...[
      line.name,
      ...(LOCALES[view.country].stateName ? [line.state] : []),
      line.postcode,
      line.from,
      line.to,
      line.period.from,
      line.period.to,
    ],
    ...[line.note === '' ? null : line.note, STATISTIC_NAMES[view.statistic]],
    ...fields.map((field) => figure(line, view, field)),
    ...sureCells(line, view, fields),
  ]
}

function figure({ cells }: ExportLine, { statistic, country }: ExportView, field: string): SheetCell {
  const cell = cells[field]
  if (!cell) return null
  const share = shareOf(statistic, cell)
  if (share === null) return statistic === 'Revenue' ? cell.revenue_value : cell.script_count
  return shareText(country, share) === TOO_FEW ? TOO_FEW : share.value
}

/** For shares, three more columns for each on screen: the number behind it, and the bounds of its 95% interval. */
function sureColumns({ statistic }: ExportView, fields: readonly string[], category: string): SheetColumn[] {
  if (!isShare(statistic)) return []
  return fields.flatMap((field): SheetColumn[] => {
    const label = columnLabel(category, field)
    return [
      { head: `${label}: ${SHARE_NOUNS[statistic]}`, kind: 'count', width: 12 },
      { head: `${label}: 95% from`, kind: 'bound', width: 12 },
      { head: `${label}: 95% to`, kind: 'bound', width: 12 },
    ]
  })
}

function sureCells({ cells }: ExportLine, { statistic }: ExportView, fields: readonly string[]): SheetCell[] {
  if (!isShare(statistic)) return []
  return fields.flatMap((field) => {
    const share = cells[field] ? shareOf(statistic, cells[field]) : null
    return share ? [share.n, share.low, share.high] : [null, null, null]
  })
}
