import { type contract, type InputOf, Refusal } from '@pillar/contract'
import { levelOf } from '@pillar/domain/dispensing/adherence'
import { CATEGORIES, TOTAL } from '@pillar/domain/dispensing/category'
import { NAME_FIELD } from '@pillar/domain/figure/format'
import { opportunity } from '@pillar/domain/figure/opportunity'
import { day as dayOf, formatDay } from '@pillar/domain/time/day'
import { kindOf, periodOf, priorSpan, yearsOffered } from '@pillar/domain/time/period'
import { recordAudit } from '../../api/audit.ts'
import { todayOf } from '../../api/call/today.ts'
import { type Context, callerOf, type HandlersOf, tenantTx } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { periodCode, trendMonths } from '../metrics/spans.ts'
import { categoryId } from '../metrics/subcategory.queries.ts'
import { money, shareOf, to2 } from './cells.ts'
import { listPairs } from './detail.queries.ts'
import { explainCell } from './explain/explain-cell.ts'
import { explainFigure, isFigure } from './explain/explain-figure.ts'
import { explainHeadline, isHeadline } from './explain/explain-headline.ts'
import { tableCsv } from './export/csv.ts'
import type { ExportView } from './export/export-lines.ts'
import { tableSheet } from './export/table-sheet.ts'
import { columnsOf } from './figure-parts.ts'
import { sumsByPharmacy } from './figure-sums.queries.ts'
import { changePartsAnswer, figuresAnswer } from './figures.ts'
import {
  findSubcategory,
  listPharmacies,
  listSubcategories,
  sumCells,
  sumTotals,
  totalsByPharmacy,
} from './financials.queries.ts'
import { countedOnce } from './people.queries.ts'
import { persistenceAnswer } from './persistence.ts'
import { drugTypesAnswer } from './pharmacy/drug-types.ts'
import { pharmacyAnswer } from './pharmacy/pharmacy.ts'
import { begunLate, begunWithin, categoryNamed, isLate, type Selection, select, spanAnswer } from './selection.ts'
import { adherentShare, type HEADLINES, statOf } from './stats.ts'
import { readTable } from './table.ts'
import { lateIds, type TableAnswer, tableAnswer } from './table-answer.ts'
import { trendAnswer } from './trend.ts'

const ROWS_PER_PAGE = 50

