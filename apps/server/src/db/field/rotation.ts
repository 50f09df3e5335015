import { sql } from 'kysely'
import type { Env } from '../../env.ts'
import type { Database, Pools } from '../database.ts'
import { COLUMNS, SWITCHED } from './columns.ts'
import { unwrapDataKey } from './envelope.ts'
import { addMasterKey, type KeySource, keepMasterKeys, type MasterKeys, readMasterKeys } from './key-file.ts'
import type { Keys } from './key-ring.ts'
import { addWrap, lockKeys, makeDataKey, WRITES_AFTER_MS } from './new-keys.ts'
import { sweepFields } from './sweep.ts'

type Where = Pick<Env, 'KEYS' | 'SECRET' | 'DATA_DIR'>

/** No transaction runs longer: every writer with the previous key has committed by then. */
const RETIRES_AFTER_MS = 86_400_000

/** The state of one column's keys. */
export interface ColumnStatus {
  column: string
  /** Keys that open its values; more than one during a rotation. */
  keys: number
  /** When the newest began to seal, or will begin. */
  since: Date
  /** Whether its rows belong to pharmacies. */
  place: boolean
  /** Pharmacies whose values are sealed with the newest key, out of how many, and how many values were resealed. */
  pharmacies: number
  of: number
  values: number
  /** Whether nothing older is left, except values that do not open. */
  through: boolean
  /** Whether there are any values that do not open. */
  altered: boolean
}

export interface KeyStatus {
  source: KeySource
  /** Available keys of the installation, and those that wrap the data keys in the database. */
  inHand: string[]
  wrapping: string[]
  columns: ColumnStatus[]
  /** How patients' contacts are stored: not all sealed and no sealing in progress; being sealed; all sealed. */
  contacts: 'plain' | 'filling' | 'sealed'
}

/** The state of the keys. */
export async function keyStatus(env: Where, system: Database): Promise<KeyStatus> {
  const { source, keys } = await readMasterKeys(env)
  return {
    source,
    inHand: keys.map(({ id }) => id),
    wrapping: await wrappingKeys(system),
    columns: await columns(system),
    contacts: await contactState(system),
  }
}

async function contactState(system: Database): Promise<KeyStatus['contacts']> {
  const { rows } = await sql<{ filled: boolean }>`
    select bool_or(filled_at is not null) as filled from data_key where column_name = any(${SWITCHED}::text[])
    group by column_name`.execute(system)
  if (rows.length < SWITCHED.length) return 'plain'
  return rows.every(({ filled }) => filled) ? 'sealed' : 'filling'
}

/** The state of each column's keys, without the installation's keys. */
export async function columns(system: Database): Promise<ColumnStatus[]> {
  const { rows } = await sql<Omit<ColumnStatus, 'place'>>`
    select n.column_name as column, (select count(*)::int from data_key k where k.column_name = n.column_name) as keys,
      n.writes_from as since, n.swept_rows as values, n.swept_at is not null as through, n.altered, l.of,
      case when n.swept_at is not null then l.of else l.done end as pharmacies
    from (select distinct on (column_name) * from data_key order by column_name, id desc) n
    cross join lateral (select count(*)::int as of, count(*) filter (where id <= n.swept_location)::int as done from location) l
    order by 1`.execute(system)
  const places = new Set<string>(COLUMNS.filter(({ place }) => place).map(({ name }) => name))
  return rows.map((row) => ({ ...row, place: places.has(row.column) }))
}

