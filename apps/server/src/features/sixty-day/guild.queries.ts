import { SIXTY_DAY_SUMS, type SixtyDaySums } from '@pillar/domain/sixty-day/figure'
import type { Area, Behind, Placed } from '@pillar/domain/sixty-day/guild'
import { formatDay } from '@pillar/domain/time/day'
import type { Span } from '@pillar/domain/time/period'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

const GUILD_SPACE = 79
const NAMES = sql.join(SIXTY_DAY_SUMS.map((name) => sql.ref(name)))
const to = (base: Span) => sql`${formatDay(base.to)}::date`

/** Allows one publication at a time, until the transaction ends. */
export async function lockGuild(tx: Tx): Promise<void> {
  // Sums everything of all pharmacies, once a month.
  await sql`set local statement_timeout = '300s'`.execute(tx)
  await sql`select pg_advisory_xact_lock(${sql.lit(GUILD_SPACE)})`.execute(tx)
}

/** The bases shown to the Guild so far. */
export async function readShown(tx: Tx): Promise<Span[]> {
  const { rows } = await sql<Span>`
    select from_day - date '1970-01-01' as from, to_day - date '1970-01-01' as to from guild_sixty_day`.execute(tx)
  return rows
}

/** Pharmacies of all companies that may enter: consenting, with data over all of the base. */
export async function readCandidates(tx: Tx, base: Span): Promise<Placed[]> {
  const { rows } = await sql<Placed>`
    select location_id::int as id, state, postcode
    from guild_sixty_day_candidates(${formatDay(base.from)}::date, ${to(base)}) order by location_id`.execute(tx)
  return rows
}

/** A candidate's own sums over everything, in the order of SIXTY_DAY_SUMS. */
export interface OwnTotal {
  id: number
  tranche: number
  amounts: number[]
}

/** The totals of all candidates, by tranche. */
export async function readTotals(tx: Tx, base: Span): Promise<OwnTotal[]> {
  const { rows } = await sql<{ id: number; tranche: number; amounts: (string | number)[] }>`
    select location_id::int as id, tranche, amounts
    from guild_sixty_day_totals(${formatDay(base.from)}::date, ${to(base)})`.execute(tx)
  return rows.map(({ amounts, ...row }) => ({ ...row, amounts: amounts.map(Number) }))
}

/** Enters pharmacies into a base, for good. */
export async function insertMembers(tx: Tx, base: Span, areas: readonly Area[]): Promise<void> {
  await sql`
    insert into guild_sixty_day_member (to_day, location_id, state, postcode)
    select ${to(base)}, * from unnest(${areas.map(({ id }) => id)}::bigint[], ${areas.map(({ state }) => state)}::text[],
      ${areas.map(({ postcode }) => postcode)}::text[])`.execute(tx)
}

interface CellOfArea {
  state: string
  /** '' for the rest of a state; in a shown row, for the state itself. */
  postcode: string
  category_id: number
  subcategory_id: number
}
/** An area's sums in one cell. */
export interface AreaFigures extends CellOfArea {
  tranche: number
  sums: SixtyDaySums
}
/** The people and pharmacies behind one kind of figure; scope 0 is all tranches, 1 the first, 2 their difference. */
export interface AreaBehind extends CellOfArea, Behind {
  scope: number
  kind: string
}

/** Sums of every area, category and tranche of a base over all companies, before small ones are withheld. */
export async function readFigures(tx: Tx, base: Span): Promise<AreaFigures[]> {
  const { rows } = await sql<Omit<AreaFigures, 'sums'> & SixtyDaySums>`
    select * from guild_sixty_day_figures(${to(base)})`.execute(tx)
  return rows.map(({ state, postcode, category_id, subcategory_id, tranche, ...sums }) => ({
    ...{ state, postcode, category_id, subcategory_id, tranche },
    sums: Object.fromEntries(SIXTY_DAY_SUMS.map((name) => [name, Number(sums[name])])) as unknown as SixtyDaySums,
  }))
}

