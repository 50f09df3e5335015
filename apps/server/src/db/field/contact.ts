import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'
import { rowName, SEALED } from './columns.ts'
import { blindIndex, sealField } from './envelope.ts'
import type { Keys } from './key-ring.ts'

/**
 * Patients' numbers (E.164) and email addresses (lower case). Each is sealed in one row of `contact`; everywhere else holds its handle, `#`
 * and the number of that row. Code compares handles as it compared contacts, and a rotation of keys changes none. Until an older
 * installation is switched over, the contact itself is stored instead.
 */
const MARK = '#'
const handleOf = (id: number) => `${MARK}${id}`

/** Whether a contact is stored as a handle. */
export const isHandle = (stored: string): boolean => /^#\d{1,18}$/.test(stored)

const unique = (contacts: Iterable<string | null>) => [...new Set(contacts)].filter((one) => one !== null)

/**
 * The stored form for each input, which may be a contact or already a stored form. New contacts get a row; rows stay locked against
 * deletion until the transaction ends. Pass all of a transaction's contacts at once: concurrent transactions then lock them in one order.
 */
export async function storedContacts(
  tx: Tx,
  keys: Keys,
  contacts: Iterable<string | null>,
): Promise<ReadonlyMap<string, string>> {
  const all = unique(contacts)
  const plain = all.filter((one) => !isHandle(one))
  const { state } = await keys.contacts()
  const made = state === 'plain' ? new Map<string, string>() : await handlesFor(tx, keys, plain)
  return new Map(all.map((one) => [one, made.get(one) ?? one]))
}

/** The stored form of one contact. */
export async function storedContact<T extends string | null>(tx: Tx, keys: Keys, contact: T): Promise<T> {
  return contact === null ? contact : ((await storedContacts(tx, keys, [contact])).get(contact) as T)
}

/**
 * All forms in which a row may hold a contact, at any moment of a switch. Gives a new contact its row, so that none appears during the
 * look-up.
 */
export async function contactSpellings(tx: Tx, keys: Keys, contact: string): Promise<string[]> {
  const { live } = await keys.contacts()
  if (live.length === 0) return isHandle(contact) ? [] : [contact]
  const handle = (await handlesFor(tx, keys, [contact])).get(contact)!
  // A sender who writes a handle in place of a number or address must match no patient.
  return isHandle(contact) ? [handle] : [handle, contact]
}

/** The contacts by their stored form; erased ones are left out. @throws AlteredField */
export const openContacts = (
  db: Database | Tx,
  keys: Keys,
  stored: Iterable<string | null>,
): Promise<ReadonlyMap<string, string>> => opened(db, keys.open, stored)

/** The same, without contacts altered since they were sealed: nothing can be sent to them. */
export const openWholeContacts = (
  db: Database | Tx,
  keys: Keys,
  stored: Iterable<string | null>,
): Promise<ReadonlyMap<string, string>> => opened(db, keys.openIfWhole, stored)

async function opened(
  db: Database | Tx,
  openOne: Keys['openIfWhole'],
  stored: Iterable<string | null>,
): Promise<ReadonlyMap<string, string>> {
  const all = unique(stored)
  const ids = all.filter(isHandle).map((one) => Number(one.slice(1)))
  const found = new Map(all.filter((one) => !isHandle(one)).map((one) => [one, one]))
  if (ids.length === 0) return found
  const { rows } = await sql<{ id: number; sealed: Buffer }>`
    select id, sealed from contact where id = any(${ids}::bigint[])`.execute(db)
  for (const { id, sealed } of rows) {
    const contact = await openOne(SEALED.contact.name, rowName(id), sealed)
    if (contact !== null) found.set(handleOf(id), contact)
  }
  return found
}

/** One contact; null if it was erased. */
export async function openContact(db: Database | Tx, keys: Keys, stored: string | null): Promise<string | null> {
  return stored === null ? null : ((await openContacts(db, keys, [stored])).get(stored) ?? null)
}

/**
 * Deletes those of the contacts, given as stored, that no patient, message or reply of any company still refers to; after that nothing
 * opens them again. Waits for transactions that are about to refer to one.
 */
export async function removeUnusedContacts(tx: Tx, stored: Iterable<string | null>): Promise<number> {
  const unused = await idsOfUnused(tx, unique(stored).filter(isHandle))
  if (unused.length === 0) return 0
  await sql`select id from contact where id = any(${unused}::bigint[]) order by id for update`.execute(tx)
  // Checked again: a transaction that held one until now may refer to it.
  const gone = await sql`
    delete from contact where id = any(${await idsOfUnused(tx, unused.map(handleOf))}::bigint[])`.execute(tx)
  return Number(gone.numAffectedRows ?? 0)
}

