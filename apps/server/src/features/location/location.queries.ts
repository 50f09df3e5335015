import { createHash, randomBytes } from 'node:crypto'
import { Refusal } from '@pillar/contract'
import { sql } from 'kysely'
import type { LocationCaller } from '../../api/context.ts'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Database, Tx } from '../../db/database.ts'

const hashOf = (key: string) => createHash('sha256').update(key).digest()

/** The pharmacy that holds `key`, or null. Keys are kept as SHA-256 only: 256 random bits need no salt. */
export async function findLocationByKey(gate: Database, key: string): Promise<LocationCaller | null> {
  const row = await gate
    .selectFrom('location')
    .select(['id', 'company_id', 'time_zone'])
    .where('key_hash', '=', hashOf(key))
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  return {
    locationId: row.id,
    companyId: row.company_id,
    timeZone: row.time_zone,
    scope: { companyId: row.company_id, locationIds: [row.id] },
  }
}

/** Internal ids of the pharmacies with these uuids, in the given order. Refuses with not_found when one is outside the scope or unknown. */
export async function resolveLocations(tx: Tx, uuids: readonly string[]): Promise<number[]> {
  if (uuids.length === 0) return []
  const rows = await tx
    .selectFrom('location')
    .select(['id', 'uuid'])
    .where('uuid', 'in', [...uuids])
    .execute()
  const ids = new Map(rows.map((row) => [row.uuid, row.id]))
  return uuids.map((uuid) => {
    const id = ids.get(uuid.toLowerCase())
    if (id === undefined) throw new Refusal('not_found', 'That pharmacy was not found.')
    return id
  })
}

export interface NewLocation {
  companyId: number
  name: string
  street_address?: string | null
  town?: string | null
  region?: string | null
  postcode?: string | null
  country: 'AU' | 'GB' | 'US'
  phone_number?: string | null
  latitude?: number | null
  longitude?: number | null
  time_zone: string
  data_source?: string | null
  owner_login_id?: number | null
}

/**
 * Creates a pharmacy with a fresh key.
 * @returns its uuid and the key, which is shown once and not kept
 * @throws the database's unique violation when the company already has a pharmacy of that name
 */
export async function createLocation(
  gate: Database | Tx,
  location: NewLocation,
): Promise<{ uuid: string; key: string; id: number }> {
  const { companyId, ...columns } = location
  const key = randomBytes(32).toString('base64url')
  const uuid = uuidv7()
  const row = await gate
    .insertInto('location')
    .values({ ...columns, uuid, company_id: companyId, key_hash: hashOf(key) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { uuid, key, id: row.id }
}

/** A company by its name, letter case ignored, created when new. */
export async function ensureCompany(
  gate: Database | Tx,
  company: { name: string; country: 'AU' | 'GB' | 'US'; demo?: boolean },
): Promise<{ id: number; uuid: string }> {
  await gate
    .insertInto('company')
    .values({ uuid: uuidv7(), name: company.name, country: company.country, demo: company.demo ?? false })
    .onConflict((conflict) => conflict.expression(sql`lower(name)`).where('removed_at', 'is', null).doNothing())
    .execute()
  return gate
    .selectFrom('company')
    .select(['id', 'uuid'])
    .where(sql<boolean>`lower(name) = lower(${company.name})`)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
}