async function wrappingKeys(system: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select key_id as id from data_key_wrap group by 1 having count(*) = (select count(*) from data_key) order by 1`.execute(
    system,
  )
  return rows.map(({ id }) => id)
}

/**
 * Begins a rotation: a new key of the installation wraps every data key in addition to the old ones, and every column gets a new data key,
 * which seals after 45 seconds, once every process knows it. All at once or not at all: after a crash it has to be started again.
 * @throws Error with what to do first
 */
export async function rotate(env: Where, system: Database): Promise<void> {
  let masters = await readMasterKeys(env)
  if (masters.source === 'SECRET')
    throw new Error(
      'The key follows from SECRET, which cannot change. Set KEYS to a new key ("openssl rand -hex 32") for every process, restart them one after the other, and run this again.',
    )
  await lockKeys(system, async (tx) => {
    const under = (await columns(tx)).filter(({ keys }) => keys > 1)
    if (under.length > 0)
      throw new Error(
        `A rotation is under way: "npm run keys" shows how far. End it with "npm run keys -- retire" first.`,
      )
    if (isUsed(masters, await wrappingKeys(tx))) {
      if (masters.source === 'KEYS')
        throw new Error(
          'KEYS has no new key. Add one at its end ("openssl rand -hex 32"), restart the processes one after the other, and run this again.',
        )
      await addMasterKey(env)
      masters = await readMasterKeys(env)
    }
    await wrapAll(tx, masters)
    for (const { column } of await columns(tx)) await makeDataKey(tx, masters, column, WRITES_AFTER_MS)
    await sql`
      update data_key k set filled_at = o.filled_at, switched = o.switched from data_key o
      where o.column_name = k.column_name and o.id < k.id and o.switched`.execute(tx)
  })
}

const isUsed = ({ keys }: MasterKeys, wrapping: readonly string[]) => wrapping.includes(keys.at(-1)?.id ?? '')

/** Wraps every data key with the newest key of the installation as well. @throws Error when one cannot be unwrapped */
async function wrapAll(tx: Database, { keys }: MasterKeys): Promise<void> {
  const newest = keys.at(-1)!
  const { rows } = await sql<{ id: number; column: string; key_id: string; wrapped: Buffer }>`
    select distinct on (k.id) k.id, k.column_name as column, w.key_id, w.wrapped
    from data_key k join data_key_wrap w on w.data_key_id = k.id
    where w.key_id = any(${keys.map(({ id }) => id)}::text[]) order by k.id`.execute(tx)
  for (const { id, column, key_id, wrapped } of rows) {
    const master = keys.find((one) => one.id === key_id)!
    await addWrap(tx, newest, unwrapDataKey(master, wrapped, { id, column }), { id, column })
  }
}

/**
 * Ends a rotation: looks once more for values sealed with older data keys, deletes these keys, and leaves only the newest key of the
 * installation wrapping the rest. DATA_DIR/keys then holds that key alone. @returns the keys of the installation that no longer open
 * anything
 * @throws Error when it is too early
 */
export async function retire(env: Where, pools: Pools, keys: Keys, graceMs = RETIRES_AFTER_MS): Promise<string[]> {
  const masters = await readMasterKeys(env)
  const newest = masters.keys.at(-1)
  if (!newest || !(await wrappingKeys(pools.system)).includes(newest.id))
    throw new Error('The newest key does not wrap everything yet: run "npm run keys -- rotate" first.')
  await refuseEarly(pools.system, graceMs)
  const { altered } = await sweepFields(pools, keys, true)
  if (altered > 0)
    throw new Error(
      `${altered === 1 ? 'One value does' : `${altered} values do`} not open, and cannot be sealed with the new key: nothing is retired. See docs/operations.md, "A sealed value that does not open".`,
    )
  await lockKeys(pools.system, async (tx) => {
    await refuseEarly(tx, graceMs)
    await sql`
      delete from data_key k using data_key n
      where n.column_name = k.column_name and n.id > k.id and n.swept_at is not null`.execute(tx)
    await sql`
      delete from contact_index i where not exists (
        select from data_key k where k.id = ('x' || encode(substring(i.index for 4), 'hex'))::bit(32)::int)`.execute(tx)
    await sql`delete from data_key_wrap where key_id <> ${newest.id}`.execute(tx)
  })
  if (masters.source === 'file') await keepMasterKeys(env, [newest.id])
  return masters.keys.slice(0, -1).map(({ id }) => id)
}

async function refuseEarly(system: Database, graceMs: number): Promise<void> {
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(system)
  const early = (await columns(system)).filter(
    ({ since, through }) => !through || since.getTime() + graceMs > rows[0]!.now.getTime(),
  )
  if (early.length === 0) return
  const open = early.filter(({ through }) => !through).map(({ column }) => column)
  throw new Error(
    open.length > 0
      ? `Not everything is sealed with the new key yet: ${open.join(', ')}. "npm run keys" shows how far.`
      : 'The new key has sealed for less than a day: what began before it may still use the old one. Try again tomorrow.',
  )
}
