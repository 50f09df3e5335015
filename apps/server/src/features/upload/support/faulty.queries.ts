import { isUuid } from '@pillar/domain/text/uuid'
import { holidayRegion } from '@pillar/domain/time/holiday'
import { FAULTY_RANK, type FaultyState } from '@pillar/domain/upload/faulty-upload'
import { NEVER_UPLOADED } from '@pillar/domain/upload/upload-state'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { likePattern } from '../../../db/like.ts'
import type { CalendarPlace } from '../../../db/local-calendar.ts'
import { isoTime } from '../../company/company-admin.queries.ts'

/** Adds a restriction to these companies, by uuid; none if they are omitted. */
const within = (companies?: readonly string[]) =>
  companies ? sql`and l.company_id in (select id from company where uuid = any (${companies}::uuid[]))` : sql``

/**
 * The places of pharmacies, each once; `postcode` null stands for every postcode of the place, a region of '' for none. No pharmacy is in
 * two of them: the list would show it twice.
 */
export async function listPlaces(tx: Tx, companies?: readonly string[]): Promise<CalendarPlace[]> {
  const { rows } = await sql<CalendarPlace & { region: string }>`
    select distinct l.country, coalesce(l.region, '') as region, null as postcode, l.time_zone from location l
    where l.removed_at is null ${within(companies)}`.execute(tx)
  const unclear = rows.filter(({ country, region }) => holidayRegion(country, region, null) === null)
  if (unclear.length === 0) return rows
  // The postcode decides whose holidays count only if the region of the address does not.
  const [countries, regions] = [unclear.map(({ country }) => country), unclear.map(({ region }) => region)]
  const { rows: single } = await sql<CalendarPlace>`
    select distinct l.country, coalesce(l.region, '') as region, coalesce(l.postcode, '') as postcode, l.time_zone from location l
    where l.removed_at is null ${within(companies)}
      and (l.country, coalesce(l.region, '')) in (select * from unnest(${countries}::text[], ${regions}::text[]))`.execute(
    tx,
  )
  return [...rows.filter((one) => !unclear.includes(one)), ...single]
}

export type FaultySort = 'status' | 'name' | 'company' | 'upload_time' | 'last_successful_upload_on'

/** Whose uploads to check, and when a pharmacy counts as silent. */
export interface StandingAsk {
  module: string
  /** For each place, the instant before which a last success counts as silent. */
  cuts: readonly (CalendarPlace & { cut: Date })[]
  now: Date
  /** Companies by uuid; all if omitted. */
  companies?: readonly string[]
}

export interface FaultyAsk extends StandingAsk {
  /** Whether to list those silent for too long as well. */
  silent: boolean
  snoozed: boolean
  status: FaultyState | null
  /** Login id; 0 for unassigned ones, null for all. */
  assigned: number | null
  search: string
  sort: FaultySort
  order: 'asc' | 'desc'
  limit: number
  offset: number
}

export interface FaultyRow {
  id: string
  name: string
  company_uuid: string
  company_name: string
  country: CalendarPlace['country']
  region: string | null
  postcode: string | null
  time_zone: string
  data_source: string | null
  status: FaultyState
  upload: string | null
  upload_time: string | null
  notes: string
  faults: number
  requested_at: string | null
  requested_by: string | null
  last_successful_upload_on: string | null
  added_at: string
  assigned_uuid: string | null
  assigned_name: string | null
  note: string
  snoozed_until: string | null
  snoozed_until_change: boolean
  version: number
}

export interface FaultyStats {
  total: number
  silent: number
  never: number
  completed: number
  snoozed: number
  oldest_added_at: string | null
  last_completed_at: string | null
  states: { state: FaultyState; count: number }[] | null
  sources: { data_source: string | null; count: number }[] | null
}

const UNDER_WAY = sql`('REQUESTED', 'RECEIVED', 'OVERRIDE', 'PROCESSING')`

/**
 * Every pharmacy with the module, and the state of its uploads. `state` is that of its newest upload since the last completed one, if there
 * is one; `trouble` means that one of these failed or never came. An upload that ended before the last success is history.
 */
