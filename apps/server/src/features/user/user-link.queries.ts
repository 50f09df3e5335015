import type { UserLocation } from '@pillar/contract/access/user-link-admin'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** The pharmacies a user is linked to, by company and name. */
export async function listUserLocations(tx: Tx, userUuid: string): Promise<UserLocation[]> {
  const { rows } = await sql<UserLocation>`
    select l.uuid, l.name, l.street_address, l.town, l.region, l.postcode, json_build_object('uuid', c.uuid, 'name', c.name) as company,
           l.owner_login_id is not distinct from u.id as owner
    from login u join login_location x on x.login_id = u.id
    join location l on l.id = x.location_id and l.removed_at is null join company c on c.id = l.company_id
    where u.uuid = ${userUuid} order by lower(c.name), c.id, lower(l.name), l.id`.execute(tx)
  return rows
}

export interface LinkedUser {
  id: number
  uuid: string
  name: string
  disabled: boolean
}

/** Users by uuid, without unknown or removed ones. */
export async function usersByUuid(tx: Tx, uuids: readonly string[]): Promise<LinkedUser[]> {
  const { rows } = await sql<LinkedUser>`
    select u.id, u.uuid, u.first_name || ' ' || u.last_name as name, u.disabled_at is not null as disabled
    from login u join company c on c.id = u.company_id
    where u.uuid = any (${[...uuids]}) and u.removed_at is null and c.removed_at is null`.execute(tx)
  return rows
}

export interface LinkedLocation {
  id: number
  uuid: string
  name: string
  company_id: number
  company_uuid: string
}

/** Pharmacies by uuid, without unknown or removed ones. */
export async function locationsByUuid(tx: Tx, uuids: readonly string[]): Promise<LinkedLocation[]> {
  const { rows } = await sql<LinkedLocation>`
    select l.id, l.uuid, l.name, l.company_id, c.uuid as company_uuid from location l join company c on c.id = l.company_id
    where l.uuid = any (${[...uuids]}) and l.removed_at is null`.execute(tx)
  return rows
}

/** Pharmacies of one company a user is linked to, including removed ones. */
export async function linkedWithin(
  tx: Tx,
  loginId: number,
  companyId: number,
): Promise<{ id: number; uuid: string; removed: boolean }[]> {
  const { rows } = await sql<{ id: number; uuid: string; removed: boolean }>`
    select l.id, l.uuid, l.removed_at is not null as removed from login_location x join location l on l.id = x.location_id
    where x.login_id = ${loginId} and l.company_id = ${companyId}`.execute(tx)
  return rows
}

/** Links users to pharmacies; an existing link stays. @returns how many are new */
export async function insertLinks(
  tx: Tx,
  links: readonly { login_id: number; location_id: number; company_id: number }[],
): Promise<number> {
  if (links.length === 0) return 0
  const done = await tx
    .insertInto('login_location')
    .values([...links])
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(done.numInsertedOrUpdatedRows ?? 0)
}

/** Removes links of a user. @returns how many there were */
export async function deleteLinks(tx: Tx, loginId: number, locationIds: readonly number[]): Promise<number> {
  if (locationIds.length === 0) return 0
  const done = await tx
    .deleteFrom('login_location')
    .where('login_id', '=', loginId)
    .where('location_id', 'in', [...locationIds])
    .executeTakeFirst()
  return Number(done.numDeletedRows)
}
