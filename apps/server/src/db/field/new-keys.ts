import { sql } from 'kysely'
import type { Env } from '../../env.ts'
import type { Database } from '../database.ts'
import { COLUMNS } from './columns.ts'
import { type MasterKey, newDataKey, wrapDataKey } from './envelope.ts'
import { type MasterKeys, readMasterKeys } from './key-file.ts'
import { refuseOlderProcesses } from './older-process.ts'

/** A new key begins to seal this long after it was made: by then every process has read the list of keys again. */
export const WRITES_AFTER_MS = 45_000

/** Whether this installation has sealed anything yet. */
export async function hasDataKeys(system: Database): Promise<boolean> {
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

/** Columns without a data key. */
async function missingKeys(db: Database): Promise<typeof COLUMNS> {
  const { rows } = await sql<{ name: string }>`select distinct column_name as name from data_key`.execute(db)
  return COLUMNS.filter(({ name }) => !rows.some((row) => row.name === name))
}

/** Makes the first data key of every column that has none; for contacts only if there is nothing yet that an older process could read. */
export async function makeMissing(system: Database, masters: MasterKeys, sealed: boolean): Promise<void> {
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
export async function switchContacts(
  env: Pick<Env, 'KEYS' | 'SECRET' | 'DATA_DIR'>,
  system: Database,
): Promise<boolean> {
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
