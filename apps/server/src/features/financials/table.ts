import type { Cell } from '@pillar/contract/figure'
import type { AverageCell } from '@pillar/domain/average/average-period'
import { OTHERS, TOTAL } from '@pillar/domain/dispensing/category'
import type { Day } from '@pillar/domain/time/day'
import type { Tx } from '../../db/database.ts'
import { type Asker, type Baseline, readBaseline } from './baseline.ts'
import { addSums, type CellSums, cellOf, NO_SUMS } from './cells.ts'
import { cellsByPharmacy, type PharmacyCell, subcategoryNames, sumCells } from './financials.queries.ts'
import { type CellOnce, cellsOnce } from './people.queries.ts'
import type { Selection } from './selection.ts'

/** Molecules with their own column, by revenue; the rest share one column, so that parts still add up. */
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
  /** The pharmacies compared with a year earlier, with their figures then; null unless requested. */
  earlier: Map<number, Record<string, CellSums>> | null
  /** The correction to the columns for counting people once: over all pharmacies, and over those compared, now and a year earlier. */
  once: Record<'all' | 'now' | 'prior', Record<string, CellSums>>
  /** The product average by column; null if there is none. "All others" has none, because the molecules in it depend on the company. */
  baseline: Record<string, AverageCell> | null
  /** What the product average covers, or why there is none. */
  average: Omit<Baseline, 'cells'>
}

/** Reads the sums behind a pharmacy-by-category table. `category` is its stored number. */
export async function readTable(
  tx: Tx,
  selection: Selection,
  asker: Asker,
  category: number,
  today: Day,
  withEarlier = false,
): Promise<CategoryTable> {
  const found = await cellsOnce(tx, selection.ids, selection.code, category)
  const { pooled, names, rows } = await readCells(tx, selection, category, found.all)
  const others = names.size < pooled.length
  const onceOf = (cells: readonly CellOnce[]) =>
    cells.length === 0 ? {} : (rowsOf([TOTAL_ONCE, ...cells.map(asCell)], names, others).get(NOWHERE) ?? {})
  const once = { all: onceOf(found.all), now: onceOf(found.now), prior: onceOf(found.prior) }
  const byPharmacy = rowsOf(rows, names, others)
  const columns = [TOTAL, ...names.values(), ...(others ? [OTHERS] : [])]
  const { ids, code } = selection
  const then = withEarlier
    ? await cellsByPharmacy(tx, ids, code, category, others ? [...names.keys()] : null, 'a year earlier')
    : null
  const totals: Record<string, CellSums> = {}
  for (const cells of [...byPharmacy.values(), once.all]) {
    for (const [name, sums] of Object.entries(cells)) totals[name] = addSums(totals[name] ?? NO_SUMS, sums)
  }
  const { cells, ...average } = await readBaseline(tx, asker, selection.period, category, today)
  const earlier = then && rowsOf(then, names, others)
  return { pooled, columns, totals, byPharmacy, earlier, once, baseline: cells && namedCells(cells, names), average }
}

/** The id used for values that belong to no single pharmacy. */
const NOWHERE = 0
const asCell = (cell: CellOnce): PharmacyCell => ({ ...NO_SUMS, location_id: NOWHERE, ...cell })
const TOTAL_ONCE: PharmacyCell = { ...NO_SUMS, location_id: NOWHERE, category_id: 0, subcategory_id: 0, patients: 0 }

/** The cells of each pharmacy by column name; those without a column are left out, or form the rest of the total. */
function rowsOf(
  rows: readonly PharmacyCell[],
  names: ReadonlyMap<number, string>,
  others: boolean,
): Map<number, Record<string, CellSums>> {
  const byPharmacy = new Map<number, Record<string, CellSums>>()
  for (const row of rows) if (row.category_id === 0) byPharmacy.set(row.location_id, { [TOTAL]: row })
  for (const row of rows) {
    const cells = byPharmacy.get(row.location_id)
    const name = names.get(row.subcategory_id)
    if (cells && row.category_id !== 0 && name !== undefined) cells[name] = row
  }
  if (others) for (const cells of byPharmacy.values()) cells[OTHERS] = restOf(cells)
  return byPharmacy
}

/** The average's cells by column name, in column order. */
function namedCells(
  cells: ReadonlyMap<number, AverageCell>,
  names: ReadonlyMap<number, string>,
): Record<string, AverageCell> {
  const named = [[0, TOTAL] as const, ...names]
  return Object.fromEntries(named.flatMap(([id, name]) => (cells.has(id) ? [[name, cells.get(id)!]] : [])))
}

/** All subcategories pooled, the names of those shown, and each pharmacy's cells for these. */
async function readCells(tx: Tx, { ids, code }: Selection, category: number, once: readonly CellOnce[]) {
  const known = await subcategoryNames(tx, category, MOST_COLUMNS + 1)
  if (known) {
    // Every cell is shown, so the cells are read once and the pooled sums calculated from them.
    const rows = await cellsByPharmacy(tx, ids, code, category, null)
    const pooled = poolCells([...rows, ...once.map(asCell)], known)
    return { pooled, names: new Map(pooled.map((row) => [row.subcategory_id, row.name])), rows }
  }
  const pooled = await sumCells(tx, ids, code, category)
  const shown = pooled.length > MOST_COLUMNS + 1 ? pooled.slice(0, MOST_COLUMNS) : pooled
  const names = new Map(shown.map((row) => [row.subcategory_id, row.name]))
  return { pooled, names, rows: await cellsByPharmacy(tx, ids, code, category, [...names.keys()]) }
}

/** Sums of each subcategory over its pharmacies' cells, in the same order as `sumCells`: largest revenue first, then by name. */
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

/** The total minus the named columns. */
function restOf(cells: Record<string, CellSums>): CellSums {
  let rest = cells[TOTAL] ?? NO_SUMS
  for (const [name, sums] of Object.entries(cells)) if (name !== TOTAL) rest = addSums(rest, sums, -1)
  return rest
}

/**
 * The cells of a row, one per column with figures.
 * @param pharmacies the divisor for counts and money: 1 for a sum
 * @param compared whether to compare the cells with the product average
 */
export function cellsOf(
  table: CategoryTable,
  sums: Record<string, CellSums>,
  { pharmacies = 1, compared = true } = {},
): Record<string, Cell> {
  const average = compared ? table.baseline : null
  const shown = table.columns.filter((name) => sums[name])
  return Object.fromEntries(shown.map((name) => [name, cellOf(sums[name]!, average?.[name] ?? null, pharmacies)]))
}
