import { sql } from 'kysely'
import type { Env } from '../../env.ts'
import type { Database } from '../database.ts'
import { type AlteredValue, AlteredValues } from './altered.ts'
import { type ColumnName, SWITCHED } from './columns.ts'
import { type ContactKeys, contactKeys } from './contact-keys.ts'
import {
  AlteredField,
  blindIndex,
  type FieldKey,
  fieldKey,
  keyIdOf,
  type MasterKey,
  openField,
  sealField,
  unwrapDataKey,
} from './envelope.ts'
import { KeysAway, makeKeyFile, readMasterKeys } from './key-file.ts'
import { hasDataKeys, makeMissing, WRITES_AFTER_MS } from './new-keys.ts'
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
 * in a transaction, and reading takes another connection.
 */
const FRESH_MS = 15_000
const STALE_MS = 40_000

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
  await makeFirstKeys(env, system)
  return keysFrom(followRing(env, system, await load(env, system, new Map())), new AlteredValues(tell))
}

async function makeFirstKeys(env: Where, system: Database): Promise<void> {
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
}

/** This process's list of keys, as recent as the caller needs it. */
interface RingFollower {
  /** As it was last read. */
  last: () => Ring
  /** As it was read STALE_MS ago at the earliest. */
  fresh: () => Promise<Ring>
  /** As it is read now, or by a read in progress. */
  read: () => Promise<Ring>
  /** As it is read from now on: a read in progress may have begun too early. */
  readAgain: () => Promise<Ring>
}

/** Reads the list of keys every FRESH_MS from now on. */
function followRing(env: Where, system: Database, first: Ring): RingFollower {
  let ring = first
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
  return {
    last: () => ring,
    read,
    async readAgain() {
      await loading?.catch(() => {})
      return read()
    },
    async fresh() {
      const age = performance.now() - ring.readAt
      if (age >= STALE_MS) return read()
      if (age >= FRESH_MS) inTheBackground()
      return ring
    },
  }
}

const isSwitched = (column: ColumnName) => SWITCHED.includes(column)

function keysFrom(rings: RingFollower, altered: AlteredValues): Keys {
  const writing = async (column: ColumnName) => {
    const found = (await rings.fresh()).writers.get(column)
    if (found || isSwitched(column)) return found ?? null
    return (await rings.read()).writers.get(column) ?? null
  }
  const known = async (column: ColumnName) => {
    const found = await writing(column)
    if (!found) throw new Error(`there is no key for ${column}`)
    return found
  }
  const keyOf = async (id: number) => {
    if (id === 0) return undefined
    // Another process may just have made it: read the list once more, as of now, before calling the key unknown.
    return rings.last().keys.get(id) ?? (await rings.readAgain()).keys.get(id)
  }
  const open = async (column: ColumnName, row: string, sealed: Buffer) => {
    const key = await keyOf(keyIdOf(sealed))
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
    contacts: async () => (await rings.fresh()).contacts,
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
      const others = (rings.last().live.get(column) ?? []).filter((key) => key.id !== first.id)
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
