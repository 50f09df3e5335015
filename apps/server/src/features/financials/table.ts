import type { Cell } from '@pillar/contract/financials'
import { OTHERS, TOTAL } from '@pillar/domain/dispensing/category'
import { MIN_UPLOAD_COVERAGE } from '@pillar/domain/figure/baseline'
import type { Day } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { isBusinessDay } from '@pillar/domain/time/zone'
import type { Tx } from '../../db/database.ts'
import { addSums, type CellSums, cellOf, NO_SUMS } from './cells.ts'
import { cellsByPharmacy, type PharmacyCell, subcategoryNames, sumBaseline, sumCells } from './financials.queries.ts'
import type { Selection } from './selection.ts'

/** Molecules shown on their own, by revenue; the rest are one column, so that parts still add up. */
const MOST_COLUMNS = 60

/** A subcategory over all chosen pharmacies. */
export type PooledRow = CellSums & { subcategory_id: number; name: string; patients: number }

export interface CategoryTable {
  /** Every subcategory's pooled sums, largest revenue first. */
  pooled: PooledRow[]
  /** Column names: TOTAL, then subcategories. */
  columns: string[]
  totals: Record<string, CellSums>
  byPharmacy: Map<number, Record<string, CellSums>>
  baseline: Record<string, CellSums> | null
  baselinePharmacies: number
}

/** Reads the sums behind a pharmacy-by-category table. `category` is its stored number. */
export async function readTable(
  tx: Tx,
  selection: Selection,
  country: Country,
  category: number,
  today: Day,
): Promise<CategoryTable> {
  const { pooled, names, rows } = await readCells(tx, selection, category)
  const byPharmacy = new Map<number, Record<string, CellSums>>()
  for (const row of rows) if (row.category_id === 0) byPharmacy.set(row.location_id, { [TOTAL]: row })
  for (const row of rows) {
    const cells = byPharmacy.get(row.location_id)
    if (cells && row.category_id !== 0) cells[names.get(row.subcategory_id)!] = row
  }
  const columns = [TOTAL, ...names.values()]
  if (names.size < pooled.length) {
    columns.push(OTHERS)
    for (const cells of byPharmacy.values()) cells[OTHERS] = restOf(cells)
  }
  const totals: Record<string, CellSums> = {}
  for (const cells of byPharmacy.values()) {
    for (const [name, sums] of Object.entries(cells)) totals[name] = addSums(totals[name] ?? NO_SUMS, sums)
  }
  const { baseline, pharmacies } = await readBaseline(tx, selection, country, category, today, names)
  return { pooled, columns, totals, byPharmacy, baseline, baselinePharmacies: pharmacies }
}

/** All subcategories pooled, the names of those shown, and the shown cells of each pharmacy. */
async function readCells(tx: Tx, { ids, code }: Selection, category: number) {
  const known = await subcategoryNames(tx, category, MOST_COLUMNS + 1)
  if (known) {
    // Every cell is shown, so the pooled sums are theirs: the cells are read once.
    const rows = await cellsByPharmacy(tx, ids, code, category, null)
    const pooled = poolCells(rows, known)
    return { pooled, names: new Map(pooled.map((row) => [row.subcategory_id, row.name])), rows }
  }
  const pooled = await sumCells(tx, ids, code, category)
  const shown = pooled.length > MOST_COLUMNS + 1 ? pooled.slice(0, MOST_COLUMNS) : pooled
  const names = new Map(shown.map((row) => [row.subcategory_id, row.name]))
  return { pooled, names, rows: await cellsByPharmacy(tx, ids, code, category, [...names.keys()]) }
}

/** Sums of each subcategory over its pharmacies' cells, in the order of `sumCells`: largest revenue first, then by name. */
function poolCells(rows: readonly PharmacyCell[], names: ReadonlyMap<number, string>): PooledRow[] {
  const pooled = new Map<number, PooledRow>()
  for (const row of rows) {
    if (row.category_id === 0) continue
    const name = names.get(row.subcategory_id) ?? ''
    const sums = pooled.get(row.subcategory_id) ?? { ...NO_SUMS, subcategory_id: row.subcategory_id, name, patients: 0 }
    pooled.set(row.subcategory_id, { ...sums, ...addSums(sums, row), patients: sums.patients + row.patients })
  }
  return [...pooled.values()].sort((a, b) => b.revenue_cents - a.revenue_cents || (a.name < b.name ? -1 : 1))
}

/** What the named columns leave of the total. */
function restOf(cells: Record<string, CellSums>): CellSums {
  let rest = cells[TOTAL] ?? NO_SUMS
  for (const [name, sums] of Object.entries(cells)) if (name !== TOTAL) rest = addSums(rest, sums, -1)
  return rest
}

async function readBaseline(
  tx: Tx,
  selection: Selection,
  country: Country,
  category: number,
  today: Day,
  names: Map<number, string>,
) {
  const { period, code } = selection
  const days = businessDays(period.from, Math.min(period.to, today - 1))
  const rows = await sumBaseline(tx, country, code, category, Math.ceil(days * MIN_UPLOAD_COVERAGE))
  const pharmacies = Number(rows[0]?.pharmacies ?? 0)
  if (pharmacies === 0) return { baseline: null, pharmacies }
  const baseline: Record<string, CellSums> = {}
  for (const row of rows) {
    if (row.category_id === 0) baseline[TOTAL] = row
    else if (names.has(row.subcategory_id)) baseline[names.get(row.subcategory_id)!] = row
    else baseline[OTHERS] = addSums(baseline[OTHERS] ?? NO_SUMS, row)
  }
  return { baseline, pharmacies }
}

function businessDays(from: Day, to: Day): number {
  let count = 0
  for (let day = from; day <= to; day++) if (isBusinessDay(day)) count++
  return count
}

/** Cells of a row of sums, for every column that has any. */
export function cellsOf(table: CategoryTable, sums: Record<string, CellSums>, pharmacies = 1): Record<string, Cell> {
  const shown = table.columns.filter((name) => sums[name])
  return Object.fromEntries(
    shown.map((name) => [name, cellOf(sums[name]!, table.baseline?.[name] ?? null, pharmacies)]),
  )
}
