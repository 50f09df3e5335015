import type { AttentionKind, ChainFault } from '@pillar/domain/s8/attention'
import { ATTENTION_KINDS } from '@pillar/domain/s8/attention'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { type ListAsk, pageOf } from '../../db/list.ts'
import type { CalendarPlace } from '../../db/local-calendar.ts'
import { ownerJson, todayAt, warningDays } from './s8.queries.ts'

/** When each pharmacy's register last arrived, and where the pharmacy is. Leaves out pharmacies without a register. */
export async function lastUploads(tx: Tx) {
  const { rows } = await sql<
    CalendarPlace & { id: number; uploaded_at: Date; fault: ChainFault | null; checked_at: Date | null }
  >`
    select l.id, l.country, l.region, l.postcode, l.time_zone, s.uploaded_at, s.fault, s.checked_at
    from s8_pharmacy s join location l on l.id = s.location_id where l.removed_at is null`.execute(tx)
  return rows
}

export interface AttentionRow {
  kind: AttentionKind
  uuid: string
  pharmacy: string
  time_zone: string
  owner: { email: string; first_name: string; last_name: string } | null
  product_id: string | null
  product_name: string | null
  number: number | null
  since: string
  days: number
  fault: ChainFault | null
  uploaded_at: Date | null
  /** For a broken balance: the stated or counted quantity, and the calculated one. */
  stated: number | null
  balance: number | null
  pharmacist: string | null
}

/**
 * Everything that needs attention at one instant, with its pharmacy: the open derived intervals, altered registers, and silent pharmacies.
 * Each part looks its pharmacies up itself: joined to all of them at once, PostgreSQL goes through everything again for every pharmacy.
 */
const open = (silent: readonly number[], now: Date) => {
  const place = sql`l.id as location_id, l.uuid, l.name as pharmacy, l.time_zone, ${todayAt(now)} as today`
  return sql`(
  select ${place}, a.kind, a.source, a.product_id, a.product_name, a.number,
    case when a.kind = 'late' then a.base_on + ${warningDays} + 1 else a.base_on end as since
  from s8_attention a join location l on l.id = a.location_id and l.removed_at is null
  left join s8_product p on p.location_id = a.location_id and p.source = a.source and p.product_id = a.product_id
  where a.until_on is null
    and (a.kind <> 'late' or (not p.inactive and a.base_on + ${warningDays} < ${todayAt(now)}))
  union all
  select ${place}, 'chain', null, null, null, (s.fault ->> 'number')::bigint, (s.fault_since at time zone l.time_zone)::date
  from s8_pharmacy s join location l on l.id = s.location_id and l.removed_at is null where s.fault is not null
  union all
  select ${place}, 'silent', null, null, null, null, (s.uploaded_at at time zone l.time_zone)::date
  from s8_pharmacy s join location l on l.id = s.location_id and l.removed_at is null where s.location_id = any (${silent}::bigint[])
)`
}

/** Worst first. */
const rank = sql`array_position(${sql.lit(`{${ATTENTION_KINDS.join(',')}}`)}::text[], a.kind)`

/** The entry a row `a` concerns. */
const entry = sql`from s8_entry e where e.location_id = a.location_id and e.source = a.source and e.number = a.number`

type AttentionSort = 'kind' | 'name' | 'since'

/** A page of what needs attention. @param silent pharmacies whose registers have not arrived for too long */
export function listAttention(
  tx: Tx,
  filter: {
    kind?: AttentionKind | null | undefined
    location_uuid?: string | null | undefined
    silent: readonly number[]
  },
  ask: ListAsk<AttentionSort>,
  now: Date,
) {
  return pageOf<AttentionRow, AttentionSort>(
    tx,
    {
      // Details come from subqueries, so that they are looked up only for the rows of a page.
      select: sql`a.kind, a.uuid, a.pharmacy, a.time_zone,
        (select ${ownerJson} from location_owner o where o.location_id = a.location_id) as owner,
        a.product_id, a.product_name, a.number, a.since::text as since, a.today - a.since as days,
        (select s.fault from s8_pharmacy s where s.location_id = a.location_id) as fault,
        (select s.uploaded_at from s8_pharmacy s where s.location_id = a.location_id) as uploaded_at,
        (select coalesce(e.counted, e.stated_balance)::float8 ${entry}) as stated,
        (select b.balance::float8 from s8_balance b where b.location_id = a.location_id and b.source = a.source and b.number = a.number) as balance,
        (select e.pharmacist ${entry}) as pharmacist`,
      from: sql`${open(filter.silent, now)} a`,
      where: [
        filter.kind ? sql`a.kind = ${filter.kind}` : null,
        filter.location_uuid ? sql`a.uuid = ${filter.location_uuid}` : null,
      ],
      search: [sql`a.pharmacy`, sql`a.product_name`],
      sort: { kind: rank, name: sql`lower(a.pharmacy)`, since: sql`a.since` },
      filled: true,
      key: sql`(a.since, a.location_id, a.kind, coalesce(a.product_id, ''), coalesce(a.number, 0))`,
    },
    ask,
  )
}

