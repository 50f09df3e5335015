import type { Country } from '@pillar/domain/time/locale'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { WITH_OWNER } from '../location/owner.queries.ts'
import { addHeadline, countedOnce, ONCE_COLUMNS } from './people.queries.ts'

/** A pharmacy of the scope, with the extent of its data. */
export interface PharmacyRow {
  id: number
  uuid: string
  name: string
  region: string | null
  postcode: string | null
  country: Country
  time_zone: string
  data_from: string | null
  data_to: string | null
  last_upload_at: Date | null
  owner_name: string | null
  owner_email: string | null
  /** State of the newest upload; null if there never was one. */
  etl_state: string | null
}

/** All pharmacies in scope, by name. */
export async function listPharmacies(tx: Tx, ids?: readonly number[]): Promise<PharmacyRow[]> {
  const { rows } = await sql<PharmacyRow>`
    select l.id, l.uuid, l.name, l.region, l.postcode, l.country, l.time_zone, l.data_from, l.data_to, l.last_upload_at,
           o.name as owner_name, o.email as owner_email, u.etl_state
    from location l
    ${WITH_OWNER}
    left join lateral (
      select etl_state from upload where location_id = l.id order by created_at desc, id desc limit 1
    ) u on true
    where l.removed_at is null ${ids ? sql`and l.id = any(${[...ids]}::bigint[])` : sql``}
    order by l.name`.execute(tx)
  return rows
}

/** Names of subcategories with figures in the scope, by category, in order of id. */
export async function listSubcategories(tx: Tx, period: number): Promise<{ category_id: number; name: string }[]> {
  const { rows } = await sql<{ category_id: number; name: string }>`
    with cell as materialized (
      select distinct category_id, subcategory_id from metric_cell
      where period = ${period} and category_id > 0 and location_id = any ((select scope_location_ids())::bigint[]))
    select c.category_id, s.name from cell c join subcategory s on s.id = c.subcategory_id order by c.category_id, s.id`.execute(
    tx,
  )
  return rows
}

/** Headline sums over pharmacies; `prior_` and `now_` fields cover only pharmacies with a year of earlier data. */
export interface TotalRow {
  period: number
  pharmacies: number
  compared: number
  revenue_cents: number
  scripts: number
  patients: number
  male: number
  female: number
  adherent: number
  non_adherent: number
  opportunity_cents: number
  now: Record<HeadlineColumn, number> | null
  prior: Record<HeadlineColumn, number> | null
}

export const HEADLINE_COLUMNS = [
  'revenue_cents',
  'scripts',
  'patients',
  'male',
  'female',
  'adherent',
  'non_adherent',
  'opportunity_cents',
] as const
export type HeadlineColumn = (typeof HEADLINE_COLUMNS)[number]

/** Headline sums of the given periods over the given pharmacies, each person counted once. One row per period with figures. */
export async function sumTotals(
  tx: Tx,
  locationIds: readonly number[],
  periods: readonly number[],
): Promise<TotalRow[]> {
  const columns = HEADLINE_COLUMNS.map((column) => sql`sum(${sql.ref(column)})::float8 as ${sql.ref(column)}`)
  const pairs = (prefix: string) =>
    sql.join(
      HEADLINE_COLUMNS.map(
        (column) => sql`${sql.lit(column)}, sum(${sql.ref(prefix + column)}) filter (where prior_scripts is not null)`,
      ),
    )
  const { rows } = await sql<TotalRow>`
    select period, count(*)::int as pharmacies, count(prior_scripts)::int as compared, ${sql.join(columns)},
           case when count(prior_scripts) > 0 then json_build_object(${pairs('')}) end as now,
           case when count(prior_scripts) > 0 then json_build_object(${pairs('prior_')}) end as prior
    from metric_total where location_id = any(${[...locationIds]}::bigint[]) and period = any(${[...periods]}::int[])
    group by period order by period`.execute(tx)
  const once = await countedOnce(tx, locationIds, periods)
  return rows.map((row) => {
    const more = once.get(row.period)
    const { now, prior } = row
    return {
      ...addHeadline(row, more?.all),
      now: now && addHeadline(now, more?.now),
      prior: prior && addHeadline(prior, more?.prior),
    }
  })
}

