import { sql } from 'kysely'
import type { Env } from '../../env.ts'
import type { Database } from '../database.ts'
import { type AlteredValue, AlteredValues } from './altered.ts'
import { COLUMNS, type ColumnName, SWITCHED } from './columns.ts'
import { type ContactKeys, contactKeys } from './contact-keys.ts'
import {
  AlteredField,
  blindIndex,
  type FieldKey,
  fieldKey,
  keyIdOf,
  type MasterKey,
  newDataKey,
  openField,
  sealField,
  unwrapDataKey,
  wrapDataKey,
} from './envelope.ts'
import { KeysAway, type MasterKeys, makeKeyFile, readMasterKeys } from './key-file.ts'
import { refuseOlderProcesses } from './older-process.ts'
import { lostSentence, refuseUnknown } from './refused-start.ts'

type Where = Pick<Env, 'KEYS' | 'SECRET' | 'DATA_DIR'>

/** Seals the values of one column: `row` identifies the row for good. */
export type Seal = (row: string, text: string) => Buffer

/** Seals and opens single fields. */
export interface Keys {
  /** Seals with the column's newest key; good for one transaction, not for a day. */
  sealer: (column: ColumnName) => Promise<Seal>
  /** Opens a text. @throws AlteredField if it was altered or belongs to another row, after reporting that to the operator; KeysAway */
  open: (column: ColumnName, row: string, sealed: Buffer) => Promise<string>
  /** Opens a text; null if it was altered. For work that continues without it: nobody who has a number must be taken to have none. */
  openIfWhole: (column: ColumnName, row: string, sealed: Buffer) => Promise<string | null>
  /** Altered values this process has found. */
  altered: () => { column: string; values: number }[]
  /** The look-up values for a normalised value: under the writing key first, then under older keys still in use. */
  indexes: (column: ColumnName, value: string) => Promise<[Buffer, ...Buffer[]]>
  /** The key that seals now; null if the column stays plain. */
  writing: (column: ColumnName) => Promise<FieldKey | null>
  contacts: () => Promise<ContactKeys>
}

/**
 * A process rereads the list of keys every FRESH_MS, and waits for the result only if the list is older than STALE_MS: callers are mostly
 * in a transaction, and reading takes another connection. A new key begins to seal WRITES_AFTER_MS after it was made.
 */
const FRESH_MS = 15_000
const STALE_MS = 40_000
export const WRITES_AFTER_MS = 45_000

interface Ring {
  /** By this process's own clock. */
  readAt: number
  keys: Map<number, FieldKey>
  writers: Map<string, FieldKey>
  /** By column, newest first. */
  live: Map<string, FieldKey[]>
  contacts: ContactKeys
}

/**
 * The keys of this installation, ready to use; makes the first ones if there are none. Calls `tell` for each value that does not open.
 * @throws Error with a sentence for the operator if the key that sealed the database's fields is missing
 */
export async function openKeys(
  env: Where,
  system: Database,
  tell: (value: AlteredValue) => void = () => {},
): Promise<Keys> {
  await refuseUnknown(system)
  // Checked first: another process starting now makes the file, and then data keys.
  const sealed = await hasDataKeys(system)
  let masters = await readMasterKeys(env)
  if (masters.keys.length === 0) {
    if (sealed) throw new Error(await lostSentence(env, masters, system))
    masters = await makeKeyFile(env)
  }
  // Before anything else: a data key wrapped only with a wrong key would stop every other process too.
  if (sealed) await load(env, system, new Map())
  await makeMissing(system, masters, sealed)
  let ring = await load(env, system, new Map())
  let loading: Promise<Ring> | null = null
  const read = () => {
    loading ??= load(env, system, ring.keys)
      .then((made) => {
        ring = made
        return made
      })
      .finally(() => {
        loading = null
      })
    return loading
  }
  const inTheBackground = () => void read().catch(() => {})
  setInterval(inTheBackground, FRESH_MS).unref()
  const fresh = async () => {
    const age = performance.now() - ring.readAt
    if (age >= STALE_MS) return read()
    if (age >= FRESH_MS) inTheBackground()
    return ring
  }
  const writing = async (column: ColumnName) => {
    const found = (await fresh()).writers.get(column)
    if (found || isSwitched(column)) return found ?? null
    return (await read()).writers.get(column) ?? null
  }
  const known = async (column: ColumnName) => {
    const found = await writing(column)
    if (!found) throw new Error(`there is no key for ${column}`)
    return found
  }
  const altered = new AlteredValues(tell)
  const open = async (column: ColumnName, row: string, sealed: Buffer) => {
    const id = keyIdOf(sealed)
    // Another process may just have made it: read the list once more, as of now, before calling the key unknown.
    const key =
      id === 0 ? undefined : (ring.keys.get(id) ?? ((await loading?.then(read, read)) ?? (await read())).keys.get(id))
    try {
      if (key?.column !== column) throw new AlteredField('a sealed field names no key of its column')
      const text = openField(key, row, sealed)
      altered.forget(column, row)
      return text
    } catch (error) {
      if (error instanceof AlteredField) altered.note(column, row)
      throw error
    }
  }
  return {
    writing,
    altered: () => altered.counts(),
    contacts: async () => (await fresh()).contacts,
    async sealer(column) {
      const key = await known(column)
      return (row, text) => sealField(key, row, text)
    },
    open,
    openIfWhole: (column, row, sealed) =>
      open(column, row, sealed).catch((error) => {
        if (error instanceof AlteredField) return null
        throw error
      }),
    async indexes(column, value) {
      const first = await known(column)
      const others = (ring.live.get(column) ?? []).filter((key) => key.id !== first.id)
      return [blindIndex(first, value), ...others.map((key) => blindIndex(key, value))]
    },
  }
}

