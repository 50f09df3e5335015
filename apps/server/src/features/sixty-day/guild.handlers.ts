import type { contract, InputOf } from '@pillar/contract'
import { SIXTY_DAY_STATES, scopeOf } from '@pillar/domain/sixty-day/choices'
import { figureOf, type SixtyDaySums } from '@pillar/domain/sixty-day/figure'
import { day, formatDay } from '@pillar/domain/time/day'
import { recordAudit } from '../../api/audit.ts'
import { type Context, callerOf, type HandlersOf, tenantTx } from '../../api/context.ts'
import { categoryId } from '../metrics/subcategory.queries.ts'
import { sixtyDayTableCsv } from './csv.ts'
import { type GuildRow, newestPublication, readPublished } from './guild.queries.ts'
import { currentLists } from './list.queries.ts'
import { pooledByName } from './pooled-by-name.ts'
import { currentBase } from './sixty-day.jobs.ts'
import { requireAustralia, statsAnswer, termsOf } from './stats-answer.ts'
import { type CategoriesAnswer, categoryOf, cellOf, NOTHING, pageOf, sortColumns, sortRows } from './table-answer.ts'

type Calls = (typeof contract)['guildSixtyDay']
type TableInput = InputOf<Calls['categoriesExport']>

/** All answers to the Guild come from published figures: nothing here reads a pharmacy. */
export const guildSixtyDayHandlers: HandlersOf<Calls> = {
  async info({ tranche }, context) {
    const { published, tx } = await asked({ uptake_percentage: 0, net_of_acss: false }, context)
    const rows = published ? await readPublished(tx, published.to, scopeOf(tranche), 0) : []
    const states = rows.filter(({ postcode }) => postcode === '').sort(byState)
    return {
      locations: states.map(({ state, pharmacies }) => ({
        ...{ name: state, pharmacies },
        postcodes: rows.filter((row) => row.state === state && row.postcode !== '').map(({ postcode }) => postcode),
      })),
    }
  },

  async stats(input, context) {
    const { tx, published, lists, terms } = await asked(input, context)
    const scope = scopeOf(input.tranche)
    const within = (row: GuildRow) => input.states.some((state) => state === row.state)
    const rows = published ? (await readPublished(tx, published.to, scope, 0)).filter(within) : []
    const molecules = published
      ? (await readPublished(tx, published.to, scope, categoryId('Molecule'))).filter(within)
      : []
    const states = rows.filter(isState).sort(byState)
    return statsAnswer({
      ...{ terms, lists },
      sums: states,
      pharmacies: states.reduce((sum, { pharmacies }) => sum + pharmacies, 0),
      molecules: pooledByName(molecules.filter(isState)),
      areas: [...states, ...rows.filter((row) => !isState(row))].map((row) => ({
        ...{ state: row.state, postcode: row.postcode || null, pharmacies: row.pharmacies, sums: sumsOf(row) },
      })),
      basis: {
        ...{ from: published?.from ?? null, to: published?.to ?? null, incomplete: 0 },
        ...{ data_to_oldest: null, data_to: null, published_at: published?.published_at.toISOString() ?? null },
      },
    })
  },

  categories: ({ page, ...input }, context) => tableOf(input, context, page),

  async categoriesExport(input, context) {
    const { base } = await asked(input, context)
    const detail = { category: input.category, statistic: input.selected_statistic }
    const entry = { caller: callerOf(context), action: 'guildSixtyDay.categoriesExport', object: null, detail }
    await recordAudit(tenantTx(context), entry)
    return sixtyDayTableCsv(await tableOf(input, context, null), input, {
      ...{ ...base, category: categoryOf(input.category).label },
      first: input.location_type === 'state' ? 'State' : 'Postcode',
    })
  },
}

const isState = (row: GuildRow) => row.postcode === ''
const rank = (state: string) => (SIXTY_DAY_STATES as readonly string[]).indexOf(state)
const byState = (a: GuildRow, b: GuildRow) => rank(a.state) - rank(b.state)
function sumsOf({
  state: _,
  postcode: __,
  subcategory_id: ___,
  name: ____,
  pharmacies: _____,
  ...sums
}: GuildRow): SixtyDaySums {
  return sums
}

async function asked(input: { uptake_percentage: number; net_of_acss: boolean }, context: Context) {
  requireAustralia(callerOf(context))
  const tx = tenantTx(context)
  const published = await newestPublication(tx)
  const span = currentBase(context.services)
  const base = { from: published?.from ?? formatDay(span.from), to: published?.to ?? formatDay(span.to) }
  const lists = await currentLists(tx)
  const known = { ...lists, ...(published?.shortages === false ? { shortages: null, shortagesAt: null } : {}) }
  return { tx, published, base, lists: known, terms: termsOf(known, day(base.to), input) }
}

/** A page of the table, or all rows: one row per state or postcode, whatever else is chosen. */
async function tableOf(input: TableInput, context: Context, page: number | null): Promise<CategoriesAnswer> {
  const { tx, published, terms } = await asked(input, context)
  const [scope, statistic] = [scopeOf(input.tranche), input.selected_statistic]
  const { id: category, all } = categoryOf(input.category)
  const wanted = (row: GuildRow) =>
    isState(row) === (input.location_type === 'state') &&
    (input.location_values === undefined || input.location_values.includes(row.postcode || row.state))
  const totals = published ? (await readPublished(tx, published.to, scope, 0)).filter(wanted) : []
  const cells = published ? (await readPublished(tx, published.to, scope, category)).filter(wanted) : []
  const columns = sortColumns(pooledByName(cells))
  const keyOf = (row: { state: string | null; postcode: string | null }, column: string) =>
    `${row.state} ${row.postcode ?? ''} ${column}`
  const known = new Map(cells.map((row) => [keyOf(row, row.name ?? ''), row]))
  for (const row of totals) known.set(keyOf(row, all), row)
  const heads = totals.map(({ state, postcode, pharmacies }) => ({
    ...{ uuid: null, name: postcode || state, state, postcode: postcode || null, pharmacies, complete: true },
  }))
  const by = columns.some(({ name }) => name === input.col) ? input.col! : all
  const sorted = sortRows(heads, input, (row) => {
    const found = known.get(keyOf(row, by))
    return found ? figureOf(statistic, found, terms).value : null
  })
  const { rows, ...paging } = page === null ? { ...pageOf(sorted, 1), rows: sorted } : pageOf(sorted, page)
  return {
    ...paging,
    columns: [all, ...columns.map(({ name }) => name)].map((name) => ({ name, ...NOTHING })),
    data: rows.map((row) => ({
      ...row,
      categories: [all, ...columns.map(({ name }) => name)].map((name) =>
        cellOf(name, known.get(keyOf(row, name)), statistic, terms),
      ),
    })),
  }
}
