import type { contract, InputOf } from '@pillar/contract'
import { scopeOf } from '@pillar/domain/sixty-day/choices'
import { figureOf, noSums, pooled, type SixtyDaySum, type SixtyDaySums, sumsFor } from '@pillar/domain/sixty-day/figure'
import { day, formatDay } from '@pillar/domain/time/day'
import { recordAudit } from '../../api/audit.ts'
import { type Caller, type Context, callerOf, type HandlersOf, tenantTx } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { resolveLocations } from '../location/location.queries.ts'
import { categoryId } from '../metrics/subcategory.queries.ts'
import { sixtyDayTableCsv } from './csv.ts'
import { currentLists } from './list.queries.ts'
import { currentBase } from './sixty-day.jobs.ts'
import { type AreaSums, requireAustralia, statsAnswer, termsOf } from './stats-answer.ts'
import { type BasePharmacy, readPharmacies, sumByColumn, sumsOfPharmacies } from './sums.queries.ts'
import { type CategoriesAnswer, categoryOf, cellOf, NOTHING, pageOf, sortColumns, sortRows } from './table-answer.ts'

type Calls = (typeof contract)['companySixtyDay']
type TableInput = InputOf<Calls['categoriesExport']>

export const companySixtyDayHandlers: HandlersOf<Calls> = {
  async info({ tranche }, context) {
    requireAustralia(callerOf(context))
    const tx = tenantTx(context)
    const pharmacies = await readPharmacies(tx, null)
    const totals = await totalsOf(tx, pharmacies, scopeOf(tranche))
    return {
      locations: pharmacies.map(({ id, uuid, name, state, postcode, complete }) => ({
        ...{ uuid, name, state, postcode, complete },
        affected_scripts: totals.get(id)?.affected_scripts ?? null,
      })),
    }
  },

  async stats(input, context) {
    const { tx, pharmacies, lists, terms, base } = await asked(input, context)
    const scope = scopeOf(input.tranche)
    const totals = await totalsOf(tx, pharmacies, scope)
    const reached = pharmacies.flatMap(({ data_to }) => data_to ?? []).sort()
    return statsAnswer({
      ...{ terms, lists, pharmacies: pharmacies.length, areas: areasOf(pharmacies, totals) },
      sums: [...totals.values()],
      molecules: await sumByColumn(tx, idsOf(pharmacies), scope, categoryId('Molecule'), DRIVEN_BY),
      basis: {
        ...(totals.size === 0 ? { from: null, to: null } : base),
        incomplete: pharmacies.filter(({ complete }) => !complete).length,
        ...{ data_to_oldest: reached[0] ?? null, data_to: reached.at(-1) ?? null, published_at: null },
      },
    })
  },

  categories: ({ page, ...input }, context) => tableOf(input, context, page),

  async categoriesExport(input, context) {
    const { base } = await asked(input, context)
    const detail = { category: input.category, statistic: input.selected_statistic }
    const entry = { caller: callerOf(context), action: 'companySixtyDay.categoriesExport', object: null, detail }
    await recordAudit(tenantTx(context), entry)
    return sixtyDayTableCsv(await tableOf(input, context, null), input, {
      ...{ ...base, category: categoryOf(input.category).label },
      first: 'Pharmacy',
    })
  },
}

/** The sums by which columns are chosen and ordered. */
const COLUMNS_BY: readonly SixtyDaySum[] = ['eligible_supplies', 'script_pairs']
/** What the chart of the loss's components needs. */
const DRIVEN_BY = sumsFor('revenue_lost', 'scripts_lost', 'affected_scripts')

const idsOf = (pharmacies: readonly BasePharmacy[]) => pharmacies.map(({ id }) => id)

/** The subject of a request: existing pharmacies that belong to the caller, otherwise not_found. */
async function asked(
  input: { pharmacies: readonly string[]; uptake_percentage: number; net_of_acss: boolean },
  context: Context,
) {
  requireAustralia(callerOf(context) as Caller)
  const tx = tenantTx(context)
  const ids = await resolveLocations(tx, [...new Set(input.pharmacies.map((uuid) => uuid.toLowerCase()))])
  const lists = await currentLists(tx)
  const span = currentBase(context.services)
  const pharmacies = await readPharmacies(tx, ids)
  const found = pharmacies.find(({ to }) => to !== null)
  // The sums of a month that has just ended are calculated within the hour; until then the stored sums determine the base.
  const base = { from: found?.from ?? formatDay(span.from), to: found?.to ?? formatDay(span.to) }
  return { tx, lists, base, pharmacies, terms: termsOf(lists, day(base.to), input) }
}

