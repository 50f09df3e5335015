import type { AverageSums } from '@pillar/domain/average/average-period'
import { type Day, day, formatDay } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'

const AVERAGE_SPACE = 45

/** Allows one publication at a time per country, until the transaction ends. */
export async function lockAverages(tx: Tx, country: Country): Promise<void> {
  const at = ['AU', 'GB', 'US'].indexOf(country)
  await sql`select pg_advisory_xact_lock(${sql.lit(AVERAGE_SPACE)}, ${at}::int)`.execute(tx)
}

export interface Candidate {
  period: number
  location_id: number
  company_id: number
}

/** Pharmacies of a country that may enter these periods and have not yet: complete, with five scripts a business day. */
export async function readCandidates(tx: Tx, country: Country, periods: readonly number[]): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select * from average_candidates(${country}, ${[...periods]}::int[])`.execute(tx)
  return rows
}

/** Pharmacies that are in every one of these months, but not yet in the period these make up, with the companies they belong to now. */
export async function readMembersOfAll(
  tx: Tx,
  country: Country,
  months: readonly number[],
  period: number,
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select ${period}::int as period, m.location_id, l.company_id
    from average_member m join location l on l.id = m.location_id where m.country = ${country} and m.period = any(${[...months]}::int[])
      and not exists (select from average_member o where o.country = m.country and o.period = ${period} and o.location_id = m.location_id)
    group by m.location_id, l.company_id having count(*) = ${months.length}`.execute(tx)
  return rows
}

/** Enters pharmacies into a period as its next group, for good. */
export async function insertGroup(
  tx: Tx,
  country: Country,
  period: number,
  group: readonly Candidate[],
  now: Date,
): Promise<void> {
  await sql`
    insert into average_member (country, period, location_id, company_id, group_no, entered_at)
    select ${country}, ${period}, g.location_id, g.company_id,
           (select coalesce(max(group_no), 0) + 1 from average_member where country = ${country} and period = ${period}), ${now}
    from unnest(${group.map((one) => one.location_id)}::bigint[], ${group.map((one) => one.company_id)}::bigint[])
      as g(location_id, company_id)`.execute(tx)
}

/** A group of a period, and the companies to which it has not been published. */
export interface Unpublished {
  period: number
  group_no: number
  companies: number[]
}

