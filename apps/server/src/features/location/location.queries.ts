import { Refusal } from '@pillar/contract'
import type { Country } from '@pillar/domain/time/locale'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Database, Tx } from '../../db/database.ts'
import { addKey } from './location-key.queries.ts'

/** Internal ids of the pharmacies with these uuids, in the given order. Refuses with not_found if one is outside the scope or unknown. */
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
  features?: string[]
  no_guild_consent?: boolean
}

/**
 * Creates a pharmacy with a new key.
 * @param secret seals the key so that support can show it again; without it the key is shown once and not kept
 * @throws the database's unique violation if the company already has a pharmacy of that name
 */
export async function createLocation(
  system: Database | Tx,
  location: NewLocation,
  secret: Buffer | null = null,
): Promise<{ uuid: string; key: string; id: number }> {
  const { companyId, ...columns } = location
  const uuid = uuidv7()
  const { id } = await system
    .insertInto('location')
    .values({ ...columns, uuid, company_id: companyId })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { key } = await addKey(system, { id, uuid }, secret)
  return { uuid, id, key }
}

/** Internal id of a company by its name, ignoring letter case; undefined if there is none. */
export async function findCompanyId(system: Database, name: string): Promise<number | undefined> {
  const found = await system
    .selectFrom('company')
    .select('id')
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return found?.id
}

/** Internal id of a company by its uuid. @throws Refusal not_found if it does not exist or was removed */
export async function companyIdOf(tx: Tx, uuid: string): Promise<number> {
  const found = await tx
    .selectFrom('company')
    .select('id')
    .where('uuid', '=', uuid)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found', 'That company was not found.')
  return found.id
}

/** The company of a pharmacy, even a removed one: its patients may still opt out. */
export async function companyOfPharmacy(system: Database, locationId: number): Promise<number | undefined> {
  const row = await system.selectFrom('location').select('company_id').where('id', '=', locationId).executeTakeFirst()
  return row?.company_id
}

/** What an operator reads instead of a pharmacy's id: its name and its company's. */
export async function pharmacyNames(system: Database): Promise<ReadonlyMap<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select l.id, l.name || ' of ' || c.name as name from location l join company c on c.id = l.company_id`.execute(
    system,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Whether any company exists. */
export async function hasCompanies(system: Database): Promise<boolean> {
  return (await system.selectFrom('company').select('id').limit(1).executeTakeFirst()) !== undefined
}

/**
 * A company by its name, ignoring letter case, created if new.
 * @throws Error if one of that name exists in another country: a company's money is in one currency
 */
export async function ensureCompany(
  system: Database | Tx,
  company: { name: string; country: 'AU' | 'GB' | 'US'; demo?: boolean },
): Promise<{ id: number; uuid: string }> {
  await system
    .insertInto('company')
    .values({ uuid: uuidv7(), name: company.name, country: company.country, demo: company.demo ?? false })
    .onConflict((conflict) => conflict.expression(sql`lower(name)`).where('removed_at', 'is', null).doNothing())
    .execute()
  const { country, ...found } = await system
    .selectFrom('company')
    .select(['id', 'uuid', 'country'])
    .where(sql<boolean>`lower(name) = lower(${company.name})`)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (country !== company.country)
    throw new Error(`${company.name} is a company in ${country}, not ${company.country}.`)
  return found
}

/** Names and ids of the company's pharmacies, by name. */
export async function listPharmacyNames(tx: Tx): Promise<{ name: string; uuid: string }[]> {
  return tx
    .selectFrom('location')
    .select(['name', 'uuid'])
    .where('removed_at', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute()
}

/** American pharmacies with their ZIP codes, states and clocks, including removed ones. */
export async function americanPharmacies(system: Database) {
  return system
    .selectFrom('location')
    .select(['id', 'postcode', 'region', 'time_zone', 'removed_at'])
    .where('country', '=', 'US')
    .execute()
}

/** The pharmacies with a state in their address, without removed ones. */
export async function pharmaciesWithState(system: Database) {
  return system
    .selectFrom('location')
    .select((eb) => ['id', eb.ref('country').$castTo<Country>().as('country'), 'postcode', 'region'])
    .where('region', 'is not', null)
    .where('removed_at', 'is', null)
    .execute()
}

/** The zones a pharmacy had before `zone`, the newest last: its register was read by them. */
export const earlierZones = (zone: string) =>
  sql<
    string[]
  >`case when time_zone = ${zone}::text then earlier_zones else array_append(array_remove(earlier_zones, time_zone), time_zone) end`

/** Corrects a pharmacy's clock. @returns false if another process has just done it */
export async function correctClock(system: Database, id: number, clock: { was: string; is: string }): Promise<boolean> {
  const done = await sql`
    update location set time_zone = ${clock.is}, earlier_zones = ${earlierZones(clock.is)}, version = version + 1
    where id = ${id} and time_zone = ${clock.was}`.execute(system)
  return (done.numAffectedRows ?? 0n) > 0n
}

/** Corrects a pharmacy's state. @returns false if another process has just done it */
export async function correctState(
  system: Database,
  id: number,
  state: { was: string | null; is: string },
): Promise<boolean> {
  const done = await sql`
    update location set region = ${state.is}, version = version + 1
    where id = ${id} and region is not distinct from ${state.was}`.execute(system)
  return (done.numAffectedRows ?? 0n) > 0n
}