export const financialsHandlers: HandlersOf<typeof contract.financials> = {
  async initInfo(choice, context) {
    const tx = tenantTx(context)
    const { country } = callerOf(context)
    const today = todayOf(context)
    const pharmacies = await listPharmacies(tx)
    const period = periodOf(country, choice)
    const reached = pharmacies.flatMap((pharmacy) => (pharmacy.data_to ? [dayOf(pharmacy.data_to)] : []))
    const begun = begunLate({ pharmacies, period })
    const found = await listSubcategories(tx, periodCode(period))
    return {
      pharmacies: pharmacies.map((pharmacy) => ({
        pharmacy_id: pharmacy.uuid,
        pharmacy_name: pharmacy.name,
        state: pharmacy.region,
        postcode: pharmacy.postcode,
        owner:
          pharmacy.owner_name && pharmacy.owner_email
            ? { name: pharmacy.owner_name, email: pharmacy.owner_email }
            : null,
        data_from: pharmacy.data_from,
        data_to: pharmacy.data_to,
        begins_before_data: begun.has(pharmacy.id),
        last_upload: pharmacy.last_upload_at?.toISOString() ?? null,
        late: isLate(pharmacy, context.services.now()),
        upload_status:
          pharmacy.data_to === null && pharmacy.etl_state === null
            ? 'NEVER UPLOADED'
            : (pharmacy.etl_state ?? 'COMPLETED'),
      })),
      categories: CATEGORIES.map((name) => ({
        name,
        subcategories: found.filter((row) => row.category_id === categoryId(name)).map((row) => row.name),
      })),
      years: yearsOffered(today, country, kindOf(choice)),
      today: formatDay(today),
      period: spanAnswer(country, choice, period, reached.length > 0 ? Math.max(...reached) : null),
    }
  },

  async stats({ pharmacy_ids, ...choice }, context) {
    const tx = tenantTx(context)
    const selection = await select(tx, callerOf(context).country, choice, pharmacy_ids)
    const months = trendMonths(dayOf(selection.span.to))
    const rows = await sumTotals(tx, selection.ids, [selection.code, ...months.map((month) => month.code)])
    const byCode = new Map(rows.map((row) => [row.period, row]))
    const total = byCode.get(selection.code)
    const trend = months.map((month) => ({ label: month.label, row: byCode.get(month.code) }))
    const stat = (column: (typeof HEADLINES)[keyof typeof HEADLINES]) => statOf(column, total, trend)
    const prior = priorSpan(dayOf(selection.span.from), dayOf(selection.span.to))
    return {
      revenue: stat('revenue_cents'),
      scripts: stat('scripts'),
      patients: {
        ...stat('patients'),
        sex: { male: stat('male'), female: stat('female') },
        adherence: stat('adherent'),
        non_adherence: stat('non_adherent'),
        adherent_share: adherentShare(total?.adherent ?? 0, total?.non_adherent ?? 0),
      },
      total_adherence_opportunity_cost: stat('opportunity_cents'),
      period: selection.span,
      prior: { from: formatDay(prior.from), to: formatDay(prior.to) },
      data_from_oldest: selection.oldestDataTo === null ? null : formatDay(selection.oldestDataTo),
      data_to: selection.dataTo === null ? null : formatDay(selection.dataTo),
      pharmacies_counted: total?.pharmacies ?? 0,
      pharmacies_compared: total?.compared ?? 0,
      pharmacies_begun_late: begunWithin(selection),
    }
  },

  table: (input, context) => tableAnswer(input, context),

  tableCsv: (input, context) => exported('financials.tableCsv', input, context, tableCsv),
  tableXlsx: (input, context) => exported('financials.tableXlsx', input, context, tableSheet),

  async opportunity(
    { category, subcategory, pharmacy_ids, adherence_adjustment, price_per_script_adjustment, ...choice },
    context,
  ) {
    const tx = tenantTx(context)
    const selection = await select(tx, callerOf(context).country, choice, pharmacy_ids)
    const sums = await sumsOf(tx, selection, category ?? null, subcategory)
    const result = opportunity({
      coveredDays: sums?.covered_days ?? 0,
      observedDays: sums?.observed_days ?? 0,
      measuredPairs: sums?.measured_pairs ?? 0,
      measuredScripts: sums?.measured_scripts ?? 0,
      totalScripts: sums?.script_count ?? 0,
      revenue: (sums?.revenue_cents ?? 0) / 100,
      adherenceAdjustment: adherence_adjustment,
      priceAdjustment: price_per_script_adjustment,
    })
    const n = sums?.measured_pairs ?? 0
    const sure = shareOf(result.currentAdherence ?? 0, result.currentAdherence === null ? 0 : 1, n)
    return {
      current_adherence: result.currentAdherence,
      current_adherence_n: n,
      current_adherence_low: sure.low,
      current_adherence_high: sure.high,
      total_script: result.totalScripts,
      current_revenue: money(sums?.revenue_cents ?? 0),
      potential_adherence: result.potentialAdherence,
      potential_script: to2(result.potentialScripts),
      potential_revenue: money(result.potentialRevenue * 100),
      measured_script: sums?.measured_scripts ?? 0,
      growth_capped: result.growthCapped,
    }
  },

  async explain({ number, pharmacy_ids, category, subcategory, ...choice }, context) {
    const tx = tenantTx(context)
    const { country } = callerOf(context)
    const selection = await select(tx, country, choice, pharmacy_ids)
    const { ids, code } = selection
    const about = { selection, lateIds: lateIds(selection, context) }
    const once = (await countedOnce(tx, ids, [code])).get(code)
    if (isHeadline(number)) {
      return explainHeadline({ ...about, number }, await totalsByPharmacy(tx, ids, code), once)
    }
    if (isFigure(number)) {
      return explainFigure({ ...about, number }, await sumsByPharmacy(tx, ids, code, columnsOf(number)), once)
    }
    const { id } = categoryNamed(category ?? CATEGORIES[0])
    const table = await readTable(tx, selection, callerOf(context), id, todayOf(context))
    return explainCell({ ...about, number }, table, subcategory ?? TOTAL, once?.all.shared_people ?? 0)
  },

  trend: (input, context) => trendAnswer(input, context),
  figures: (input, context) => figuresAnswer(input, context),
  changeParts: (input, context) => changePartsAnswer(input, context),
  persistence: (input, context) => persistenceAnswer(input, context),
  pharmacy: (input, context) => pharmacyAnswer(input, context),
  pharmacyDrugTypes: (input, context) => drugTypesAnswer(input, context),

  async adherenceDetail({ pharmacy_id, category, subcategory, page, ...choice }, context) {
    const tx = tenantTx(context)
    const selection = await select(tx, callerOf(context).country, choice, [pharmacy_id])
    const narrowed =
      category && subcategory && subcategory !== TOTAL
        ? { category: categoryNamed(category).category, name: subcategory }
        : null
    const { from, to } = { from: dayOf(selection.span.from), to: dayOf(selection.span.to) }
    const begun = selection.dataTo !== null && from <= selection.dataTo
    const found = begun
      ? await listPairs(tx, selection.ids[0]!, { from, to }, narrowed, {
          limit: ROWS_PER_PAGE,
          offset: (page - 1) * ROWS_PER_PAGE,
        })
      : {
          rows: [],
          count: 0,
          totals: {
            pairs: 0,
            patients: 0,
            adherent_patients: 0,
            non_adherent_patients: 0,
            observed_days: 0,
            covered_days: 0,
            scripts: 0,
            adherent_scripts: 0,
          },
        }
    await recordAudit(tx, {
      caller: callerOf(context),
      action: 'financials.adherenceDetail',
      object: pharmacy_id,
      detail: { period: selection.span.key, page, rows: found.rows.length },
    })
    return {
      rows: found.rows.map((row) => ({
        ...row,
        pdc: row.covered_days / row.observed_days,
        level: levelOf(row.covered_days / row.observed_days)!,
      })),
      totals: found.totals,
      period: selection.span,
      data_to: selection.dataTo === null ? null : formatDay(selection.dataTo),
      current_page: page,
      page_count: Math.max(1, Math.ceil(found.count / ROWS_PER_PAGE)),
      per_page: ROWS_PER_PAGE,
    }
  },
}

