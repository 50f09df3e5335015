import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { FigureColumn, Sums } from '../figure-sums.queries.ts'

/** What a pharmacy's page shows besides its figures. */
export interface PharmacyDetail {
  street_address: string | null
  town: string | null
  phone_number: string | null
  data_source: string | null
}

/** Address, phone and dispensing system of a pharmacy. */
export async function pharmacyDetail(tx: Tx, locationId: number): Promise<PharmacyDetail> {
  return tx
    .selectFrom('location')
    .select(['street_address', 'town', 'phone_number', 'data_source'])
    .where('id', '=', locationId)
    .executeTakeFirstOrThrow()
}

/** Ids of all pharmacies in scope. */
export async function groupIds(tx: Tx): Promise<number[]> {
  const rows = await tx.selectFrom('location').select('id').where('removed_at', 'is', null).execute()
  return rows.map(({ id }) => id)
}

/** One month's sums: of a pharmacy, and of its group. */
export interface MonthSums {
  period: number
  /** Pharmacies with figures of the month. */
  pharmacies: number
  group: Sums
  /** Business days of the group's pharmacies that sent some cost. */
  costed_days: number
  /** Null if the pharmacy has none. */
  own: Sums | null
}

/**
 * Monthly sums over the group, and of one of its pharmacies. One row per month with figures.
 * @param columns the ones needed; the others are missing
 */
export async function monthSums(
  tx: Tx,
  locationId: number,
  group: readonly number[],
  periods: readonly number[],
  columns: readonly FigureColumn[],
): Promise<MonthSums[]> {
  const own = sql`filter (where location_id = ${locationId})`
  const { rows } = await sql<MonthSums>`
    select period, count(*)::int as pharmacies, coalesce(sum(business_days) filter (where costed_scripts > 0), 0)::int as costed_days,
      json_build_object(${sql.join(columns.map((name) => sql`${sql.lit(name)}, sum(${sql.ref(name)})`))}) as group,
      case when count(*) ${own} > 0
        then json_build_object(${sql.join(columns.map((name) => sql`${sql.lit(name)}, sum(${sql.ref(name)}) ${own}`))}) end as own
    from metric_figure
    where location_id = any(${[...group]}::bigint[]) and period = any(${[...periods]}::int[])
    group by period`.execute(tx)
  return rows
}

/** A cell of the pharmacy, in the period or in its comparison period. Money in cents. */
export interface OwnCell {
  category_id: number
  subcategory_id: number
  /** 'TOTAL' for all of them together. */
  name: string
  now: boolean
  script_count: number
  revenue_cents: number
  measured_pairs: number
  measured_scripts: number
  adherent_scripts: number
  opportunity_cents: number
}

/** The cells of one pharmacy in a period, its total and those of a category, and those of a year earlier if it is compared. */
export async function ownCells(tx: Tx, locationId: number, period: number, category: number): Promise<OwnCell[]> {
  const { rows } = await sql<OwnCell>`
    with cell as materialized (
      select c.category_id, c.subcategory_id, c.period = f.period as now, c.script_count, c.revenue_cents,
        c.measured_pairs, c.measured_scripts, c.adherent_scripts, c.opportunity_cents
      from metric_figure f
      join metric_cell c on c.location_id = f.location_id and c.period in (f.period, f.prior_period)
        and c.category_id = any(${[0, category]}::smallint[])
      where f.location_id = ${locationId} and f.period = ${period})
    select c.*, coalesce(s.name, 'TOTAL') as name from cell c left join subcategory s on s.id = c.subcategory_id`.execute(
    tx,
  )
  return rows
}

/** An upload as its pharmacy's page lists it. */
export interface UploadRow {
  uuid: string
  created_at: Date
  data_source: string
  etl_state: string
  notes: string
  from_day: string | null
  to_day: string | null
  rows: number | null
  faulty: number | null
}

/** The newest uploads of a pharmacy, newest first. */
export async function newestUploads(tx: Tx, locationId: number, count: number): Promise<UploadRow[]> {
  const { rows } = await sql<UploadRow>`
    select u.uuid, coalesce(u.location_upload_time, u.created_at) as created_at, u.data_source, u.etl_state, u.notes, coalesce(u.covers_from, u.first_day) as from_day,
      coalesce(u.covers_to, u.last_day) as to_day, f.rows, f.faulty
    from upload u left join lateral (
      select sum(row_count)::int as rows, sum(faulty)::int as faulty from upload_file
      where location_id = u.location_id and upload_id = u.id
    ) f on true
    where u.location_id = ${locationId} order by u.created_at desc, u.id desc limit ${count}`.execute(tx)
  return rows
}

/** A campaign with its messages at one pharmacy. Money in cents. */
export interface PharmacyCampaignRow {
  uuid: string
  name: string
  active: boolean
  start_day: string | null
  end_day: string | null
  sms: number
  email: number
  reach: number
  cost_cents: number
}

/** Campaigns that cover a pharmacy or have messaged at it: running ones first, then newest first. */
export async function campaignsAt(tx: Tx, locationId: number): Promise<PharmacyCampaignRow[]> {
  const { rows } = await sql<PharmacyCampaignRow>`
    select c.uuid, c.name, c.active, c.start_day, c.end_day, coalesce(s.sms, 0) as sms, coalesce(s.email, 0) as email,
      coalesce(s.reach, 0) as reach, coalesce(s.cost_cents, 0) as cost_cents
    from campaign c left join campaign_stat s on s.campaign_id = c.id and s.location_id = ${locationId}
    where c.removed_at is null and (s.campaign_id is not null
      or exists (select from campaign_location p where p.campaign_id = c.id and p.location_id = ${locationId}))
    order by c.active desc, c.id desc`.execute(tx)
  return rows
}
