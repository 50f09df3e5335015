import { SIXTY_DAY_SUMS, type SixtyDaySums } from '@pillar/domain/sixty-day/figure'
import type { Area, Placed } from '@pillar/domain/sixty-day/guild'
import { formatDay } from '@pillar/domain/time/day'
import type { Span } from '@pillar/domain/time/period'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

const GUILD_SPACE = 79
const NAMES = sql.join(SIXTY_DAY_SUMS.map((name) => sql.ref(name)))
const to = (base: Span) => sql`${formatDay(base.to)}::date`

/** One publication at a time, until the transaction ends. */
export async function lockGuild(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(GUILD_SPACE)})`.execute(tx)
}

/** Whether the Guild has been shown a base. */
export async function isPublished(tx: Tx, base: Span): Promise<boolean> {
  const { rows } = await sql`select from guild_sixty_day where to_day = ${to(base)}`.execute(tx)
  return rows.length > 0
}

/** Pharmacies of all companies that may enter: consenting, with data over all of the base. */
export async function readCandidates(tx: Tx, base: Span): Promise<Placed[]> {
  const { rows } = await sql<Placed>`
    select location_id::int as id, state, postcode
    from guild_sixty_day_candidates(${formatDay(base.from)}::date, ${to(base)}) order by location_id`.execute(tx)
  return rows
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
  /** '' for the rest of a state; of a row that is shown, for the state itself. */
  postcode: string
  category_id: number
  subcategory_id: number
}
/** What an area adds up to in one cell, and up to three pharmacies behind its scripts and its affected scripts. */
export interface AreaFigures extends CellOfArea {
  tranche: number
  sums: SixtyDaySums
  dispensing: readonly number[] | null
  affected: readonly number[] | null
}
/** Up to three pharmacies whose figures differ between all tranches and the first. */
export interface Between extends CellOfArea {
  differing: readonly number[]
}

export async function readFigures(tx: Tx, base: Span): Promise<AreaFigures[]> {
  const { rows } = await sql<Omit<AreaFigures, 'sums'> & SixtyDaySums>`
    select * from guild_sixty_day_figures(${to(base)})`.execute(tx)
  return rows.map(({ state, postcode, category_id, subcategory_id, tranche, dispensing, affected, ...sums }) => ({
    ...{ state, postcode, category_id, subcategory_id, tranche, dispensing, affected },
    sums: Object.fromEntries(SIXTY_DAY_SUMS.map((name) => [name, Number(sums[name])])) as unknown as SixtyDaySums,
  }))
}

export async function readBetween(tx: Tx, base: Span): Promise<Between[]> {
  const { rows } = await sql<Between>`select * from guild_sixty_day_between(${to(base)})`.execute(tx)
  return rows
}

/** The condition of each molecule's column; null where one name stands for medicines of several. */
export async function readConditions(tx: Tx): Promise<Map<number, number | null>> {
  const { rows } = await sql<{ molecule_id: number; condition: number | null }>`
    select molecule_id, case when min(condition_id) = max(condition_id) then min(condition_id) end as condition
    from molecule group by molecule_id`.execute(tx)
  return new Map(rows.map((row) => [row.molecule_id, row.condition]))
}

/** Writes down for good what the Guild sees of a base. */
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
  const rows = cells.map(({ sums, dispensing: _, affected: __, ...cell }) => ({ ...cell, ...sums }))
  await sql`
    insert into guild_sixty_day_cell (to_day, state, postcode, tranche, category_id, subcategory_id, pharmacies, ${NAMES})
    select ${to(base)}, state, postcode, tranche, category_id, subcategory_id, pharmacies, ${NAMES}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c(state text, postcode text, tranche smallint, category_id smallint,
      subcategory_id int, pharmacies int, ${sql.join(SIXTY_DAY_SUMS.map((name) => sql`${sql.ref(name)} bigint`))})`.execute(
    tx,
  )
}

/** The newest base that the Guild has been shown, dates ISO; undefined before the first. */
export async function newestPublication(tx: Tx) {
  const { rows } = await sql<{ from: string; to: string; pharmacies: number; shortages: boolean; published_at: Date }>`
    select to_char(from_day, 'YYYY-MM-DD') as from, to_char(to_day, 'YYYY-MM-DD') as to, pharmacies, shortages, published_at
    from guild_sixty_day order by to_day desc limit 1`.execute(tx)
  return rows[0]
}

/** A published row: of a state (postcode '') or of a postcode of it. */
export type GuildRow = SixtyDaySums & {
  state: string
  postcode: string
  subcategory_id: number
  name: string | null
  pharmacies: number
}

/** What is published of a base in one category (0 the total) and tranche. */
export async function readPublished(tx: Tx, toDay: string, tranche: number, category: number): Promise<GuildRow[]> {
  const { rows } = await sql<GuildRow>`
    select c.state, c.postcode, c.subcategory_id, s.name, c.pharmacies,
      ${sql.join(SIXTY_DAY_SUMS.map((name) => sql`c.${sql.ref(name)}::float8 as ${sql.ref(name)}`))}
    from guild_sixty_day_cell c left join subcategory s on s.id = c.subcategory_id
    where c.to_day = ${toDay}::date and c.tranche = ${tranche} and c.category_id = ${category}
    order by c.state, c.postcode, s.name`.execute(tx)
  return rows
}
