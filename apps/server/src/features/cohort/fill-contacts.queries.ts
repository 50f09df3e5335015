import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import { SWITCHED } from '../../db/field/columns.ts'
import { storedContacts } from '../../db/field/contact.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { WRITES_AFTER_MS } from '../../db/field/new-keys.ts'
import { contactSource } from '../../db/field/written.ts'
import { lockFacts } from './fact/facts.queries.ts'

/** Rows per transaction. */
const CHUNK = 500

const isPlain = (column: string) => sql`left(${sql.ref(column)}, 1) <> '#'`

/** By database, the transactions still open that were already open when all processes had stored handles for long enough. */
const before = new WeakMap<Database, ReadonlySet<string>>()

/**
 * Whether everything is filled, and whether filling may begin: every process must store handles, and older transactions must have ended.
 * Our roles cannot see when a transaction began, only that it holds its own lock, so open ones are remembered until they end.
 */
export async function fillState(system: Database): Promise<{ due: boolean; filled: boolean }> {
  const { rows } = await sql<{ filled: boolean; settled: boolean; open: string[] }>`
    select k.filled, k.settled <= now() as settled, array(
        select l.virtualtransaction from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where l.locktype = 'virtualxid' and a.datname = current_database() and a.usesysid is not null and l.pid <> pg_backend_pid()) as open
    from (select max(c.writes_from) + ${WRITES_AFTER_MS} * interval '1 millisecond' as settled, bool_and(c.filled) as filled
      from (select min(writes_from) as writes_from, bool_or(filled_at is not null) as filled
        from data_key where column_name = any(${SWITCHED}::text[]) group by column_name) c having count(*) > 0) k`.execute(
    system,
  )
  const { filled, settled, open } = rows[0] ?? { filled: false, settled: false, open: [] }
  if (filled || !settled) {
    before.delete(system)
    return { due: false, filled }
  }
  const left = new Set(open.filter((one) => before.get(system)?.has(one) ?? true))
  before.set(system, left)
  return { due: left.size === 0, filled }
}

/** Pharmacies with their companies, ordered by both. */
export async function everyPlace(system: Database): Promise<{ id: number; companyId: number }[]> {
  const { rows } = await sql<{ id: number; companyId: number }>`
    select id, company_id as "companyId" from location order by company_id, id`.execute(system)
  return rows
}

/** Records that no row holds a plain contact any more. */
export async function noteFilled(system: Database): Promise<void> {
  await sql`
    update data_key set filled_at = now() where column_name = any(${SWITCHED}::text[]) and filled_at is null`.execute(
    system,
  )
}

/** Fills one kind of a pharmacy's rows: the next ones after an id. @returns the last of them; null if there was none */
export type Fill = (tx: Tx, keys: Keys, locationId: number, after: number) => Promise<number | null>

/** Patients, including what cohorts know them by; not while that is being rebuilt for the company. */
export const fillPatients: Fill = async (tx, keys, locationId, after) => {
  await lockFacts(tx)
  const { rows } = await sql<{ id: number; sms_to: string | null; email_to: string | null }>`
    select id, sms_to, email_to from patient
    where location_id = ${locationId} and id > ${after} and (${isPlain('sms_to')} or ${isPlain('email_to')})
    order by id limit ${CHUNK} for update`.execute(tx)
  if (rows.length === 0) return null
  const stored = await storedContacts(
    tx,
    keys,
    rows.flatMap((row) => [row.sms_to, row.email_to]),
  )
  const as = (contact: string | null) => (contact === null ? null : stored.get(contact)!)
  const [ids, sms, email] = [
    rows.map(({ id }) => id),
    rows.map((row) => as(row.sms_to)),
    rows.map((row) => as(row.email_to)),
  ]
  const given = sql`unnest(${ids}::bigint[], ${sms}::text[], ${email}::text[]) as n(id, sms_to, email_to)`
  await sql`
    update patient p set sms_to = n.sms_to, email_to = n.email_to from ${given} where p.location_id = ${locationId} and p.id = n.id`.execute(
    tx,
  )
  await sql`
    update patient_fact f set sms_key = hashtextextended(n.sms_to, 0), email_key = hashtextextended(n.email_to, 0) from ${given}
    where f.location_id = ${locationId} and f.patient_id = n.id`.execute(tx)
  return ids.at(-1)!
}

/**
 * Once what the pharmacy wrote is sealed: clears the recorded source of contacts where it has changed since, so that the work after an
 * upload resolves them. Skips rows being written at this moment, which that work covers.
 */
export async function forgetSources(tx: Tx, locationId: number): Promise<void> {
  await sql`
    update patient set contact_source = null where location_id = ${locationId} and id in (
      select p.id from patient p where p.location_id = ${locationId} and p.contact_source <> ${contactSource('p')}
      order by p.id for update skip locked)`.execute(tx)
}

const fillColumn =
  (table: 'message' | 'message_reply', column: 'contact' | 'sender'): Fill =>
  async (tx, keys, locationId, after) => {
    const { rows } = await sql<{ id: number; contact: string }>`
      select id, ${sql.ref(column)} as contact from ${sql.table(table)}
      where location_id = ${locationId} and id > ${after} and ${isPlain(column)} and ${sql.ref(column)} <> 'erased'
      order by id limit ${CHUNK} for update`.execute(tx)
    if (rows.length === 0) return null
    const stored = await storedContacts(
      tx,
      keys,
      rows.map(({ contact }) => contact),
    )
    await sql`
      update ${sql.table(table)} t set ${sql.ref(column)} = n.contact
      from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ contact }) => stored.get(contact)!)}::text[]) as n(id, contact)
      where t.location_id = ${locationId} and t.id = n.id`.execute(tx)
    return rows.at(-1)!.id
  }

/** Messages of the ledger. */
export const fillMessages = fillColumn('message', 'contact')
/** Replies; those of erased people name nobody. */
export const fillReplies = fillColumn('message_reply', 'sender')

/** The messages that a company's frequency limit counts: rows of the same contact are merged. @returns how many rows were removed */
export async function fillHistory(tx: Tx, keys: Keys, companyId: number): Promise<number> {
  const { rows } = await sql<{ contact: string }>`
    select contact from contact_history where company_id = ${companyId} and ${isPlain('contact')}
    order by contact collate "C" limit ${CHUNK}`.execute(tx)
  if (rows.length === 0) return 0
  const plain = rows.map(({ contact }) => contact)
  const stored = await storedContacts(tx, keys, plain)
  const handles = plain.map((one) => stored.get(one)!)
  await sql`
    insert into contact_history (company_id, contact) select ${companyId}, h from unnest(${handles}::text[]) h order by h collate "C"
    on conflict do nothing`.execute(tx)
  // In the order of the senders.
  await sql`
    select from contact_history where company_id = ${companyId} and contact = any(${[...plain, ...handles]}::text[])
    order by contact collate "C" for update`.execute(tx)
  await sql`
    with gone as (delete from contact_history where company_id = ${companyId} and contact = any(${plain}::text[]) returning contact, sent)
    update contact_history h set sent = h.sent || g.sent
    from unnest(${plain}::text[], ${handles}::text[]) as n(plain, handle) join gone g on g.contact = n.plain
    where h.company_id = ${companyId} and h.contact = n.handle`.execute(tx)
  return plain.length
}
