import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'

/** The last seal of a chain. Chain 0 is the platform's; the others have the id of their company. */
export interface Head {
  chain: number
  seq: number
  /** As hexadecimal digits. */
  hash: string
}

/** How far a chain is intact, or its first fault. */
export interface Part {
  rows: number
  seq: number
  hash: string
  fault: { seq: number; row: number | null; what: 'altered' | 'removed' | 'unsealed' } | null
}

const hex = (column: ReturnType<typeof sql>) => sql`encode(${column}, 'hex')`

/**
 * The data a row's seal covers, written out instead of using the database's own function: whoever alters rows may alter that too. Kept
 * equal to `audit_hash` in migration 0064.
 */
const SEALED = sql`jsonb_build_array(s.chain, s.seq, a.id, to_char(a.at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'),
  a.company_id, a.login_id, a.session_id, a.action, a.object, a.object_name, a.detail, a.network, a.agent, a.copy)`

/** Lets one transaction at a time add anchors: two at once would link their lines to the same one before. Others wait until it ends. */
export async function lockAnchors(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('anchors', 0))`.execute(tx)
}

/** The heads of all chains, including chains whose head is gone (seq 0). */
export async function readHeads(system: Database): Promise<Head[]> {
  const { rows } = await sql<Head>`
    with recursive chains as (
      (select chain from audit_seal order by chain limit 1)
      union all
      select (select s.chain from audit_seal s where s.chain > c.chain order by s.chain limit 1) from chains c where c.chain is not null
    )
    select coalesce(h.chain, c.chain) as chain, coalesce(h.seq, 0) as seq, ${hex(sql`coalesce(h.hash, '')`)} as hash
    from (select chain from chains where chain is not null) c full join audit_head h on h.chain = c.chain order by 1`.execute(
    system,
  )
  return rows
}

/** Whether the audit has a row more than two days old: by then a worker, which anchors once a day, has anchored the chains. */
export async function isOld(system: Database): Promise<boolean> {
  const { rows } = await sql<{ old: boolean }>`
    select coalesce((select at < now() - interval '2 days' from audit order by id limit 1), false) as old`.execute(
    system,
  )
  return rows[0]!.old
}

/**
 * Follows a chain from a seal: each row must exist without gaps, with the seal that its content and the previous seal give.
 * @param after the last seal found good
 * @param to the seal to stop at
 */
export async function verifyPart(
  system: Database,
  chain: number,
  after: { seq: number; hash: string },
  to: number,
  limit: number,
): Promise<Part> {
  const { rows } = await sql<{ rows: number; seq: number; hash: string; wrong: number | null }>`
    with part as (
      select s.seq, s.hash, a.id is not null and s.seq = coalesce(lag(s.seq) over w, ${after.seq}) + 1 as there,
             coalesce(a.company_id, 0) = s.chain and s.hash = sha256(coalesce(lag(s.hash) over w, decode(${after.hash}, 'hex'))
               || convert_to(${SEALED}::text, 'UTF8')) as good
      from (select * from audit_seal where chain = ${chain} and seq > ${after.seq} and seq <= ${to} order by seq limit ${limit}) s
      left join audit a on a.id = s.audit_id
      window w as (order by s.seq)
    )
    select count(*) as rows, coalesce(max(seq), ${after.seq}) as seq, coalesce(${hex(sql`(array_agg(hash order by seq desc))[1]`)}, ${after.hash}) as hash,
           min(seq) filter (where not there or not good) as wrong
    from part`.execute(system)
  const [found] = rows
  if (!found) throw new Error('an aggregate answers one row')
  const { wrong, ...part } = found
  return { ...part, fault: wrong === null ? null : await faultAt(system, chain, wrong, after.seq) }
}

/** What is wrong at the first seal that does not fit: its row was altered or removed, or earlier rows were together with their seals. */
async function faultAt(system: Database, chain: number, seq: number, from: number): Promise<Part['fault']> {
  const { rows } = await sql<{ row: number; there: boolean; before: number }>`
    select s.audit_id as row, a.id is not null as there,
           coalesce((select max(b.seq) from audit_seal b where b.chain = s.chain and b.seq < s.seq), ${Math.min(from, seq - 1)}) as before
    from audit_seal s left join audit a on a.id = s.audit_id where s.chain = ${chain} and s.seq = ${seq}`.execute(
    system,
  )
  const [found] = rows
  if (!found) return { seq, row: null, what: 'removed' }
  if (found.before + 1 < seq) return { seq: found.before + 1, row: null, what: 'removed' }
  return { seq, row: found.row, what: found.there ? 'altered' : 'removed' }
}

/** The seals at these places of a chain, by place; without those that are not there. */
export async function sealsAt(
  system: Database,
  chain: number,
  places: readonly number[],
): Promise<Map<number, string>> {
  if (places.length === 0) return new Map()
  const { rows } = await sql<{ seq: number; hash: string }>`
    select seq, ${hex(sql`hash`)} as hash from audit_seal where chain = ${chain} and seq = any(${[...places]}::bigint[])`.execute(
    system,
  )
  return new Map(rows.map(({ seq, hash }) => [seq, hash]))
}

/** The highest id in the audit. */
export async function lastRow(system: Database): Promise<number> {
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0) as id from audit`.execute(system)
  return rows[0]?.id ?? 0
}

/** The first row without a seal in a range of ids: it was inserted past the trigger, or its seal and all later ones were removed. */
export async function firstUnsealed(
  system: Database,
  above: number,
  upTo: number,
): Promise<{ chain: number; row: number } | null> {
  const { rows } = await sql<{ chain: number; row: number }>`
    select coalesce(a.company_id, 0) as chain, a.id as row from audit a
    where a.id > ${above} and a.id <= ${upTo} and not exists (select from audit_seal s where s.audit_id = a.id)
    order by a.id limit 1`.execute(system)
  return rows[0] ?? null
}

/** Names of companies, by id. */
export async function companyNames(system: Database, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await system
    .selectFrom('company')
    .select(['id', 'name'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
