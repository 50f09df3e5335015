import type { Cell, Statistic } from '@pillar/contract/financials'
import { TOTAL } from '@pillar/domain/dispensing/category'
import { safeCell } from '@pillar/domain/text/csv-safe'
import { stringify } from 'csv-stringify/sync'
import type { TableAnswer } from './financials.handlers.ts'

/** The figure each statistic shows, and its form in a spreadsheet: money to the cent, counts and means as they are, percents times 100. */
const FIGURES: Record<Statistic, (cell: Cell) => number | null> = {
  Revenue: (cell) => rounded(cell.revenue_value, 2),
  'Number of Scripts': (cell) => rounded(cell.script_count, 2),
  Adherence: (cell) => percent(cell.adherent_script_percent),
  Loyalty: (cell) => percent(cell.loyalty_script_percent),
}

const rounded = (value: number | null, decimals: number) => (value === null ? null : Number(value.toFixed(decimals)))
const percent = (value: number | null) => (value === null ? null : rounded(value * 100, 2))

export interface CsvView {
  statistic: Statistic
  /** Column the rows are sorted by; the pharmacy's name when null or 'pharmacy'. */
  sortField: string | null
  sortOrder: 'asc' | 'desc'
  /** Columns on screen, in order; all when null. */
  columns: readonly string[] | null
}

/** The table as it stands on screen: same rows, order, columns and statistic, with the three pinned rows first. Text cells cannot act as formulas. */
export function tableCsv(table: TableAnswer, view: CsvView): { filename: string; text: string } {
  const shown = table.columns
    .map((column) => column.field)
    .filter((field) => view.columns === null || view.columns.includes(field))
  const ordered = view.columns === null ? shown : view.columns.filter((field) => shown.includes(field))
  const figure = FIGURES[view.statistic]
  const line = (
    name: string,
    state: string | null,
    postcode: string | null,
    dataTo: string | null,
    cells: Record<string, Cell>,
  ) => [
    safeCell(name),
    safeCell(state),
    safeCell(postcode),
    safeCell(dataTo),
    ...ordered.map((field) => (cells[field] ? figure(cells[field]) : null)),
  ]
  const totals = Object.fromEntries(table.columns.map((column) => [column.field, column.total]))
  const lines = [
    [
      'Pharmacy',
      'State',
      'Postcode',
      'Data to',
      ...ordered.map((field) => safeCell(field === TOTAL ? `All (${view.statistic})` : `${field} (${view.statistic})`)),
    ],
    line('TOTAL', null, null, null, totals),
    ...(table.baseline ? [line('Product average', null, null, null, table.baseline)] : []),
    line('Selected average', null, null, null, table.selected_average),
    ...sortRows(table.pharmacies, view, figure).map((row) =>
      line(row.pharmacy_name, row.state, row.postcode, row.data_to, row.cells),
    ),
  ]
  const filename = `${table.period.key}_adherence_data.csv`
  return { filename, text: stringify(lines, { bom: true, record_delimiter: '\r\n' }) }
}

/** Rows in the screen's order: missing figures last whichever way, ties by name. */
function sortRows(
  rows: TableAnswer['pharmacies'],
  view: CsvView,
  figure: (cell: Cell) => number | null,
): TableAnswer['pharmacies'] {
  const direction = view.sortOrder === 'asc' ? 1 : -1
  const byName = (a: { pharmacy_name: string }, b: { pharmacy_name: string }) =>
    a.pharmacy_name.localeCompare(b.pharmacy_name)
  const field = view.sortField
  if (field === null) return [...rows].sort(byName)
  if (field === 'pharmacy') return [...rows].sort((a, b) => direction * byName(a, b))
  const figureOf = (row: TableAnswer['pharmacies'][number]) => (row.cells[field] ? figure(row.cells[field]) : null)
  return [...rows].sort((a, b) => {
    const [x, y] = [figureOf(a), figureOf(b)]
    if (x === null || y === null) return Number(x === null) - Number(y === null) || byName(a, b)
    return direction * (x - y) || byName(a, b)
  })
}
