import type { ChainFault } from '@pillar/domain/s8/attention'
import { STOCKTAKE_WARNING_DAYS } from '@pillar/domain/s8/stocktake'
import { ACTIVE_DAYS } from '@pillar/domain/s8/treatment'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { type ListAsk, pageOf } from '../../db/list.ts'
import { WITH_OWNER } from '../location/owner.queries.ts'
import { refersTo } from './refers-to.queries.ts'

/** A pharmacy with its registers' summary. */
export interface StatsRow {
  id: number
  location: {
    name: string
    uuid: string
    s8_stocktake_warning_days: number | null
    street_address: string | null
    town: string | null
    region: string | null
    postcode: string | null
    phone_number: string | null
    time_zone: string
  }
  owner: { email: string; first_name: string; last_name: string } | null
  last_stocktake_taken_on: string | null
  overdue: number
  incoming_scripts: number | null
  incoming_invoices: number | null
  owing: number
  partial: number
  countersigns: number
  destructions: number
  sent_odt: number | null
  dosed: number
  odt_claims: number | null
  sent_ss: number | null
  staged: number
  upload_time: Date | null
  checked_at: Date | null
  checked_entries: number | null
  fault: ChainFault | null
}

/** The number of days a count stays valid at a pharmacy `l`. */
export const warningDays = sql`coalesce(l.s8_stocktake_warning_days, ${sql.lit(STOCKTAKE_WARNING_DAYS)})`
/** The current day at a pharmacy `l`. */
export const todayAt = (now: Date) => sql`(${now}::timestamptz at time zone l.time_zone)::date`

/** Owner of a pharmacy as JSON; null if it has none. */
export const ownerJson = sql`case when o.location_id is null then null
  else jsonb_build_object('email', o.email, 'first_name', o.first_name, 'last_name', o.last_name) end`

/**
 * Patients with a dose or an instalment in the last 30 days, including today. Naming both types lets PostgreSQL use the index s8_entry_dose,
 * and the 32 days its newest part alone.
 */
const dosed = (type: 'odt_dose' | 'staged', now: Date) => sql`(
  select count(distinct coalesce(e.patient_id, lower(trim(e.party_name)))) from s8_entry e
  where e.location_id = l.id and e.entry_type in ('odt_dose', 'staged') and e.entry_type = ${sql.lit(type)}
    and (e.occurred_at at time zone l.time_zone)::date > ${todayAt(now)} - ${sql.lit(ACTIVE_DAYS)} and e.occurred_at > ${now}::timestamptz - interval '32 days'
    and not exists (select from s8_entry r where r.location_id = l.id and ${refersTo('r')} and r.entry_type = 'reversal'))`

const columns = (now: Date) => sql`
  l.id, jsonb_build_object('name', l.name, 'uuid', l.uuid, 's8_stocktake_warning_days', l.s8_stocktake_warning_days,
    'street_address', l.street_address, 'town', l.town, 'region', l.region, 'postcode', l.postcode, 'phone_number', l.phone_number,
    'time_zone', l.time_zone) as location,
  ${ownerJson} as owner, s.last_stocktake_on::text as last_stocktake_taken_on, ${overdue(now)} as overdue,
  t.incoming_scripts, t.incoming_invoices, coalesce(s.owing_scripts, 0) as owing, coalesce(s.partial_supplies, 0) as partial,
  coalesce(s.countersigns, 0) as countersigns, coalesce(s.destructions, 0) as destructions,
  t.active_odt_patients as sent_odt, ${dosed('odt_dose', now)} as dosed, t.pending_odt_claims as odt_claims,
  t.active_ss_patients as sent_ss, ${dosed('staged', now)} as staged, s.uploaded_at as upload_time,
  s.checked_at, s.checked_entries, s.fault`

/** Active products whose last count is too old; those never counted are not included. */
function overdue(now: Date): RawBuilder<unknown> {
  return sql`(select count(*) from s8_product p where p.location_id = l.id and not p.inactive
    and ${todayAt(now)} - p.last_stocktake_on > ${warningDays})`
}

