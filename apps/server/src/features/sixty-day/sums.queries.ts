import { noSums, SIXTY_DAY_SUMS, type SixtyDaySum, type SixtyDaySums } from '@pillar/domain/sixty-day/figure'
import { formatDay } from '@pillar/domain/time/day'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { coversAll, RULES, type SumsOf } from './still-true.queries.ts'

/** Advisory lock namespace for calculating a pharmacy's 60-day sums. */
const SIXTY_DAY_SPACE = 78

/** Allows one calculation at a time per pharmacy, until the transaction ends. */
export async function lockSums(tx: Tx, locationId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(SIXTY_DAY_SPACE)}, ${locationId}::int)`.execute(tx)
}

/** A cell ready to store. */
export interface MeasuredCell {
  tranche: number
  category: number
  subcategory: number
  /** In the order of SIXTY_DAY_SUMS. */
  sums: Float64Array
}

/** Replaces the sums of a pharmacy, and records which days and lists they cover, and up to which upload. */
export async function replaceSums(
  tx: Tx,
  locationId: number,
  cells: readonly MeasuredCell[],
  made: SumsOf & { uploadAt: string | null; now: Date },
): Promise<void> {
  const columns: number[][] = Array.from({ length: 3 + SIXTY_DAY_SUMS.length }, () => [])
  for (const { tranche, category, subcategory, sums } of cells)
    for (const [at, value] of [tranche, category, subcategory, ...sums].entries()) columns[at]?.push(value)
  const lists = sql.join(columns.map((list) => sql`${`{${list.join(',')}}`}::bigint[]`))
  const names = sql.join(SIXTY_DAY_SUMS.map((name) => sql.ref(name)))
  await sql`delete from sixty_day_cell where location_id = ${locationId}`.execute(tx)
  await sql`
    insert into sixty_day_cell (location_id, tranche, category_id, subcategory_id, ${names})
    select ${locationId}, u.* from unnest(${lists}) as u(tranche, category, subcategory, ${names})
    order by tranche, category, subcategory /* so that what is read together lies together */`.execute(tx)
  const { base, uploadAt, now } = made
  const { items, shortages } = made.lists.ids
  await sql`delete from sixty_day_base where location_id = ${locationId}`.execute(tx)
  await sql`
    insert into sixty_day_base (location_id, from_day, to_day, complete, items_list, shortages_list, computed_at, upload_at, rules)
    select l.id, ${formatDay(base.from)}::date, ${formatDay(base.to)}::date, ${coversAll(base)}, ${items}, ${shortages}, ${now},
      ${uploadAt}::timestamptz, ${sql.lit(RULES)}
    from location l where l.id = ${locationId}`.execute(tx)
}

/**
 * When something other than an upload changes what sums are counted from, such as an erased patient's date of birth. Waits for sums that are
 * being counted now: they may have been read before the change.
 */
export async function distrustSums(tx: Tx, locationId: number): Promise<void> {
  await lockSums(tx, locationId)
  await sql`update sixty_day_base set upload_at = null where location_id = ${locationId}`.execute(tx)
}

/** A pharmacy of the company with the days and lists of its sums; dates ISO, null before its first sums. */
export interface BasePharmacy {
  id: number
  uuid: string
  name: string
  state: string | null
  postcode: string | null
  from: string | null
  to: string | null
  complete: boolean
  data_to: string | null
  computed_at: Date | null
}

/** The company's pharmacies by name, without removed ones. @param ids only these; all if null */
export async function readPharmacies(tx: Tx, ids: readonly number[] | null): Promise<BasePharmacy[]> {
  const { rows } = await sql<BasePharmacy>`
    select l.id, l.uuid, l.name, l.region as state, l.postcode, to_char(b.from_day, 'YYYY-MM-DD') as from, to_char(b.to_day, 'YYYY-MM-DD') as to,
      coalesce(b.complete, false) as complete, to_char(l.data_to, 'YYYY-MM-DD') as data_to, b.computed_at
    from location l left join sixty_day_base b on b.location_id = l.id
    where l.removed_at is null ${ids === null ? sql`` : sql`and l.id = any(${[...ids]}::bigint[])`}
    order by l.name, l.id`.execute(tx)
  return rows
}

const NONE = noSums()

export type NamedSums = SixtyDaySums & { subcategory_id: number; name: string }

/** The pooled sums of each subcategory of a category over pharmacies. @param names which sums to read; the others are 0 */
export async function sumByColumn(
  tx: Tx,
  ids: readonly number[],
  tranche: number,
  category: number,
  names: readonly SixtyDaySum[],
): Promise<NamedSums[]> {
  const summed = names.map((name) => sql`sum(c.${sql.ref(name)})::float8 as ${sql.ref(name)}`)
  const { rows } = await sql<NamedSums>`
    select u.*, s.name from (
      select c.subcategory_id, ${sql.join(summed)} from sixty_day_cell c
      where c.location_id = any(${[...ids]}::bigint[]) and c.tranche = ${tranche} and c.category_id = ${category}
      group by c.subcategory_id
    ) u join subcategory s on s.id = u.subcategory_id order by s.name`.execute(tx)
  return rows.map((row) => ({ ...NONE, ...row }))
}

export type PharmacySums = SixtyDaySums & { location_id: number; category_id: number; subcategory_id: number }

/** Which cells to read: a category (0 the total), all of it or one subcategory. */
interface CellsAsked {
  category: number
  subcategory?: number
  /** Which sums to read; the others are 0. All if omitted. */
  names?: readonly SixtyDaySum[]
}

/** The sums of pharmacies individually. */
export async function sumsOfPharmacies(
  tx: Tx,
  ids: readonly number[],
  tranche: number,
  { category, subcategory, names = SIXTY_DAY_SUMS }: CellsAsked,
): Promise<PharmacySums[]> {
  const plain = names.map((name) => sql`c.${sql.ref(name)}::float8 as ${sql.ref(name)}`)
  const { rows } = await sql<PharmacySums>`
    select c.location_id, c.category_id, c.subcategory_id, ${sql.join(plain)} from sixty_day_cell c
    where c.location_id = any(${[...ids]}::bigint[]) and c.tranche = ${tranche} and c.category_id = ${category}
      ${subcategory === undefined ? sql`` : sql`and c.subcategory_id = ${subcategory}`}`.execute(tx)
  return rows.map((row) => ({ ...NONE, ...row }))
}