function standing({ module, cuts, now, companies }: StandingAsk): RawBuilder<unknown> {
  const known = Object.fromEntries(cuts.map(({ cut, ...place }) => [placeKey(place), cut.toISOString()]))
  return sql`cuts as materialized (select ${JSON.stringify(known)}::jsonb as at), newest as (
    select u.location_id, (array_agg(u.id order by u.created_at desc, u.id desc))[1] as upload_id,
      (array_agg(u.etl_state order by u.created_at desc, u.id desc))[1] as state,
      bool_or(u.etl_state in ('ERROR', 'NOT RECEIVED')) as trouble
    from upload u join location l on l.id = u.location_id
    where u.etl_state <> 'COMPLETED' ${within(companies)}
      and (u.etl_state in ${UNDER_WAY} or l.last_upload_at is null or u.last_updated > l.last_upload_at)
    group by u.location_id
  ), standing as materialized (
    select l.id, l.uuid, l.name, c.name as company, l.data_source, l.last_upload_at, l.created_at, n.upload_id,
      coalesce(n.state, case when l.last_upload_at is null then ${NEVER_UPLOADED}::text else 'NOT RECEIVED' end) as state,
      l.last_upload_at < ${CUT} as silent, l.last_upload_at is null as never, coalesce(n.trouble, false) as trouble
    from location l
    join company c on c.id = l.company_id and c.removed_at is null
    join location_module x on x.location_id = l.id and x.module_id = (select id from module where name = ${module})
    left join newest n on n.location_id = l.id
    where l.removed_at is null ${within(companies)}
  ), faulty as materialized (
    select s.*, w.assigned_to, coalesce(w.snoozed_until > ${now}::timestamptz, false)
        or w.snoozed_state is not distinct from ${STATE_KEY} as snoozed
    from standing s left join upload_work w on w.location_id = s.id
    where s.trouble or s.never or s.silent
  )`
}

/** One key for a place. `CUT` applies the same to a pharmacy `l`: first its own postcode's, then the one for every postcode of the place. */
const placeKey = ({ country, time_zone, region, postcode }: CalendarPlace) =>
  [country, time_zone, postcode ?? '', region ?? ''].join('|')

/**
 * A look-up, not a join: for a join over four columns the planner expects one pharmacy, and everything after it then loops over all uploads
 * for each of the thousands there are.
 */
const CUT = sql`(select coalesce(
    at ->> (l.country || '|' || l.time_zone || '|' || coalesce(l.postcode, '') || '|' || coalesce(l.region, '')),
    at ->> (l.country || '|' || l.time_zone || '||' || coalesce(l.region, '')))::timestamptz from cuts)`

/** A pharmacy's present state as a key that shows any change: the state, the upload that made it, and the last success. */
const STATE_KEY = sql`concat_ws('/', s.state, coalesce(s.upload_id, 0), coalesce(extract(epoch from s.last_upload_at), 0))`

const RANK = sql`case f.state ${sql.join(
  Object.entries(FAULTY_RANK).map(([state, rank]) => sql`when ${sql.lit(state)} then ${sql.lit(rank)}`),
  sql` `,
)} end`

const SORTS: Readonly<Record<FaultySort, RawBuilder<unknown>>> = {
  status: RANK,
  name: sql`lower(f.name)`,
  company: sql`lower(f.company)`,
  upload_time: sql`(select coalesce(u.location_upload_time, u.requested_at, u.created_at) from upload u where u.id = f.upload_id)`,
  last_successful_upload_on: sql`f.last_upload_at`,
}

/**
 * One page of the pharmacies that need attention, the total over all pages, and the state of all pharmacies. Sums of `states` and `sources`
 * cover those that need attention and are not snoozed.
 */
export async function listFaulty(
  tx: Tx,
  ask: FaultyAsk,
): Promise<{ rows: FaultyRow[]; total: number; stats: FaultyStats }> {
  const { silent, limit, offset } = ask
  const direction = sql.raw(ask.order)
  const { rows } = await sql<FaultyStats & { rows: FaultyRow[] | null; matching: number }>`
    with ${standing(ask)}, shown as (
      select f.* from faulty f where ${shown(ask)}
    ), page as (
      select f.id, f.upload_id, f.state, row_number() over (order by ${SORTS[ask.sort]} ${direction} nulls last, lower(f.name), f.id) as at
      from shown f
    ), working as materialized (
      select state, data_source from faulty where not snoozed and (${silent} or trouble or never)
    )
    select (select json_agg(to_jsonb(r) - 'at' order by r.at) from (${pageRows(limit, offset)}) r) as rows,
      (select count(*)::int from shown) as matching, t.*,
      (select count(*)::int from faulty where state = ${NEVER_UPLOADED}) as never,
      (select count(*)::int from faulty where snoozed) as snoozed,
      (select ${isoTime(sql`min(created_at)`)} from faulty where state = ${NEVER_UPLOADED}) as oldest_added_at,
      (select json_agg(json_build_object('state', state, 'count', count)) from (
         select state, count(*) as count from working group by state) s) as states,
      (select json_agg(json_build_object('data_source', data_source, 'count', count) order by count desc, data_source) from (
         select data_source, count(*) as count from working group by data_source) s) as sources
    from (
      select count(*)::int as total, (count(*) filter (where silent))::int as silent,
        (count(*) filter (where not trouble and not never and not silent))::int as completed,
        ${isoTime(sql`max(last_upload_at)`)} as last_completed_at
      from standing
    ) t`.execute(tx)
  const { rows: found, matching, ...stats } = rows[0]!
  return { rows: found ?? [], total: matching, stats }
}