/** How much needs attention now, by kind, and at how many pharmacies; at one pharmacy or all. */
export async function countAttention(tx: Tx, silent: readonly number[], now: Date, locationId: number | null = null) {
  const { rows } = await sql<{ kind: AttentionKind; count: number; pharmacies: number[] }>`
    select a.kind, count(*) as count, array_agg(distinct a.location_id) as pharmacies
    from ${open(silent, now)} a where ${locationId}::bigint is null or a.location_id = ${locationId} group by 1`.execute(
    tx,
  )
  const counts = Object.fromEntries(ATTENTION_KINDS.map((kind) => [kind, 0])) as Record<AttentionKind, number>
  for (const { kind, count } of rows) counts[kind] = count
  return { counts, concerned: new Set(rows.flatMap(({ pharmacies }) => pharmacies.map(Number))).size }
}

/**
 * Counts of the kinds with a known past, today (`back` 0) and at the end of the days whole weeks before, by each pharmacy's own clock. A
 * week without any has no row.
 */
export async function weeklyAttention(tx: Tx, now: Date, weeks: number) {
  const { rows } = await sql<{ back: number; kind: AttentionKind; count: number }>`
    select w.back, a.kind, count(*) as count
    from generate_series(0, ${weeks}::int) w(back)
    join (
      select a.kind, case when a.kind = 'late' then a.base_on + ${warningDays} + 1 else a.base_on end as since, a.until_on, ${todayAt(now)} as today
      from s8_attention a join location l on l.id = a.location_id and l.removed_at is null
      left join s8_product p on p.location_id = a.location_id and p.source = a.source and p.product_id = a.product_id
      where a.kind <> 'late' or not p.inactive
    ) a on a.since <= a.today - 7 * w.back and (a.until_on is null or a.until_on > a.today - 7 * w.back)
    group by 1, 2`.execute(tx)
  return rows
}

/** One version of an entry as JSON; a counted quantity replaces the stated balance. */
const versionJson = (content: RawBuilder<unknown>, product: RawBuilder<unknown>, received: RawBuilder<unknown>) => sql`
  (${content} || jsonb_build_object('product_name', ${product}, 'received_at', ${received},
    'stated_balance', coalesce(${content} ->> 'counted', ${content} ->> 'stated_balance')))`

/** An entry and everything sent under its number that differs from it; null if nothing was. */
export async function findContradiction(tx: Tx, locationId: number, number: number) {
  const { rows } = await sql<{
    product_name: string
    kept: Version
    sent: Version[]
  }>`
    select e.product_name, ${versionJson(sql`to_jsonb(e)`, sql`e.product_name`, sql`e.received_at`)} as kept,
      (select jsonb_agg(${versionJson(sql`c.content`, sql`p.name`, sql`c.received_at`)} order by c.seq)
       from s8_contradiction c left join s8_product p on p.location_id = c.location_id and p.source = c.source and p.product_id = c.content ->> 'product_id'
       where c.location_id = e.location_id and c.source = e.source and c.number = e.number) as sent
    from s8_entry e where e.location_id = ${locationId} and e.number = ${number}
      and exists (select from s8_contradiction c where c.location_id = e.location_id and c.source = e.source and c.number = e.number)`.execute(
    tx,
  )
  return rows[0] ?? null
}

/** Which of these entries of a source were sent again with different content: their numbers, in order. */
export async function contradictedOf(tx: Tx, locationId: number, source: string, numbers: readonly number[]) {
  const { rows } = await sql<{ number: number }>`
    select distinct number from s8_contradiction
    where location_id = ${locationId} and source = ${source} and number = any(${numbers}) order by number`.execute(tx)
  return rows.map(({ number }) => number)
}

/** One version of an entry. */
export interface Version {
  occurred_at: string
  product_name: string
  party_name: string | null
  party_address: string | null
  quantity_in: number
  quantity_out: number
  reference: string | null
  pharmacist: string
  second_signer: string | null
  doctor: string | null
  note: string | null
  entry_type: string
  /** A number as text. */
  stated_balance: string | null
  received_at: string
}