/** The people and pharmacies behind every figure of a base that could be shown. */
export async function readBehind(tx: Tx, base: Span): Promise<AreaBehind[]> {
  const { rows } = await sql<
    Omit<AreaBehind, 'total' | 'top'> & { total: number; pharmacies: number[]; amounts: number[] }
  >`
    select state, postcode, category_id, subcategory_id, scope, kind, total::float8 as total,
      pharmacies::int[] as pharmacies, amounts::float8[] as amounts
    from guild_sixty_day_behind(${to(base)})`.execute(tx)
  return rows.map(({ pharmacies, amounts, ...row }) => ({
    ...row,
    top: pharmacies.map((id, index) => ({ id, amount: amounts[index]! })),
  }))
}

/** The condition of each molecule's column; null if one name covers medicines of several. */
export async function readConditions(tx: Tx): Promise<Map<number, number | null>> {
  const { rows } = await sql<{ molecule_id: number; condition: number | null }>`
    select molecule_id, case when min(condition_id) = max(condition_id) then min(condition_id) end as condition
    from molecule group by molecule_id`.execute(tx)
  return new Map(rows.map((row) => [row.molecule_id, row.condition]))
}

/** Stores for good what the Guild sees of a base. */
export async function insertPublication(
  tx: Tx,
  base: Span,
  cells: readonly (AreaFigures & { pharmacies: number })[],
  about: { pharmacies: number; shortages: boolean; now: Date },
): Promise<void> {
  await sql`
    insert into guild_sixty_day (to_day, from_day, pharmacies, shortages, published_at)
    values (${to(base)}, ${formatDay(base.from)}::date, ${about.pharmacies}, ${about.shortages}, ${about.now})`.execute(
    tx,
  )
  const rows = cells.map(({ sums, ...cell }) => ({ ...cell, ...sums }))
  await sql`
    insert into guild_sixty_day_cell (to_day, state, postcode, tranche, category_id, subcategory_id, pharmacies, ${NAMES})
    select ${to(base)}, state, postcode, tranche, category_id, subcategory_id, pharmacies, ${NAMES}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c(state text, postcode text, tranche smallint, category_id smallint,
      subcategory_id int, pharmacies int, ${sql.join(SIXTY_DAY_SUMS.map((name) => sql`${sql.ref(name)} bigint`))})`.execute(
    tx,
  )
}

/** The Guild's newest publication, dates ISO; undefined before the first. */
export async function newestPublication(tx: Tx) {
  const { rows } = await sql<{ from: string; to: string; pharmacies: number; shortages: boolean; published_at: Date }>`
    select to_char(from_day, 'YYYY-MM-DD') as from, to_char(to_day, 'YYYY-MM-DD') as to, pharmacies, shortages, published_at
    from guild_sixty_day order by published_at desc, to_day desc limit 1`.execute(tx)
  return rows[0]
}

/** A published row: of a state (postcode '') or one of its postcodes. */
export type GuildRow = SixtyDaySums & {
  state: string
  postcode: string
  subcategory_id: number
  name: string | null
  pharmacies: number
}

/** The published rows of a base in one category (0 the total) and tranche. */
export async function readPublished(tx: Tx, toDay: string, tranche: number, category: number): Promise<GuildRow[]> {
  const { rows } = await sql<GuildRow>`
    select c.state, c.postcode, c.subcategory_id, s.name, c.pharmacies,
      ${sql.join(SIXTY_DAY_SUMS.map((name) => sql`c.${sql.ref(name)}::float8 as ${sql.ref(name)}`))}
    from guild_sixty_day_cell c left join subcategory s on s.id = c.subcategory_id
    where c.to_day = ${toDay}::date and c.tranche = ${tranche} and c.category_id = ${category}
    order by c.state, c.postcode, s.name`.execute(tx)
  return rows
}