/** Companies to which averages are published: those whose people sign in. */
export async function readShown(tx: Tx, country: Country): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select c.id from company c where c.country = ${country}
      and exists (select from login l where l.company_id = c.id and l.disabled_at is null)`.execute(tx)
  return rows.map((row) => row.id)
}

/** Records that everything due on a day has been published to these companies. */
export async function recordRun(tx: Tx, companies: readonly number[], today: Day): Promise<void> {
  await sql`
    insert into average_run (company_id, last_run) select id, ${formatDay(today)}::date from unnest(${[...companies]}::bigint[]) as c(id)
    on conflict (company_id) do update set last_run = greatest(average_run.last_run, excluded.last_run)`.execute(tx)
}

/** The last day on which everything due was published to the company in scope; null before the first. */
export async function readLastRun(tx: Tx, companyId: number): Promise<Day | null> {
  const row = await tx
    .selectFrom('average_run')
    .select('last_run')
    .where('company_id', '=', companyId)
    .executeTakeFirst()
  return row ? day(row.last_run) : null
}

/** Groups some company has not seen yet, oldest period first. Only companies whose people sign in count. */
export async function readUnpublished(tx: Tx, country: Country): Promise<Unpublished[]> {
  const { rows } = await sql<Unpublished>`
    select g.period, g.group_no, array_agg(c.id order by c.id) as companies
    from (select distinct period, group_no from average_member where country = ${country}) g
    cross join company c
    where c.country = ${country}
      and exists (select from login l where l.company_id = c.id and l.disabled_at is null)
      and not exists (select from product_average p where p.company_id = c.id and p.period = g.period
        and p.category_id = 0 and p.subcategory_id = 0 and p.group_no = g.group_no)
    group by g.period, g.group_no order by g.period, g.group_no`.execute(tx)
  return rows
}

/** The number of pharmacies each company has in a group. */
export async function countMembers(
  tx: Tx,
  country: Country,
  { period, group_no }: Unpublished,
): Promise<Map<number, number>> {
  const rows = await tx
    .selectFrom('average_member')
    .select((eb) => ['company_id', eb.fn.countAll<number>().as('pharmacies')])
    .where('country', '=', country)
    .where('period', '=', period)
    .where('group_no', '=', group_no)
    .groupBy('company_id')
    .execute()
  return new Map(rows.map((row) => [row.company_id, Number(row.pharmacies)]))
}

/** A pharmacy of a group that has moved since it entered it: from which company, and to which it belongs now. */
export interface Moved {
  location_id: number
  seller: number
  buyer: number
}

/** The pharmacies of a group that have moved to another company since they entered it. */
export async function readMoved(
  tx: Tx,
  country: Country,
  { period, group_no }: Pick<Unpublished, 'period' | 'group_no'>,
): Promise<Moved[]> {
  const { rows } = await sql<Moved>`
    select m.location_id, m.company_id as seller, l.company_id as buyer
    from average_member m join location l on l.id = m.location_id
    where m.country = ${country} and m.period = ${period} and m.group_no = ${group_no}
      and l.company_id <> m.company_id`.execute(tx)
  return rows
}

/** The sums of one company's pharmacies of a group in one cell, and how many of them have any. Money in cents. */
export interface CompanyFigures {
  company_id: number
  category_id: number
  subcategory_id: number
  script_count: number
  revenue_cents: number
  measured_scripts: number
  adherent_scripts: number
  here_slots: number
  leaked_slots: number
  dispensing: number
  earning: number
  measuring: number
  leaking: number
}

/**
 * Each company's figures for one period and group, from which the product average is made. Read across tenants, and never answered as they
 * are.
 */
export async function readFigures(
  tx: Tx,
  country: Country,
  { period, group_no }: Unpublished,
): Promise<CompanyFigures[]> {
  const { rows } = await sql<CompanyFigures>`
    select * from average_figures(${country}, ${period}, ${group_no}::int)`.execute(tx)
  return rows
}

/** The drug type and condition of each molecule's subcategory; for a name with several molecules, those of the one known longest. */
export async function readMoleculeParents(tx: Tx): Promise<Map<number, readonly [number, number]>> {
  const rows = await tx
    .selectFrom('molecule')
    .select(['molecule_id', 'drug_type_id', 'condition_id'])
    .orderBy('id', 'desc')
    .execute()
  return new Map(rows.map((row) => [row.molecule_id, [row.drug_type_id, row.condition_id] as const]))
}

/** A cell of a company's product average for one group, as stored. */
export interface PublishedCell extends AverageSums {
  category_id: number
  subcategory_id: number
}

const COLUMNS = [
  'script_count',
  'revenue_cents',
  'measured_scripts',
  'adherent_scripts',
  'here_slots',
  'leaked_slots',
] as const

/** Stores for good what a group shows a company. */
export async function insertPublished(
  tx: Tx,
  company: number,
  { period, group_no }: Unpublished,
  cells: readonly PublishedCell[],
): Promise<void> {
  await sql`
    insert into product_average (company_id, period, group_no, category_id, subcategory_id, pharmacies, ${sql.join(COLUMNS.map((name) => sql.ref(name)))})
    select ${company}, ${period}, ${group_no}, c.category_id, c.subcategory_id, c.pharmacies, ${sql.join(COLUMNS.map((name) => sql.ref(`c.${name}`)))}
    from jsonb_to_recordset(${JSON.stringify(cells)}::jsonb) as c(category_id smallint, subcategory_id integer, pharmacies integer,
      ${sql.join(COLUMNS.map((name) => sql`${sql.ref(name)} bigint`))})`.execute(tx)
}

/** What the company in scope may see of these periods: the total (category 0) and one category, with a row per group. */
export async function readPublished(
  tx: Tx,
  companyId: number,
  periods: readonly number[],
  category: number,
): Promise<(PublishedCell & { period: number })[]> {
  return tx
    .selectFrom('product_average')
    .select(['period', 'category_id', 'subcategory_id', 'pharmacies', ...COLUMNS])
    .where('company_id', '=', companyId)
    .where('period', 'in', [...periods])
    .where('category_id', 'in', [0, category])
    .orderBy('group_no')
    .execute()
}

/** Countries that have companies. */
export async function readCountries(system: Database): Promise<Country[]> {
  const rows = await system.selectFrom('company').select('country').distinct().orderBy('country').execute()
  return rows.map((row) => row.country as Country)
}
