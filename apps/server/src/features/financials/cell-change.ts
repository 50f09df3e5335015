import type { CellChange } from '@pillar/contract/figure'
import { rateOfChange } from '@pillar/domain/figure/baseline'
import { addSums, adherenceValue, type CellSums, loyaltyValue, NO_SUMS } from './cells.ts'
import type { CategoryTable } from './table.ts'

type Row = Record<string, CellSums>

/** The changes of one pharmacy's cells against a year earlier; empty if it is not compared. */
export function changesOf(
  { columns, byPharmacy, earlier }: CategoryTable,
  pharmacy: number,
): Record<string, CellChange> {
  const [now, before] = [byPharmacy.get(pharmacy), earlier?.get(pharmacy)]
  return now && before ? changesBetween(columns, now, before) : {}
}

/** The changes of the totals, over the pharmacies compared. */
export function totalChanges({ columns, byPharmacy, earlier, once }: CategoryTable): Record<string, CellChange> {
  if (!earlier || earlier.size === 0) return {}
  const now: Row = {}
  const before: Row = {}
  for (const [pharmacy, cells] of earlier) {
    add(before, cells)
    add(now, byPharmacy.get(pharmacy) ?? {})
  }
  add(now, once.now)
  add(before, once.prior)
  return changesBetween(columns, now, before)
}

function add(to: Row, cells: Row): void {
  for (const [name, sums] of Object.entries(cells)) to[name] = addSums(to[name] ?? NO_SUMS, sums)
}

/** Only columns that have figures in at least one of the years. */
function changesBetween(columns: readonly string[], now: Row, before: Row): Record<string, CellChange> {
  const both = columns.filter((name) => now[name] || before[name])
  return Object.fromEntries(both.map((name) => [name, changeOf(now[name] ?? NO_SUMS, before[name] ?? NO_SUMS)]))
}

const changeOf = (now: CellSums, before: CellSums): CellChange => ({
  revenue_value: rateOfChange(now.revenue_cents, before.revenue_cents),
  script_count: rateOfChange(now.script_count, before.script_count),
  adherent_script_percent: difference(adherenceValue(now), adherenceValue(before)),
  loyalty_script_percent: difference(loyaltyValue(now), loyaltyValue(before)),
})

const difference = (now: number | null, before: number | null) =>
  now === null || before === null ? null : now - before