async function idsOfUnused(tx: Tx, handles: readonly string[]): Promise<number[]> {
  if (handles.length === 0) return []
  const { rows } = await sql<{ handle: string }>`
    select h as handle from unused_contacts(${[...handles]}::text[]) h`.execute(tx)
  return rows.map(({ handle }) => Number(handle.slice(1)))
}

/**
 * Deletes every contact that nothing refers to any more, such as a patient's previous number; calls `note` with the count in each
 * transaction.
 */
export async function removeLooseContacts(
  system: Database,
  note: (tx: Tx, removed: number) => Promise<void>,
): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number }>`
      select id from contact where id > ${after} order by id limit ${LOOKED_THROUGH}`.execute(system)
    if (rows.length === 0) return
    const handles = rows.map(({ id }) => handleOf(id))
    await system.transaction().execute(async (tx) => note(tx, await removeUnusedContacts(tx, handles)))
    after = rows.at(-1)!.id
  }
}

/** Contacts checked at once: each check reads all patients and messages. */
const LOOKED_THROUGH = 50_000

/** Handles by contact; creates missing ones. */
async function handlesFor(tx: Tx, keys: Keys, contacts: readonly string[]): Promise<Map<string, string>> {
  const { live } = await keys.contacts()
  const indexes = new Map(contacts.map((one) => [one, live.map((key) => blindIndex(key, one))]))
  const found = await findHandles(tx, indexes)
  const missing = contacts.filter((one) => !found.has(one))
  if (missing.length === 0) return found
  await insertContacts(tx, keys, missing, indexes)
  // Includes those that another transaction, now committed, made meanwhile.
  const all = await findHandles(tx, indexes)
  if (all.size < indexes.size) throw new Error('a contact was made and deleted at once: try again')
  return all
}

async function findHandles(tx: Tx, indexes: ReadonlyMap<string, readonly Buffer[]>): Promise<Map<string, string>> {
  const { rows } = await sql<{ index: string; id: number }>`
    select encode(i.index, 'hex') as index, c.id from contact_index i join contact c on c.id = i.contact_id
    where i.index = any(${[...indexes.values()].flat()}::bytea[]) for key share of c`.execute(tx)
  const byIndex = new Map(rows.map(({ index, id }) => [index, handleOf(id)]))
  const found = new Map<string, string>()
  for (const [contact, own] of indexes) {
    const handle = own.map((one) => byIndex.get(one.toString('hex'))).find((one) => one !== undefined)
    if (handle !== undefined) found.set(contact, handle)
  }
  return found
}

/** Adds a row for each contact, with an index under every key in use, except those another transaction adds at the same time. */
async function insertContacts(
  tx: Tx,
  keys: Keys,
  contacts: readonly string[],
  indexes: ReadonlyMap<string, readonly Buffer[]>,
): Promise<void> {
  const { seal } = await keys.contacts()
  if (!seal) throw new Error('there is no key for contacts')
  const { rows } = await sql<{ id: number }>`
    select nextval('contact_id_seq') as id from generate_series(1, ${contacts.length}::int)`.execute(tx)
  const ids = rows.map(({ id }) => Number(id))
  const sealed = contacts.map((one, at) => sealField(seal, rowName(ids[at]!), one))
  await sql`
    insert into contact (id, sealed) select * from unnest(${ids}::bigint[], ${sealed}::bytea[])`.execute(tx)
  const wanted = contacts.flatMap((one, at) => indexes.get(one)!.map((index) => ({ index, id: ids[at]! })))
  // In a fixed order, so that two transactions adding the same contacts do not deadlock.
  const { rows: added } = await sql<{ id: number; n: number }>`
    with added as (
      insert into contact_index (index, contact_id)
      select n.index, n.id from unnest(${wanted.map(({ index }) => index)}::bytea[], ${wanted.map(({ id }) => id)}::bigint[]) as n(index, id)
      order by n.index on conflict do nothing returning contact_id)
    select contact_id as id, count(*)::int as n from added group by 1`.execute(tx)
  const counts = new Map(added.map(({ id, n }) => [Number(id), n]))
  const lost = ids.filter((id, at) => counts.get(id) !== indexes.get(contacts[at]!)!.length)
  if (lost.length > 0) await sql`delete from contact where id = any(${lost}::bigint[])`.execute(tx)
}