/** A pharmacy's headline figures of a period, and those of the same dates a year earlier if it is compared. */
export type PharmacyTotal = Record<HeadlineColumn, number> & {
  location_id: number
  from_day: string
  to_day: string
  /** Mondays to Fridays with scripts. */
  business_days: number
  prior: Record<HeadlineColumn, number> | null
}

/** The headline row of each pharmacy in one period. */
export async function totalsByPharmacy(
  tx: Tx,
  locationIds: readonly number[],
  period: number,
): Promise<PharmacyTotal[]> {
  const prior = HEADLINE_COLUMNS.map((column) => sql`${sql.lit(column)}, ${sql.ref(`prior_${column}`)}`)
  const { rows } = await sql<PharmacyTotal>`
    select location_id, ${sql.join(HEADLINE_COLUMNS.map((column) => sql.ref(column)))}, from_day, to_day, business_days,
           case when prior_scripts is not null then json_build_object(${sql.join(prior)}) end as prior
    from metric_total where location_id = any(${[...locationIds]}::bigint[]) and period = ${period}`.execute(tx)
  return rows
}

/** Sums behind cells of the category table. Money in cents. */
export interface CellRow {
  subcategory_id: number
  name: string
  script_count: number
  revenue_cents: number
  patients: number
  measured_pairs: number
  measured_scripts: number
  adherent_scripts: number
  observed_days: number
  covered_days: number
  here_slots: number
  leaked_slots: number
}

const CELL_COLUMNS = [
  'script_count',
  'revenue_cents',
  'patients',
  'measured_pairs',
  'measured_scripts',
  'adherent_scripts',
  'observed_days',
  'covered_days',
  'here_slots',
  'leaked_slots',
] as const

/**
 * Sums of every subcategory of a category over the pharmacies, largest revenue first; category 0 gives the one total, named TOTAL.
 * @param people whether a person who was at several of them counts once, or at each
 */
export async function sumCells(
  tx: Tx,
  locationIds: readonly number[],
  period: number,
  category: number,
  people: 'once' | 'at each' = 'once',
): Promise<CellRow[]> {
  const ids = [...locationIds]
  const sums = (of: readonly string[]) =>
    sql.join(
      CELL_COLUMNS.map((column) =>
        of.includes(column) ? sql`sum(${sql.ref(column)})::float8 as ${sql.ref(column)}` : sql`0 as ${sql.ref(column)}`,
      ),
    )
  const counted = CELL_COLUMNS.filter((column) => ONCE_COLUMNS.has(column))
  const { rows } = await sql<CellRow>`
    with stored as materialized (
      select subcategory_id, ${sums(CELL_COLUMNS)} from metric_cell
      where location_id = any(${ids}::bigint[]) and period = ${period} and category_id = ${category} group by 1
    ), added as (
      select subcategory_id, ${sums(counted)} from person_cell
      where location_id = any(${ids}::bigint[]) and others <@ ${ids}::bigint[] and period = ${period} and category_id = ${category}
        and not earlier and ${people === 'once'} group by 1
    )
    select c.subcategory_id, coalesce(s.name, 'TOTAL') as name, ${sums(CELL_COLUMNS)}
    from (select * from stored union all select * from added) c left join subcategory s on s.id = c.subcategory_id
    group by c.subcategory_id, s.name order by revenue_cents desc, name`.execute(tx)
  return rows
}

/** Names of all subcategories of a category by id, over all companies; null if there are more than `most`. */
export async function subcategoryNames(tx: Tx, category: number, most: number): Promise<Map<number, string> | null> {
  const rows = await tx
    .selectFrom('subcategory')
    .select(['id', 'name'])
    .where('category_id', '=', category)
    .limit(most + 1)
    .execute()
  return rows.length > most ? null : new Map(rows.map((row) => [row.id, row.name]))
}