/** The ids of the pharmacies on all pages of a list, by name, at most `limit`. */
export async function matchingFaulty(tx: Tx, ask: FaultyAsk): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    with ${standing(ask)} select f.uuid from faulty f where ${shown(ask)} order by lower(f.name), f.id limit ${ask.limit}`.execute(
    tx,
  )
  return rows.map(({ uuid }) => uuid)
}

/** Which of the faulty pharmacies a list shows; searching for a uuid finds that one whatever the filters. */
function shown({ silent, snoozed, status, assigned, search }: FaultyAsk): RawBuilder<unknown> {
  if (isUuid(search)) return sql`f.uuid = ${search.trim()}`
  const pattern = likePattern(search)
  const conditions = [sql`(${silent} or f.trouble or f.never)`, sql`f.snoozed = ${snoozed}`]
  if (status !== null) conditions.push(sql`f.state = ${status}`)
  if (assigned !== null) conditions.push(sql`coalesce(f.assigned_to, 0) = ${assigned}`)
  if (pattern !== null) conditions.push(sql`(f.name ilike ${pattern} or f.company ilike ${pattern})`)
  return sql.join(conditions, sql` and `)
}

const pageRows = (limit: number, offset: number) => sql`
  select page.at, l.uuid as id, l.name, c.uuid as company_uuid, c.name as company_name, l.country, l.region, l.postcode, l.time_zone,
    coalesce(u.data_source, l.data_source) as data_source, page.state as status, u.uuid as upload,
    ${isoTime(sql`u.location_upload_time`)} as upload_time, coalesce(u.notes, '') as notes,
    coalesce((select sum(faulty) from upload_file x where x.upload_id = u.id), 0)::int as faults,
    ${isoTime(sql`u.requested_at`)} as requested_at, nullif(trim(o.first_name || ' ' || o.last_name), '') as requested_by,
    ${isoTime(sql`l.last_upload_at`)} as last_successful_upload_on, ${isoTime(sql`l.created_at`)} as added_at,
    a.uuid as assigned_uuid, trim(a.first_name || ' ' || a.last_name) as assigned_name, coalesce(w.note, '') as note,
    ${isoTime(sql`w.snoozed_until`)} as snoozed_until, w.snoozed_state is not null as snoozed_until_change,
    coalesce(w.version, 0) as version
  from page join location l on l.id = page.id join company c on c.id = l.company_id
  left join upload u on u.id = page.upload_id left join login o on o.id = u.requested_by
  left join upload_work w on w.location_id = page.id left join login a on a.id = w.assigned_to
  where page.at > ${offset} and page.at <= ${offset + limit}`

/** For each company with pharmacies that have the module: how many, and how many of them have their uploads in order. */
export async function countUpToDate(tx: Tx, ask: StandingAsk) {
  const { rows } = await sql<{ company: string; expected: number; up_to_date: number }>`
    with ${standing(ask)}
    select c.uuid as company, count(*)::int as expected,
      (count(*) filter (where not s.trouble and not s.never and not s.silent))::int as up_to_date
    from standing s join location l on l.id = s.id join company c on c.id = l.company_id group by c.uuid`.execute(tx)
  return rows
}

/** A pharmacy's present state, as the work list remembers it; null if it is not on the list. */
export async function stateKey(tx: Tx, ask: FaultyAsk, locationId: number): Promise<string | null> {
  const { rows } = await sql<{ key: string }>`
    with ${standing(ask)} select ${STATE_KEY} as key from faulty s where s.id = ${locationId}`.execute(tx)
  return rows[0]?.key ?? null
}
