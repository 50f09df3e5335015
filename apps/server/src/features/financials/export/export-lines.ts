import type { AverageCell, Cell } from '@pillar/contract/figure'
import {
  byName,
  compareNames,
  NAME_FIELD,
  type PinnedWords,
  pinnedWords,
  type Statistic,
  statisticValue,
} from '@pillar/domain/figure/format'
import type { Country } from '@pillar/domain/time/locale'
import type { TableAnswer } from '../table-answer.ts'

/** How to export the table. */
export interface ExportView {
  statistic: Statistic
  /** Column to sort by; the pharmacy's name if null or 'pharmacy'. */
  sortField: string | null
  sortOrder: 'asc' | 'desc'
  /** Columns on screen, in order; all if null. */
  columns: readonly string[] | null
  country: Country
  /** The product's name in this installation. */
  product: string
}

/** A line of the file: its labels, left of the figures, and the cells by column. */
export interface ExportLine extends PinnedWords {
  state: string | null
  postcode: string | null
  from: string | null
  to: string | null
  period: { from: string; to: string }
  cells: Readonly<Record<string, Cell | AverageCell>>
}

/** The figure columns of the file. */
export function exportFields(table: TableAnswer, view: Pick<ExportView, 'columns'>): string[] {
  const known = new Set(table.columns.map((column) => column.field))
  return view.columns === null ? [...known] : view.columns.filter((field) => known.has(field))
}

/** The lines as on screen: the three pinned rows, then the pharmacies in its order. Every line names its period's dates. */
export function exportLines(table: TableAnswer, view: ExportView): ExportLine[] {
  return [...pinnedLines(table, view), ...sortRows(table.pharmacies, view).map((row) => pharmacyLine(row, table))]
}

const NOWHERE = { state: null, postcode: null, from: null, to: null }

function pinnedLines(table: TableAnswer, { product, country }: ExportView): ExportLine[] {
  const words = pinnedWords(table, product, country)
  const { period, baseline_from: from, baseline_to: to } = table
  const averaged = from === null || to === null ? period : { from, to }
  const totals = Object.fromEntries(table.columns.map((one) => [one.field, one.total]))
  return [
    { ...words.total, ...NOWHERE, period, cells: totals },
    { ...words.baseline, ...NOWHERE, period: averaged, cells: table.baseline ?? {} },
    { ...words.selected, ...NOWHERE, period, cells: table.selected_average },
  ]
}

function pharmacyLine(row: TableAnswer['pharmacies'][number], { period }: TableAnswer): ExportLine {
  const notes = [row.late ? 'late' : '', row.begins_before_data ? 'data begins within the period' : '']
  return {
    name: row.pharmacy_name,
    note: notes.filter(Boolean).join(', '),
    state: row.state,
    postcode: row.postcode,
    from: row.data_from,
    to: row.data_to,
    period,
    cells: row.cells,
  }
}

/** Rows in the screen's order: missing figures last in either direction, ties by name. */
function sortRows(rows: TableAnswer['pharmacies'], view: ExportView): TableAnswer['pharmacies'] {
  const direction = view.sortOrder === 'asc' ? 1 : -1
  const named = byName(rows)
  const field = view.sortField
  if (field === null) return named
  if (field === NAME_FIELD) return named.sort((a, b) => direction * compareNames(a.pharmacy_name, b.pharmacy_name))
  const cellOf = ({ cells }: (typeof named)[number]) => (Object.hasOwn(cells, field) ? cells[field] : undefined)
  const values = new Map(named.map((row) => [row, statisticValue(view.statistic, cellOf(row))]))
  return named.sort((a, b) => {
    const [x, y] = [values.get(a) ?? null, values.get(b) ?? null]
    if (x === null || y === null) return Number(x === null) - Number(y === null)
    return direction * (x - y)
  })
}