/** The number of a pharmacy's active products whose count is too old. */
export async function overdueAt(tx: Tx, locationId: number, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (${overdue(now)})::int as count from location l where l.id = ${locationId}`.execute(tx)
  return rows[0]?.count ?? 0
}

const from = sql`location l
  ${WITH_OWNER}
  left join s8_pharmacy s on s.location_id = l.id
  left join lateral (
    select * from s8_status t where t.location_id = l.id order by t.taken_at desc limit 1
  ) t on true`

/** A page of the company's pharmacies with their registers. */
export function listStats(tx: Tx, input: ListAsk<StatsSort>, now: Date) {
  return pageOf<StatsRow, StatsSort>(
    tx,
    {
      select: columns(now),
      from,
      where: [sql`l.removed_at is null`],
      search: [sql`l.name`],
      sort: {
        name: sql`lower(l.name)`,
        last_stocktake_taken_on: sql`s.last_stocktake_on`,
        overdue_products_count: overdue(now),
        owing_script_count: sql`coalesce(s.owing_scripts, 0)`,
        pending_partial_supplies_count: sql`coalesce(s.partial_supplies, 0)`,
        pending_countersigned_count: sql`coalesce(s.countersigns, 0)`,
        pending_destruction_count: sql`coalesce(s.destructions, 0)`,
        upload_time: sql`s.uploaded_at`,
      },
      key: sql`l.id`,
    },
    input,
  )
}

type StatsSort =
  | 'name'
  | 'last_stocktake_taken_on'
  | 'overdue_products_count'
  | 'owing_script_count'
  | 'pending_partial_supplies_count'
  | 'pending_countersigned_count'
  | 'pending_destruction_count'
  | 'upload_time'

/** One pharmacy of the scope with its registers; null for any other uuid. */
export async function findStats(tx: Tx, uuid: string, now: Date): Promise<StatsRow | null> {
  const { rows } = await sql<StatsRow>`
    select ${columns(now)} from ${from} where l.uuid = ${uuid} and l.removed_at is null`.execute(tx)
  return rows[0] ?? null
}

/** The fields of a pharmacy of the scope that its registers need. */
export interface S8Place {
  id: number
  name: string
  time_zone: string
  today: string
  warning_days: number
}

/** A pharmacy of the scope by its uuid; null for any other. */
export async function findPlace(tx: Tx, uuid: string, now: Date): Promise<S8Place | null> {
  const { rows } = await sql<S8Place>`
    select l.id, l.name, l.time_zone, ${todayAt(now)}::text as today, ${warningDays} as warning_days
    from location l where l.uuid = ${uuid} and l.removed_at is null`.execute(tx)
  return rows[0] ?? null
}

/** Active products of a pharmacy by the state of their count, and the head of its chain. */
export async function countProducts(tx: Tx, place: S8Place) {
  const { rows } = await sql<{ counted: number; overdue: number; never: number; entries: number; head: string }>`
    select count(*) filter (where ${place.today}::date - last_stocktake_on <= ${place.warning_days}) as counted,
      count(*) filter (where ${place.today}::date - last_stocktake_on > ${place.warning_days}) as overdue,
      count(*) filter (where last_stocktake_on is null) as never,
      coalesce((select seq from s8_head where location_id = ${place.id}), 0) as entries,
      coalesce((select encode(hash, 'hex') from s8_head where location_id = ${place.id}), '') as head
    from s8_product where location_id = ${place.id} and not inactive`.execute(tx)
  return rows[0]!
}

/** The last summary of a register that can be checked: its head, and when it was checked. */
export async function findCheck(tx: Tx, locationId: number) {
  return tx
    .selectFrom('s8_pharmacy')
    .select(['checked_at', 'checked_entries', 'fault'])
    .where('location_id', '=', locationId)
    .executeTakeFirst()
}
