import { sql } from 'kysely'
import type { Env } from '../../env.ts'
import type { Database } from '../database.ts'
import { COLUMNS } from './columns.ts'
import { keyFile, type MasterKeys } from './key-file.ts'

/** The message for the operator when the available keys are not those that sealed the database's fields. */
export async function lostSentence(
  env: Pick<Env, 'DATA_DIR'>,
  { source, keys }: MasterKeys,
  system: Database,
): Promise<string> {
  const { rows } = await sql<{ key_id: string }>`select distinct key_id from data_key_wrap order by 1`.execute(system)
  const needed = rows.map(({ key_id }) => key_id).join(' or ')
  const place = { KEYS: 'KEYS', SECRET: 'SECRET', file: keyFile(env) }[source]
  const there = keys.length === 0 ? 'is missing or empty' : `has ${keys.map(({ id }) => id).join(', ')}`
  return (
    `Addresses and numbers in this database are sealed with the key ${needed}; ${place} ${there}. ` +
    'Put back the keys that belong to this database: without them they cannot be read, so nothing is started. See docs/operations.md, Sealed columns.'
  )
}

/** @throws Error if a newer version has switched over a column this one does not know: it would look empty here and be written plain */
export async function refuseUnknown(system: Database): Promise<void> {
  const known = COLUMNS.map(({ name }) => name)
  const { rows } = await sql<{ column: string }>`
    select distinct column_name as column from data_key
    where switched and column_name <> all(${known}::text[]) order by 1`.execute(system)
  if (rows.length === 0) return
  throw new Error(
    `A newer version of Pillar has sealed ${rows.map(({ column }) => column).join(', ')} in this database, which this version cannot read. ` +
      'Start the newer version: nothing is started with this one. See docs/operations.md, Sealed columns.',
  )
}