/** The sums a cell of the table is calculated from. Money in cents. */
const SUM_COLUMNS = [
  'script_count',
  'revenue_cents',
  'patients',
  'measured_pairs',
  'measured_scripts',
  'adherent_scripts',
  'here_slots',
  'leaked_slots',
] as const
export type PharmacyCell = { location_id: number; category_id: number; subcategory_id: number } & Record<
  (typeof SUM_COLUMNS)[number],
  number
>

/**
 * The cells of each pharmacy: its total (category 0) and the given subcategories of a category, or all if null. Each column arrives as one
 * text of numbers per pharmacy, read by the engine's own JSON parser: a table has tens of thousands of numbers, and reading them one by one
 * costs more than everything else about it.
 */
export async function cellsByPharmacy(
  tx: Tx,
  locationIds: readonly number[],
  period: number,
  category: number,
  subcategoryIds: readonly number[] | null,
  when: 'now' | 'a year earlier' = 'now',
): Promise<PharmacyCell[]> {
  if (when === 'a year earlier') {
    const prior = await priorPeriods(tx, locationIds, period)
    const cells = [...prior].map(([code, ids]) => cellsByPharmacy(tx, ids, code, category, subcategoryIds))
    return (await Promise.all(cells)).flat()
  }
  // Only if it leaves something out: the index would compare every row with the whole list.
  const chosen = subcategoryIds ? sql`and subcategory_id = any(${[0, ...subcategoryIds]}::int[])` : sql``
  const columns = ['category_id', 'subcategory_id', ...SUM_COLUMNS] as const
  const { rows } = await sql<{ location_id: number } & Record<(typeof columns)[number], string>>`
    select location_id, ${sql.join(columns.map((column) => sql`array_agg(${sql.ref(column)})::text as ${sql.ref(column)}`))}
    from metric_cell where location_id = any(${[...locationIds]}::bigint[]) and period = ${period}
      and category_id = any(${[0, category]}::smallint[]) ${chosen}
    group by location_id`.execute(tx)
  return rows.flatMap((row) => {
    const numbers = (column: (typeof columns)[number]) => JSON.parse(`[${row[column].slice(1, -1)}]`) as number[]
    const categories = numbers('category_id')
    const subcategories = numbers('subcategory_id')
    const [scripts, revenue, patients, pairs, measured, adherent, here, leaked] = SUM_COLUMNS.map(numbers) as number[][]
    return categories.map((category_id, at) => ({
      location_id: row.location_id,
      category_id,
      subcategory_id: subcategories[at]!,
      script_count: scripts![at]!,
      revenue_cents: revenue![at]!,
      patients: patients![at]!,
      measured_pairs: pairs![at]!,
      measured_scripts: measured![at]!,
      adherent_scripts: adherent![at]!,
      here_slots: here![at]!,
      leaked_slots: leaked![at]!,
    }))
  })
}

/** Where the cells for the year-earlier dates are stored: the pharmacies of each such period, of which there is mostly one. */
async function priorPeriods(tx: Tx, locationIds: readonly number[], period: number): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ prior: number; ids: number[] }>`
    select prior_period as prior, array_agg(location_id) as ids from metric_total
    where location_id = any(${[...locationIds]}::bigint[]) and period = ${period} and prior_period is not null group by 1`.execute(
    tx,
  )
  return new Map(rows.map(({ prior, ids }) => [prior, ids]))
}

/** The id and category of a subcategory by its name, within a category if given. */
export async function findSubcategory(
  tx: Tx,
  name: string,
  category: number | null,
): Promise<{ id: number; category_id: number } | undefined> {
  return tx
    .selectFrom('subcategory')
    .select(['id', 'category_id'])
    .where('name', '=', name)
    .$if(category !== null, (query) => query.where('category_id', '=', category ?? 0))
    .orderBy('category_id')
    .executeTakeFirst()
}
