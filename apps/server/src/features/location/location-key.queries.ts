import { createHash, randomBytes } from 'node:crypto'
import { Refusal } from '@pillar/contract'
import { UPLOAD_KEY_BYTES, UPLOAD_KEY_PREFIX, uploadKeyOf, uploadKeyProblem } from '@pillar/domain/upload/upload-key'
import { sql } from 'kysely'
import type { LocationCaller } from '../../api/context.ts'
import { seal } from '../../api/seal.ts'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Database, Tx } from '../../db/database.ts'

/** Characters of a key after its fixed beginning that stay readable, for finding a pharmacy: 36 of its 256 bits. */
const SHOWN_LETTERS = 6

const hashOf = (key: string) => createHash('sha256').update(key).digest()

/** The readable beginning of a key, 'pillar_upload_4fK2aZ'. */
const prefixOf = (key: string) => key.slice(0, UPLOAD_KEY_PREFIX.length + SHOWN_LETTERS)

/**
 * The pharmacy that presents `key`, or null: an unknown key, one that has ended, or one of a removed pharmacy. Keys are looked up by
 * SHA-256: 256 random bits need no salt. Records the use, at most once a minute.
 */
export async function findLocationByKey(system: Database, key: string, now: Date): Promise<LocationCaller | null> {
  if (uploadKeyProblem(key) !== null) return null
  const { rows } = await sql<{ id: number; company_id: number; time_zone: string; key_id: number; used: boolean }>`
    select l.id, l.company_id, l.time_zone, k.id as key_id,
      coalesce(k.last_used_at > ${now}::timestamptz - interval '1 minute', false) as used
    from location_key k join location l on l.id = k.location_id
    where k.key_hash = ${hashOf(key)} and (k.ends_at is null or k.ends_at > ${now}) and l.removed_at is null`.execute(
    system,
  )
  const row = rows[0]
  if (!row) return null
  if (!row.used)
    await system.updateTable('location_key').set({ last_used_at: now }).where('id', '=', row.key_id).execute()
  return {
    locationId: row.id,
    keyId: row.key_id,
    companyId: row.company_id,
    timeZone: row.time_zone,
    scope: { companyId: row.company_id, locationIds: [row.id] },
  }
}

/** Whether a presented key still works: it has not ended since, and its pharmacy was not removed. */
export async function keyStillWorks(system: Database, keyId: number, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from location_key k join location l on l.id = k.location_id
    where k.id = ${keyId} and (k.ends_at is null or k.ends_at > ${now}) and l.removed_at is null`.execute(system)
  return rows.length > 0
}

/** The uuid of the pharmacy whose working key this is; null if none. Does not count as a use. */
export async function findUuidByKey(system: Database, key: string, now: Date): Promise<string | null> {
  const { rows } = await sql<{ uuid: string }>`
    select l.uuid from location_key k join location l on l.id = k.location_id
    where k.key_hash = ${hashOf(key)} and (k.ends_at is null or k.ends_at > ${now}) and l.removed_at is null`.execute(
    system,
  )
  return rows[0]?.uuid ?? null
}

/**
 * Gives a pharmacy a new key that works until it is replaced.
 * @param secret the installation's; null if unavailable: the key can then never be shown again
 * @returns the key and its uuid
 * @throws the database's unique violation while the pharmacy has another key without an end
 */
export async function addKey(
  tx: Database | Tx,
  location: { id: number; uuid: string },
  secret: Buffer | null,
  now?: Date,
): Promise<{ key: string; uuid: string }> {
  const key = uploadKeyOf(randomBytes(UPLOAD_KEY_BYTES))
  const uuid = uuidv7()
  await tx
    .insertInto('location_key')
    .values({
      uuid,
      location_id: location.id,
      key_hash: hashOf(key),
      sealed: secret && seal(secret, key, location.uuid, 'upload key'),
      prefix: prefixOf(key),
      ...(now ? { created_at: now } : {}),
    })
    .execute()
  return { key, uuid }
}

export interface KeyRow {
  id: number
  uuid: string
  prefix: string | null
  created_at: Date
  last_used_at: Date | null
  ends_at: Date | null
}

const KEY = sql`k.id, k.uuid, k.prefix, k.created_at, k.last_used_at, k.ends_at`

/** Keys of a pharmacy, newest first, except those that ended more than 30 days ago. */
export async function listKeys(tx: Tx, locationUuid: string, now: Date): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select ${KEY} from location_key k join location l on l.id = k.location_id
    where l.uuid = ${locationUuid} and (k.ends_at is null or k.ends_at > ${now}::timestamptz - interval '30 days')
    order by k.ends_at desc nulls first, k.id desc`.execute(tx)
  return rows
}

/** One key of a pharmacy. @throws Refusal not_found */
export async function findKey(tx: Tx, locationId: number, uuid: string): Promise<KeyRow> {
  const { rows } = await sql<KeyRow>`
    select ${KEY} from location_key k where k.location_id = ${locationId} and k.uuid = ${uuid}`.execute(tx)
  if (!rows[0]) throw new Refusal('not_found', 'That key was not found.')
  return rows[0]
}

/** A stored sealed key; null if only its hash was kept. */
export async function readSealedKey(system: Database, id: number): Promise<Buffer | null> {
  const row = await system.selectFrom('location_key').select('sealed').where('id', '=', id).executeTakeFirst()
  return row?.sealed ?? null
}

/** The newest stored key, and the uuid of its pharmacy; undefined if there is none. */
export function newestSealedKey(system: Database): Promise<{ sealed: Buffer; location: string } | undefined> {
  return system
    .selectFrom('location_key as k')
    .innerJoin('location as l', 'l.id', 'k.location_id')
    .select(['k.sealed', 'l.uuid as location'])
    .where('k.sealed', 'is not', null)
    .$narrowType<{ sealed: Buffer }>()
    .orderBy('k.id', 'desc')
    .executeTakeFirst()
}

/** Ends the current key at that time. */
export async function endCurrentKey(tx: Tx, locationId: number, at: Date): Promise<void> {
  await tx
    .updateTable('location_key')
    .set({ ends_at: at })
    .where('location_id', '=', locationId)
    .where('ends_at', 'is', null)
    .execute()
}

/** Sets when a replaced key ends. */
export async function endKey(tx: Tx, id: number, at: Date): Promise<void> {
  await tx.updateTable('location_key').set({ ends_at: at }).where('id', '=', id).execute()
}
