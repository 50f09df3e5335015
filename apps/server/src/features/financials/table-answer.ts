import type { AverageCell } from '@pillar/contract/figure'
import { type Ranked, rankCategories } from '@pillar/domain/figure/rank'
import { todayOf } from '../../api/call/today.ts'
import { type Context, callerOf, tenantTx } from '../../api/context.ts'
import { changesOf, totalChanges } from './cell-change.ts'
import { money, toBound } from './cells.ts'
import { begunLate, categoryNamed, isLate, type Selection, select } from './selection.ts'
import { type CategoryTable, cellsOf, readTable } from './table.ts'

export const lateIds = (selection: Selection, context: Context) =>
  new Set(
    selection.pharmacies.filter((pharmacy) => isLate(pharmacy, context.services.now())).map((pharmacy) => pharmacy.id),
  )

/** The table as answered, from which the CSV is written too. */
export async function tableAnswer(
  {
    category,
    pharmacies,
    changes = false,
    ...choice
  }: {
    category: string
    pharmacies: string[]
    /** Whether to include each cell's change against a year earlier. */
    changes?: boolean
    year: number
    month?: number | null
    quarter?: number | null
  },
  context: Context,
) {
  const tx = tenantTx(context)
  const { country } = callerOf(context)
  const { id } = categoryNamed(category)
  const selection = await select(tx, country, choice, pharmacies)
  const table = await readTable(tx, selection, callerOf(context), id, todayOf(context), changes)
  const late = lateIds(selection, context)
  const begun = begunLate(selection)
  const ranked = rankCategories(
    table.pooled
      .filter((row) => row.name !== 'Unclassified')
      .map((row) => ({
        category: row.name,
        measuredPairs: row.measured_pairs,
        measuredScripts: row.measured_scripts,
        adherentScripts: row.adherent_scripts,
        revenue: row.revenue_cents / 100,
      })),
  )
  const totals = cellsOf(table, table.totals)
  return {
    category,
    period: selection.span,
    columns: table.columns.filter((name) => totals[name]).map((field) => ({ field, total: totals[field]! })),
    baseline: table.baseline && averageCells(table),
    baseline_pharmacies: table.average.pharmacies,
    baseline_from: table.average.from,
    baseline_to: table.average.to,
    baseline_reason: table.average.reason,
    selected_average: cellsOf(table, table.totals, { pharmacies: Math.max(1, table.byPharmacy.size) }),
    selected_pharmacies: table.byPharmacy.size,
    changes: totalChanges(table),
    pharmacies: selection.pharmacies.map((pharmacy) => ({
      pharmacy_id: pharmacy.uuid,
      pharmacy_name: pharmacy.name,
      state: pharmacy.region,
      postcode: pharmacy.postcode,
      data_from: pharmacy.data_from,
      data_to: pharmacy.data_to,
      begins_before_data: begun.has(pharmacy.id),
      late: late.has(pharmacy.id),
      cells: cellsOf(table, table.byPharmacy.get(pharmacy.id) ?? {}, { compared: !begun.has(pharmacy.id) }),
      changes: changesOf(table, pharmacy.id),
    })),
    best_categories: rankedAnswer(ranked.best),
    worst_categories: rankedAnswer(ranked.worst),
  }
}

/** The product average is what others are compared with, so it has no performance. */
const averageCells = ({ baseline }: CategoryTable): Record<string, AverageCell> =>
  Object.fromEntries(
    Object.entries(baseline ?? {}).map(([name, cell]) => [
      name,
      { ...cell, adherence_performance: null, loyalty_performance: null },
    ]),
  )

export type TableAnswer = Awaited<ReturnType<typeof tableAnswer>>

function rankedAnswer({ categories, total }: Ranked) {
  return {
    categories: categories.map((item) => ({
      category: item.category,
      adherent_script_percent: item.adherentPercent,
      adherence_n: item.pairs,
      adherence_low: toBound(item.interval.low),
      adherence_high: toBound(item.interval.high),
      revenue_value: item.revenue,
    })),
    total: {
      adherent_script_percent: total.adherentPercent,
      adherence_n: total.pairs,
      adherence_low: total.interval && toBound(total.interval.low),
      adherence_high: total.interval && toBound(total.interval.high),
      revenue_value: money(total.revenue * 100),
    },
  }
}
