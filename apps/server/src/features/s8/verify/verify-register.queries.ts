import type { ChainFault } from '@pillar/domain/s8/attention'
import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { lineOf } from '../load/chain-line.queries.ts'
import { EVIDENCE } from '../load/evidence.queries.ts'
import { balancesAddUp } from './balance-check.queries.ts'

/** The last link of a pharmacy's chain, stored apart from the entries; seq 0 if it is gone. */
export interface RegisterHead {
  locationId: number
  uuid: string
  pharmacy: string
  seq: number
  /** As hexadecimal digits. */
  hash: string
  /** The head of the chain of contradictions and counts beside the entries. */
  evidenceSeq: number
  evidenceHash: string
}

/** The heads of all pharmacies in scope that have a register, including registers whose head is gone. */
export async function readRegisterHeads(tx: Tx): Promise<RegisterHead[]> {
  const { rows } = await sql<RegisterHead>`
    select l.id as "locationId", l.uuid, l.name as pharmacy, coalesce(h.seq, 0) as seq, encode(coalesce(h.hash, ''), 'hex') as hash,
      coalesce(h.evidence_seq, 0) as "evidenceSeq", encode(coalesce(h.evidence_hash, ''), 'hex') as "evidenceHash"
    from location l left join s8_head h on h.location_id = l.id
    where h.seq > 0 or h.evidence_seq > 0 or exists (select from s8_entry e where e.location_id = l.id)
      or exists (select from s8_status t where t.location_id = l.id) order by l.id`.execute(tx)
  return rows
}

/** Pharmacies in scope whose register began more than two days ago: by then a worker, which anchors nightly, has anchored it. */
export async function registersOfBefore(tx: Tx): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select location_id as id from s8_entry where seq = 1 and received_at < now() - interval '2 days'`.execute(tx)
  return rows.map(({ id }) => Number(id))
}

/** The place named by the head of a pharmacy's chain now; 0 if it is gone. */
export async function headPlace(tx: Tx, locationId: number): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select seq from s8_head where location_id = ${locationId}`.execute(tx)
  return Number(rows[0]?.seq ?? 0)
}

/** The highest place in a pharmacy's chain; 0 if it has none. */
export async function lastPlace(tx: Tx, locationId: number): Promise<{ seq: number; hash: string }> {
  const { rows } = await sql<{ seq: number; hash: string }>`
    select seq, encode(hash, 'hex') as hash from s8_entry where location_id = ${locationId} order by seq desc limit 1`.execute(
    tx,
  )
  return rows[0] ?? { seq: 0, hash: '' }
}

/**
 * Checks the entries after one place up to another: each must follow the one before it and have the hash that its content and the previous
 * hash give. Written out here instead of using the database's own function, because whoever alters rows may alter that too.
 * @returns how many there were, and the place of the first that does not fit
 */
export async function verifyEntries(
  tx: Tx,
  locationId: number,
  after: number,
  to: number,
): Promise<{ rows: number; wrong: number | null }> {
  await sql`set local statement_timeout = 0`.execute(tx)
  const content = sql`convert_to(${lineOf('e')}, 'UTF8')`
  const links = sql`from s8_entry e where e.location_id = ${locationId} and e.seq >= ${after} and e.seq <= ${to}`
  // If all is well, the places do not matter.
  const { rows: whole } = await sql<{ rows: number; good: boolean }>`
    select count(*) filter (where seq > ${after}) as rows, bool_and(good) filter (where seq > ${after}) as good from (
      select e.seq, e.hash = sha256(lag(e.hash, 1, ''::bytea) over (order by e.seq) || ${content}) as good ${links}
    ) links`.execute(tx)
  if (whole[0]?.good && Number(whole[0].rows) === to - after) return { rows: to - after, wrong: null }
  const { rows } = await sql<{ rows: number; wrong: number | null }>`
    select count(*) as rows, min(seq) filter (where not good) as wrong from (
      select e.seq, coalesce(lag(e.seq) over w, 0) = e.seq - 1
          and e.hash = sha256(coalesce(lag(e.hash) over w, ''::bytea) || ${content}) as good
      ${links}
      window w as (order by e.seq)
    ) links where seq > ${after}`.execute(tx)
  return rows[0] ?? { rows: 0, wrong: null }
}

/** What is wrong at the first entry that does not fit: it was altered or moved, or earlier entries are gone. */
export async function faultAt(tx: Tx, locationId: number, seq: number): Promise<ChainFault> {
  const { rows } = await sql<{ number: number; before: number }>`
    select e.number, coalesce((select max(b.seq) from s8_entry b where b.location_id = e.location_id and b.seq < e.seq), 0) as before
    from s8_entry e where e.location_id = ${locationId} and e.seq = ${seq}`.execute(tx)
  const found = rows[0]
  if (!found || found.before + 1 < seq) return { seq: (found?.before ?? seq - 1) + 1, number: null, what: 'removed' }
  return { seq, number: found.number, what: 'altered' }
}

