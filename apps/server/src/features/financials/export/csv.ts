import {
  columnLabel,
  figureOf,
  intervalText,
  isShare,
  NAME_FIELD,
  SHARE_NOUNS,
  STATISTIC_NAMES,
  shareOf,
} from '@pillar/domain/figure/format'
import { safeCell } from '@pillar/domain/text/csv-safe'
import { parseDay } from '@pillar/domain/time/day'
import { formatDate, formatNumber, formatSpan, LOCALES } from '@pillar/domain/time/locale'
import { csvText } from '../../../api/answer/csv-text.ts'
import type { TableAnswer } from '../table-answer.ts'
import { type ExportLine, type ExportView, exportFields, exportLines } from './export-lines.ts'

/**
 * The table as on screen: the same rows, order, columns and words, the three pinned rows first. Every line names its period's dates,
 * because a line above the header would break a reader. Right of the columns on screen, further columns say how certain each share is. Text
 * cells cannot act as formulas.
 */
export function tableCsv(table: TableAnswer, view: ExportView): { filename: string; text: string } {
  const fields = exportFields(table, view)
  const { country, statistic } = view
  const { stateName, postcodeName } = LOCALES[country]
  const date = (text: string | null) => {
    const day = text ? parseDay(text) : null
    return day === null ? '' : formatDate(country, day)
  }
  const line = (of: ExportLine) => [
    ...[of.name, ...(stateName ? [of.state] : []), of.postcode, date(of.from), date(of.to)].map(safeCell),
    formatSpan(country, parseDay(of.period.from)!, parseDay(of.period.to)!),
    safeCell(of.note),
    STATISTIC_NAMES[statistic],
    ...fields.map((field) => asTyped(figureOf(country, statistic, of.cells[field]).figure)),
    ...sureCells(view, fields, of.cells),
  ]
  const heads = [
    columnLabel(table.category, NAME_FIELD),
    ...[...(stateName ? [stateName] : []), postcodeName, 'Data from', 'Data to', 'Period', 'Note', 'Statistic'],
    ...fields.map((one) => columnLabel(table.category, one)),
  ]
  const lines = [
    [...heads, ...sureHeads(view, fields, table.category)].map(safeCell),
    ...exportLines(table, view).map(line),
  ]
  const filename = `${table.period.key}_adherence_data.csv`
  return { filename, text: csvText(lines, { bom: true, record_delimiter: '\r\n' }) }
}

/** A figure with the keyboard's minus sign: a spreadsheet takes the typographic one for text, and a sum skips it. */
const asTyped = (figure: string) => figure.replace(/^−/, '-')

/** For shares, two more columns for each on screen: the number behind it and its 95% interval. */
function sureHeads({ statistic }: ExportView, fields: readonly string[], category: string): string[] {
  if (!isShare(statistic)) return []
  const noun = SHARE_NOUNS[statistic]
  return fields.flatMap((field) => {
    const label = columnLabel(category, field)
    return [`${label}: ${noun}`, `${label}: 95% interval`]
  })
}

function sureCells({ statistic, country }: ExportView, fields: readonly string[], cells: ExportLine['cells']) {
  if (!isShare(statistic)) return []
  return fields.flatMap((field) => {
    const share = cells[field] ? shareOf(statistic, cells[field]) : null
    if (!share || share.n === null) return ['', '']
    return [formatNumber(country, share.n), intervalText(country, share)]
  })
}
