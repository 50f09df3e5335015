import { rankCategories } from '@pillar/domain/figure/rank'
import { dayIn, zoneOf } from '@pillar/domain/time/zone'
import { type Context, callerOf, tenantTx } from '../../api/context.ts'
import { categoryNamed, isLate, type Selection, select } from './selection.ts'
import { cellsOf, readTable } from './table.ts'

export const todayOf = (context: Context) => dayIn(zoneOf(callerOf(context).country, null), context.services.now())
export const lateIds = (selection: Selection, context: Context) =>
  new Set(
    selection.pharmacies.filter((pharmacy) => isLate(pharmacy, context.services.now())).map((pharmacy) => pharmacy.id),
  )

/** The table as answered, which the CSV is written from too. */
export async function tableAnswer(
  {
    category,
    pharmacies,
    ...choice
  }: { category: string; pharmacies: string[]; year: number; month?: number | null; quarter?: number | null },
  context: Context,
) {
  const tx = tenantTx(context)
  const { country } = callerOf(context)
  const { id } = categoryNamed(category)
  const selection = await select(tx, country, choice, pharmacies)
  const table = await readTable(tx, selection, country, id, todayOf(context))
  const late = lateIds(selection, context)
  const ranked = rankCategories(
    table.pooled
      .filter((row) => row.name !== 'Unclassified')
      .map((row) => ({
        category: row.name,
        scripts: row.script_count,
        patients: row.patients,
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
    baseline: table.baseline && cellsOf({ ...table, baseline: null }, table.baseline, table.baselinePharmacies),
    baseline_pharmacies: table.baselinePharmacies,
    selected_average: cellsOf(table, table.totals, Math.max(1, table.byPharmacy.size)),
    selected_pharmacies: table.byPharmacy.size,
    pharmacies: selection.pharmacies.map((pharmacy) => ({
      pharmacy_id: pharmacy.uuid,
      pharmacy_name: pharmacy.name,
      state: pharmacy.region,
      postcode: pharmacy.postcode,
      data_to: pharmacy.data_to,
      late: late.has(pharmacy.id),
      cells: cellsOf(table, table.byPharmacy.get(pharmacy.id) ?? {}),
    })),
    best_categories: rankedAnswer(ranked.best),
    worst_categories: rankedAnswer(ranked.worst),
  }
}

export type TableAnswer = Awaited<ReturnType<typeof tableAnswer>>

function rankedAnswer(ranked: ReturnType<typeof rankCategories>['best']) {
  return {
    categories: ranked.categories.map((item) => ({
      category: item.category,
      adherent_script_percent: item.adherentPercent,
      revenue_value: item.revenue,
    })),
    total: { adherent_script_percent: ranked.total.adherentPercent, revenue_value: ranked.total.revenue },
  }
}