/** The hash at one place of a chain; null if there is no entry. */
export async function hashAt(tx: Tx, locationId: number, seq: number): Promise<string | null> {
  const { rows } = await sql<{ hash: string }>`
    select encode(hash, 'hex') as hash from s8_entry where location_id = ${locationId} and seq = ${seq}`.execute(tx)
  return rows[0]?.hash ?? null
}

/** The first entry whose displayed balance is not the sum of the entries; null if all are. */
export async function wrongBalance(tx: Tx, locationId: number): Promise<ChainFault | null> {
  await sql`set local statement_timeout = 0`.execute(tx)
  if (await balancesAddUp(tx, locationId)) return null
  await sql`set local work_mem = '128MB'`.execute(tx)
  // Both sides are read in full: looking up one for each of the other would take minutes.
  await sql`set local enable_nestloop = off`.execute(tx)
  const { rows } = await sql<{ seq: number; number: number }>`
    select r.seq, r.number from (
      select e.seq, e.source, e.number,
        sum(e.quantity_in - e.quantity_out) over (partition by e.source, e.product_id order by e.number) as balance
      from s8_entry e where e.location_id = ${locationId}
    ) r left join s8_balance b on b.location_id = ${locationId} and b.source = r.source and b.number = r.number
    where b.balance is distinct from r.balance order by r.seq limit 1`.execute(tx)
  const found = rows[0]
  return found ? { seq: found.seq, number: found.number, what: 'balance' } : null
}

/**
 * Checks contradictions and counts link by link, like the entries, up to the head, and against their anchors. Reads the head in the same
 * statement: what an upload added since the register's check began is not a fault.
 * @returns the first that does not fit; null if all do
 */
export async function evidenceFault(
  tx: Tx,
  { locationId }: RegisterHead,
  anchor: { seq: number; hash: string } | undefined,
): Promise<ChainFault | null> {
  await sql`set local statement_timeout = 0`.execute(tx)
  const { rows } = await sql<
    Record<'wrong' | 'headSeq', number | null> &
      Record<'end' | 'headHash' | 'anchored', string | null> & { last: number }
  >`
    select min(seq) filter (where not good) as wrong, coalesce(max(seq), 0) as last,
      (array_agg(encode(hash, 'hex') order by seq desc))[1] as end,
      max(encode(hash, 'hex')) filter (where seq = ${anchor?.seq ?? 0}) as anchored,
      (select evidence_seq from s8_head where location_id = ${locationId}) as "headSeq",
      (select encode(evidence_hash, 'hex') from s8_head where location_id = ${locationId}) as "headHash"
    from (
      select seq, hash, coalesce(lag(seq) over w, 0) = seq - 1
          and hash = sha256(coalesce(lag(hash) over w, ''::bytea) || convert_to(line, 'UTF8')) as good
      from (
        select c.seq, c.hash, ${EVIDENCE.contradiction('c')} as line from s8_contradiction c where c.location_id = ${locationId}
        union all
        select t.seq, t.hash, ${EVIDENCE.status('t')} from s8_status t where t.location_id = ${locationId}
      ) kept window w as (order by seq)
    ) links`.execute(tx)
  const { wrong, end, anchored, headHash } = rows[0]!
  const [last, head] = [Number(rows[0]!.last), Number(rows[0]!.headSeq ?? 0)]
  const at = (seq: number): ChainFault => ({ seq, number: null, what: 'evidence' })
  if (wrong !== null) return at(Number(wrong))
  if (last !== head) return at(Math.min(last, head) + 1)
  if ((end ?? '') !== (headHash ?? '')) return at(head)
  if (anchor && head < anchor.seq) return at(head + 1)
  return anchor && anchored !== anchor.hash ? at(anchor.seq) : null
}

/** Records the result of checking a pharmacy's register. */
export async function noteCheck(
  tx: Tx,
  locationId: number,
  found: { entries: number; fault: ChainFault | null },
  now: Date,
): Promise<void> {
  const fault = found.fault === null ? null : JSON.stringify(found.fault)
  await sql`
    insert into s8_pharmacy (location_id, uploaded_at, checked_at, checked_entries, fault, fault_since)
    values (${locationId}, ${now}, ${now}, ${found.entries}, ${fault}::jsonb, ${fault === null ? null : now})
    on conflict (location_id) do update set checked_at = excluded.checked_at, checked_entries = excluded.checked_entries, fault = excluded.fault,
      fault_since = case when excluded.fault is null then null else coalesce(s8_pharmacy.fault_since, excluded.fault_since) end`.execute(
    tx,
  )
}
