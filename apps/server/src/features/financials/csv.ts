import type { AverageCell, Cell } from '@pillar/contract/figure'
import {
  byName,
  columnLabel,
  compareNames,
  figureOf,
  intervalText,
  isShare,
  NAME_FIELD,
  type PinnedWords,
  pinnedWords,
  SHARE_NOUNS,
  STATISTIC_NAMES,
  type Statistic,
  shareOf,
  statisticValue,
} from '@pillar/domain/figure/format'
import { safeCell } from '@pillar/domain/text/csv-safe'
import { parseDay } from '@pillar/domain/time/day'
import { type Country, formatDate, formatNumber, formatSpan } from '@pillar/domain/time/locale'
import { stringify } from 'csv-stringify/sync'
import type { TableAnswer } from './table-answer.ts'

export interface CsvView {
  statistic: Statistic
  /** Column the rows are sorted by; the pharmacy's name when null or 'pharmacy'. */
  sortField: string | null
  sortOrder: 'asc' | 'desc'
  /** Columns on screen, in order; all when null. */
  columns: readonly string[] | null
  country: Country
  /** The product's name as this installation has it. */
  product: string
}

/** What a line is about, left of its figures. */
interface LineHead extends PinnedWords {
  state?: string | null
  postcode?: string | null
  from?: string | null
  to?: string | null
  period: { from: string; to: string }
}

const HEADS = ['State', 'Postcode', 'Data from', 'Data to', 'Period', 'Note', 'Statistic']

/**
 * The table as it stands on screen: the same rows, order, columns and words, the three pinned rows first. Every line names
 * its period's dates, so that no line above the head breaks a reader. Right of the columns on screen, a share says how
 * sure it is. Text cells cannot act as formulas.
 */
export function tableCsv(table: TableAnswer, view: CsvView): { filename: string; text: string } {
  const known = new Set(table.columns.map((column) => column.field))
  const fields = view.columns === null ? [...known] : view.columns.filter((field) => known.has(field))
  const { country, statistic } = view
  const date = (text: string | null | undefined) => {
    const day = text ? parseDay(text) : null
    return day === null ? '' : formatDate(country, day)
  }
  const line = (head: LineHead, cells: Readonly<Record<string, Cell | AverageCell>>) => [
    ...[head.name, head.state, head.postcode, date(head.from), date(head.to)].map(safeCell),
    formatSpan(country, parseDay(head.period.from)!, parseDay(head.period.to)!),
    safeCell(head.note),
    STATISTIC_NAMES[statistic],
    ...fields.map((field) => safeCell(figureOf(country, statistic, cells[field]).figure)),
    ...sureCells(view, fields, cells),
  ]
  const heads = [
    columnLabel(table.category, NAME_FIELD),
    ...HEADS,
    ...fields.map((one) => columnLabel(table.category, one)),
  ]
  const lines = [
    [...heads, ...sureHeads(view, fields, table.category)].map(safeCell),
    ...pinnedLines(table, view).map(({ head, cells }) => line(head, cells)),
    ...sortRows(table.pharmacies, view).map((row) => line(pharmacyHead(row, table), row.cells)),
  ]
  const filename = `${table.period.key}_adherence_data.csv`
  return { filename, text: stringify(lines, { bom: true, record_delimiter: '\r\n' }) }
}

/** For shares, two more columns for each on screen: what it rests on and its 95% interval. */
function sureHeads({ statistic }: CsvView, fields: readonly string[], category: string): string[] {
  if (!isShare(statistic)) return []
  const noun = SHARE_NOUNS[statistic]
  return fields.flatMap((field) => {
    const label = columnLabel(category, field)
    return [`${label}: ${noun}`, `${label}: 95% interval`]
  })
}

function sureCells(
  { statistic, country }: CsvView,
  fields: readonly string[],
  cells: Readonly<Record<string, Cell | AverageCell>>,
) {
  if (!isShare(statistic)) return []
  return fields.flatMap((field) => {
    const share = cells[field] ? shareOf(statistic, cells[field]) : null
    if (!share || share.n === null) return ['', '']
    return [formatNumber(country, share.n), intervalText(country, share)]
  })
}

function pinnedLines(table: TableAnswer, { product, country }: CsvView) {
  const words = pinnedWords(table, product, country)
  const { period, baseline_from: from, baseline_to: to } = table
  const averaged = from === null || to === null ? period : { from, to }
  return [
    { head: { ...words.total, period }, cells: Object.fromEntries(table.columns.map((one) => [one.field, one.total])) },
    { head: { ...words.baseline, period: averaged }, cells: table.baseline ?? {} },
    { head: { ...words.selected, period }, cells: table.selected_average },
  ]
}

function pharmacyHead(row: TableAnswer['pharmacies'][number], { period }: TableAnswer): LineHead {
  const notes = [row.late ? 'late' : '', row.begins_before_data ? 'data begins within the period' : '']
  return {
    name: row.pharmacy_name,
    note: notes.filter(Boolean).join(', '),
    state: row.state,
    postcode: row.postcode,
    from: row.data_from,
    to: row.data_to,
    period,
  }
}

/** Rows in the screen's order: missing figures last whichever way, ties by name. */
function sortRows(rows: TableAnswer['pharmacies'], view: CsvView): TableAnswer['pharmacies'] {
  const direction = view.sortOrder === 'asc' ? 1 : -1
  const named = byName(rows)
  const field = view.sortField
  if (field === null) return named
  if (field === NAME_FIELD) return named.sort((a, b) => direction * compareNames(a.pharmacy_name, b.pharmacy_name))
  const values = new Map(named.map((row) => [row, statisticValue(view.statistic, row.cells[field])]))
  return named.sort((a, b) => {
    const [x, y] = [values.get(a) ?? null, values.get(b) ?? null]
    if (x === null || y === null) return Number(x === null) - Number(y === null)
    return direction * (x - y)
  })
}