/** The table as a file, and an audit row with who took it. */
async function exported<F>(
  action: string,
  { statistic, sort_field, sort_order, columns, ...input }: InputOf<(typeof contract)['financials']['tableCsv']>,
  context: Context,
  make: (table: TableAnswer, view: ExportView) => F,
): Promise<F> {
  const table = await tableAnswer(input, context)
  const sorts = [NAME_FIELD, ...table.columns.map(({ field }) => field)]
  if (sort_field !== undefined && !sorts.includes(sort_field))
    throw new Refusal('invalid', `The table has no column "${sort_field}" to sort by.`, {
      errors: { sort_field: ['Please choose a column of the table.'] },
    })
  await recordAudit(tenantTx(context), {
    caller: callerOf(context),
    action,
    object: null,
    detail: { period: table.period.key, category: table.category, statistic, rows: table.pharmacies.length },
  })
  return make(table, {
    statistic,
    sortField: sort_field ?? null,
    sortOrder: sort_order,
    columns: columns ?? null,
    country: callerOf(context).country,
    product: context.services.env.PRODUCT_NAME,
  })
}

/** The pooled sums of one subcategory, or of everything for TOTAL. */
async function sumsOf(tx: Tx, selection: Selection, category: string | null, subcategory: string) {
  if (subcategory === TOTAL) return (await sumCells(tx, selection.ids, selection.code, 0))[0]
  const found = await findSubcategory(tx, subcategory, category === null ? null : categoryNamed(category).id)
  if (!found) {
    const message = `There is no subcategory "${subcategory}" to calculate with.`
    throw new Refusal('invalid', message, { errors: { subcategory: ['Unknown subcategory'] } })
  }
  const rows = await sumCells(tx, selection.ids, selection.code, found.category_id)
  return rows.find((row) => row.subcategory_id === found.id)
}