/** Each pharmacy's sums over all its scripts of the base, by the pharmacy's id; pharmacies without sums are left out. */
async function totalsOf(
  tx: Tx,
  pharmacies: readonly BasePharmacy[],
  tranche: number,
): Promise<Map<number, SixtyDaySums>> {
  const rows = await sumsOfPharmacies(tx, idsOf(pharmacies), tranche, { category: 0 })
  return new Map(rows.map(({ location_id, category_id: _, subcategory_id: __, ...sums }) => [location_id, sums]))
}

/** States, then postcodes, with the sums of the chosen pharmacies in them. */
function areasOf(pharmacies: readonly BasePharmacy[], totals: ReadonlyMap<number, SixtyDaySums>): AreaSums[] {
  const located = pharmacies.filter(({ state }) => state !== null)
  const group = (own: readonly BasePharmacy[], postcode: string | null): AreaSums => ({
    ...{ state: own[0]!.state!, postcode, pharmacies: own.length },
    sums: pooled(own.map(({ id }) => totals.get(id) ?? noSums())),
  })
  const states = [...Map.groupBy(located, ({ state }) => state).values()].map((own) => group(own, null))
  const postcodes = Map.groupBy(
    located.filter(({ postcode }) => postcode !== null),
    ({ state, postcode }) => `${state} ${postcode}`,
  )
  return [...states, ...[...postcodes.values()].map((own) => group(own, own[0]!.postcode))]
}

/** A page of the table, or all rows. */
async function tableOf(input: TableInput, context: Context, page: number | null): Promise<CategoriesAnswer> {
  const { tx, pharmacies, terms } = await asked(input, context)
  const [scope, statistic] = [scopeOf(input.tranche), input.selected_statistic]
  const { id: category, all } = categoryOf(input.category)
  const ids = idsOf(pharmacies)
  const names = sumsFor(statistic)
  const columns = sortColumns(await sumByColumn(tx, ids, scope, category, [...new Set([...COLUMNS_BY, ...names])]))
  const totals = await totalsOf(tx, pharmacies, scope)
  const column = columns.find(({ name }) => name === input.col)
  const keys = column
    ? new Map(
        (await sumsOfPharmacies(tx, ids, scope, { category, subcategory: column.subcategory_id, names })).map((row) => [
          row.location_id,
          row,
        ]),
      )
    : totals
  const heads = pharmacies.map((pharmacy) => ({ ...pharmacy, pharmacies: 1 }))
  const sorted = sortRows(heads, input, ({ id }) => {
    const sums = keys.get(id)
    return sums ? figureOf(statistic, sums, terms).value : null
  })
  const { rows, ...paging } = page === null ? { ...pageOf(sorted, 1), rows: sorted } : pageOf(sorted, page)
  const cells = new Map(rows.map(({ id }) => [id, new Map<number, SixtyDaySums>()]))
  for (const row of await sumsOfPharmacies(tx, idsOf(rows), scope, { category, names }))
    cells.get(row.location_id)?.set(row.subcategory_id, row)
  // Once a pharmacy has sums, a value it has none of is 0, not unknown.
  const zero = figureOf(statistic, noSums(), terms)
  const cellIn = (id: number, { name, subcategory_id }: (typeof columns)[number]) => {
    const sums = cells.get(id)?.get(subcategory_id)
    return { name, ...(sums ? figureOf(statistic, sums, terms) : totals.has(id) ? zero : NOTHING) }
  }
  return {
    ...paging,
    columns: [
      cellOf(all, pooled([...totals.values()]), statistic, terms),
      ...columns.map((one) => cellOf(one.name, one, statistic, terms)),
    ],
    data: rows.map(({ id, uuid, name, state, postcode, complete }) => ({
      ...{ uuid, name, state, postcode, complete, pharmacies: 1 },
      categories: [cellOf(all, totals.get(id), statistic, terms), ...columns.map((one) => cellIn(id, one))],
    })),
  }
}