interface WrapRow {
  id: number
  column_name: string
  writes: boolean
  /** Whether every process has known the key long enough. */
  settled: boolean
  filled: boolean
  key_id: string
  wrapped: Buffer
}

async function readWraps(system: Database): Promise<WrapRow[]> {
  const { rows } = await sql<WrapRow>`
    select k.id, k.column_name, k.writes_from <= now() as writes, k.filled_at is not null as filled,
      k.writes_from + ${WRITES_AFTER_MS} * interval '1 millisecond' <= now() as settled, w.key_id, w.wrapped
    from data_key k join data_key_wrap w on w.data_key_id = k.id order by k.id desc`.execute(system)
  return rows
}

/** Unwraps every data key; `known` are those already unwrapped. */
async function load(env: Where, system: Database, known: ReadonlyMap<number, FieldKey>): Promise<Ring> {
  const readAt = performance.now()
  const rows = await readWraps(system)
  const keys = new Map<number, FieldKey>()
  const writers = new Map<string, FieldKey>()
  const live = new Map<string, FieldKey[]>()
  const masters = rows.every(({ id }) => known.has(id)) ? null : await readMasterKeys(env)
  for (const row of rows) {
    if (keys.has(row.id)) continue
    const key = known.get(row.id) ?? unwrapped(masters?.keys ?? [], rows, row)
    if (!key) throw new KeysAway(await lostSentence(env, masters ?? (await readMasterKeys(env)), system))
    keys.set(row.id, key)
    if (row.writes && !writers.has(row.column_name)) writers.set(row.column_name, key)
    live.set(row.column_name, [...(live.get(row.column_name) ?? []), key])
  }
  return { readAt, keys, writers, live, contacts: contactKeys(rows, live, writers) }
}

function unwrapped(masters: readonly MasterKey[], rows: readonly WrapRow[], of: WrapRow): FieldKey | null {
  const wraps = rows.filter(({ id }) => id === of.id)
  for (const { key_id, wrapped } of wraps) {
    const master = masters.find(({ id }) => id === key_id)
    const owner = { id: of.id, column: of.column_name }
    if (master) return fieldKey(unwrapDataKey(master, wrapped, owner), owner)
  }
  return null
}

async function hasDataKeys(system: Database): Promise<boolean> {
  return (await sql`select 1 from data_key limit 1`.execute(system)).rows.length > 0
}

/** Advisory lock for making data keys. */
const KEYS_SPACE = 7391

/** Runs `work` in a transaction while nobody else makes data keys. */
export function lockKeys<T>(system: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  return system.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(KEYS_SPACE)})`.execute(tx)
    return work(tx)
  })
}

const isSwitched = (column: ColumnName) => SWITCHED.includes(column)

/** Columns without a data key. */
async function missingKeys(db: Database): Promise<typeof COLUMNS> {
  const { rows } = await sql<{ name: string }>`select distinct column_name as name from data_key`.execute(db)
  return COLUMNS.filter(({ name }) => !rows.some((row) => row.name === name))
}

/** Makes the first data key of every column that has none; for contacts only if there is nothing yet that an older process could read. */
async function makeMissing(system: Database, masters: MasterKeys, sealed: boolean): Promise<void> {
  if ((await missingKeys(system)).every(({ switched }) => switched && sealed)) return
  await lockKeys(system, async (tx) => {
    const isNew = !(await hasDataKeys(tx)) && !(await hasPharmacies(tx))
    for (const { name, switched } of await missingKeys(tx)) {
      if (!switched) await makeDataKey(tx, masters, name, 0)
      else if (isNew) await makeSwitchedKey(tx, masters, name, -WRITES_AFTER_MS)
    }
  })
}

async function hasPharmacies(db: Database): Promise<boolean> {
  return (await sql`select from location limit 1`.execute(db)).rows.length > 0
}

async function makeSwitchedKey(tx: Database, masters: MasterKeys, name: string, afterMs: number): Promise<void> {
  const id = await makeDataKey(tx, masters, name, afterMs)
  await sql`
    update data_key set switched = true, filled_at = case when ${afterMs}::int < 0 then now() end where id = ${id}`.execute(
    tx,
  )
}

/**
 * Begins to seal contacts in an installation that stores them plain. Never while a process of an older version runs, because it could not
 * match a STOP to its patient. @returns false if they are sealed already @throws Error if connections show an older process
 */
export async function switchContacts(env: Where, system: Database): Promise<boolean> {
  const masters = await readMasterKeys(env)
  return lockKeys(system, async (tx) => {
    const missing = (await missingKeys(tx)).filter(({ switched }) => switched)
    if (missing.length > 0) await refuseOlderProcesses(tx)
    for (const { name } of missing) await makeSwitchedKey(tx, masters, name, WRITES_AFTER_MS)
    return missing.length > 0
  })
}

/** Makes a data key, wrapped with every available key, that begins to seal after `afterMs`. @returns its id */
export async function makeDataKey(
  tx: Database,
  { keys }: MasterKeys,
  column: string,
  afterMs: number,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into data_key (column_name, writes_from) values (${column}, now() + ${afterMs} * interval '1 millisecond')
    returning id`.execute(tx)
  const id = rows[0]!.id
  const bytes = newDataKey()
  for (const master of keys) await addWrap(tx, master, bytes, { id, column })
  return id
}

/** Wraps a data key with another key of the installation. */
export async function addWrap(
  tx: Database,
  master: MasterKey,
  bytes: Buffer,
  of: { id: number; column: string },
): Promise<void> {
  await sql`
    insert into data_key_wrap (data_key_id, key_id, wrapped) values (${of.id}, ${master.id}, ${wrapDataKey(master, bytes, of)})
    on conflict do nothing`.execute(tx)
}
