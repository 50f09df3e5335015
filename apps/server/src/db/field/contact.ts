import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'
import { rowName, SEALED } from './columns.ts'
import { blindIndex, sealField } from './envelope.ts'
import type { Keys } from './key-ring.ts'

/**
 * Numbers (E.164) and e-mail addresses (small letters) of patients. Each lies sealed in one row of `contact`; wherever else one is named stands
 * its handle, `#` and the number of that row. Handles are compared where contacts were, and a rotation of keys changes none.
 * Until an older installation is switched over, the contact itself stands there.
 */
const MARK = '#'
const handleOf = (id: number) => `${MARK}${id}`

/** Whether a contact is stored as a handle. */
export const isHandle = (stored: string): boolean => /^#\d{1,18}$/.test(stored)

const unique = (contacts: Iterable<string | null>) => [...new Set(contacts)].filter((one) => one !== null)

/**
 * How contacts are to be stored from now on, by what is given: contacts, or what is stored already. Those that are new get their row; rows stay
 * locked against deletion until the transaction ends. Give all of a transaction at once: then two at a time wait for each other in one order.
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

/** The same of one contact. */
export async function storedContact<T extends string | null>(tx: Tx, keys: Keys, contact: T): Promise<T> {
  return contact === null ? contact : ((await storedContacts(tx, keys, [contact])).get(contact) as T)
}

/** Everything a contact may stand as in a row, at any moment of a switch. Gives a new one its row, so that none appears beside the look-up. */
export async function contactSpellings(tx: Tx, keys: Keys, contact: string): Promise<string[]> {
  const { live } = await keys.contacts()
  if (live.length === 0) return isHandle(contact) ? [] : [contact]
  const handle = (await handlesFor(tx, keys, [contact])).get(contact)!
  // A sender who writes a handle instead of a number or address must match no patient.
  return isHandle(contact) ? [handle] : [handle, contact]
}

/** The contacts behind what is stored, by that; those that were erased are left out. @throws AlteredField */
export const openContacts = (
  db: Database | Tx,
  keys: Keys,
  stored: Iterable<string | null>,
): Promise<ReadonlyMap<string, string>> => opened(db, keys.open, stored)

/** The same, without those that were altered since they were sealed: nothing can be sent to them. */
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

/** The same of one; null when it was erased. */
export async function openContact(db: Database | Tx, keys: Keys, stored: string | null): Promise<string | null> {
  return stored === null ? null : ((await openContacts(db, keys, [stored])).get(stored) ?? null)
}

/**
 * Deletes those of these contacts, as they are stored, that no patient, message or reply names any more, of whatever company; then nothing
 * opens them again. Whoever is about to name one is waited for.
 */
export async function removeUnusedContacts(tx: Tx, stored: Iterable<string | null>): Promise<number> {
  const unused = await idsOfUnused(tx, unique(stored).filter(isHandle))
  if (unused.length === 0) return 0
  await sql`select id from contact where id = any(${unused}::bigint[]) order by id for update`.execute(tx)
  // Once more: whoever held one until now may have named it.
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

/** Deletes every contact that nobody names any more, such as the number a patient had before; `note` learns how many, in each transaction. */
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

/** Contacts asked about at once: each time all patients and messages are read. */
const LOOKED_THROUGH = 50_000

/** Handles by contact; makes those that are missing. */
async function handlesFor(tx: Tx, keys: Keys, contacts: readonly string[]): Promise<Map<string, string>> {
  const { live } = await keys.contacts()
  const indexes = new Map(contacts.map((one) => [one, live.map((key) => blindIndex(key, one))]))
  const found = await findHandles(tx, indexes)
  const missing = contacts.filter((one) => !found.has(one))
  if (missing.length === 0) return found
  await insertContacts(tx, keys, missing, indexes)
  // Those that another transaction made meanwhile too: it has committed.
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

/** Adds a row for each contact with an index under every key in use, but for those that somebody else adds at the same time. */
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
  // In one order, so that two who add the same wait for each other and not in a circle.
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
