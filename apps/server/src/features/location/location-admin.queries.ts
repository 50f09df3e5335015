import { Refusal } from '@pillar/contract'
import type { PharmacyModule } from '@pillar/contract/company/company-admin'
import type { PharmacyOwns } from '@pillar/domain/company/pharmacy'
import { restorableSince } from '@pillar/domain/company/removal'
import type { Country } from '@pillar/domain/time/locale'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Tx } from '../../db/database.ts'
import { refuseTaken } from '../../db/taken.ts'
import { companyIdOf, earlierZones } from './location.queries.ts'

/** The fields of a pharmacy that the console sets. */
export interface PharmacyColumns {
  name: string
  street_address: string | null
  town: string | null
  region: string | null
  postcode: string | null
  country: Country
  phone_number: string | null
  latitude: number | null
  longitude: number | null
  time_zone: string
  data_source: string | null
  owner_login_id: number | null
  features: string[]
  no_guild_consent: boolean
  s8_stocktake_warning_days: number | null
}

/** A pharmacy as the console reads it. */
export interface PharmacyRow extends Omit<PharmacyColumns, 'owner_login_id'> {
  uuid: string
  company_id: string
  company_name: string
  company_country: Country
  owner: { uuid: string; name: string } | null
  modules: PharmacyModule[]
  created_at: Date
  version: number
}

const NOT_FOUND = 'That pharmacy was not found.'

/** One pharmacy. @throws Refusal not_found */
export async function findPharmacy(tx: Tx, uuid: string): Promise<PharmacyRow> {
  const { rows } = await sql<PharmacyRow>`
    select l.uuid, c.uuid as company_id, c.name as company_name, c.country as company_country, l.name, l.street_address, l.town, l.region, l.postcode, l.country,
      l.phone_number, l.latitude, l.longitude, l.time_zone, l.data_source, l.features, l.no_guild_consent, l.s8_stocktake_warning_days,
      l.created_at, l.version,
      (select json_build_object('uuid', o.uuid, 'name', trim(o.first_name || ' ' || o.last_name)) from login o
        where o.id = l.owner_login_id) as owner,
      coalesce((select json_agg(json_build_object('uuid', m.uuid, 'name', m.name, 'display_name', m.display_name,
        'display_colour', m.display_colour, 'external_id', x.external_id) order by m.display_name)
        from location_module x join module m on m.id = x.module_id where x.location_id = l.id), '[]') as modules
    from location l join company c on c.id = l.company_id
    where l.uuid = ${uuid} and l.removed_at is null and c.removed_at is null`.execute(tx)
  if (!rows[0]) throw new Refusal('not_found', NOT_FOUND)
  return rows[0]
}

/** Locks a pharmacy until the transaction ends; with `removed`, also a removed one. @throws Refusal not_found */
export async function lockPharmacy(tx: Tx, uuid: string, removed = false) {
  const found = await tx
    .selectFrom('location')
    .select(['id', 'uuid', 'company_id', 'name', 'version', 'removed_at', 'data_source', 'country', 'region', 'town'])
    .select(['postcode', 'time_zone', 'latitude', 'longitude', 'owner_login_id'])
    .where('uuid', '=', uuid)
    .where('removed_at', removed ? 'is not' : 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found', NOT_FOUND)
  return found
}

/** Pharmacies of a company that can be restored, newest removal first. @throws Refusal not_found */
export async function listRemoved(tx: Tx, companyUuid: string, now: Date) {
  const companyId = await companyIdOf(tx, companyUuid)
  const found = await sql<{ uuid: string; name: string; town: string | null; removed_at: Date }>`
    select uuid, name, town, removed_at from location
    where company_id = ${companyId} and removed_at > ${restorableSince(now)}
    order by removed_at desc, id`.execute(tx)
  return found.rows
}

const taken = (name: string) => ({
  location_name: `The company already has a pharmacy called "${name}". Please enter another pharmacy name.`,
})

/** Adds a pharmacy without a key. @throws Refusal conflict if the company has one of that name, ignoring letter case */
export async function insertPharmacy(
  tx: Tx,
  companyId: number,
  columns: PharmacyColumns,
): Promise<{ id: number; uuid: string }> {
  const uuid = uuidv7()
  const { id } = await refuseTaken(taken(columns.name), () =>
    tx
      .insertInto('location')
      .values({ ...columns, uuid, company_id: companyId })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return { id, uuid }
}

/** Changes a pharmacy and increments its version. @throws Refusal conflict if the name is taken */
export async function updatePharmacy(
  tx: Tx,
  id: number,
  changes: Partial<PharmacyColumns> & { name: string },
): Promise<void> {
  const zone = changes.time_zone
  await refuseTaken(taken(changes.name), () =>
    tx
      .updateTable('location')
      .set((eb) => ({
        ...changes,
        ...(zone ? { earlier_zones: earlierZones(zone) } : {}),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', id)
      .execute(),
  )
}

/** Removes a pharmacy from every list, or restores it. @throws Refusal conflict if its name has been taken meanwhile */
export async function setPharmacyRemoved(
  tx: Tx,
  pharmacy: { id: number; name: string },
  at: Date | null,
): Promise<void> {
  await refuseTaken(taken(pharmacy.name), () =>
    tx.updateTable('location').set({ removed_at: at }).where('id', '=', pharmacy.id).execute(),
  )
}

/** What a pharmacy still takes part in. `liveStates` and `queueStates` come from the domain. */
export async function pharmacyOwns(
  tx: Tx,
  id: number,
  liveStates: readonly string[],
  queueStates: readonly string[],
): Promise<PharmacyOwns> {
  const { rows } = await sql<PharmacyOwns>`select
    (select count(*) from campaign_location x join campaign c on c.id = x.campaign_id
      where x.location_id = ${id} and c.active and c.removed_at is null) as "activeCampaigns",
    (select count(distinct b.run_id) from message_batch b join message_run r on r.id = b.run_id
      where b.location_id = ${id} and r.state in (${sql.join(liveStates)}) and b.num_queued + b.num_sending > 0) as "unfinishedSends",
    (select count(*) from upload where location_id = ${id} and etl_state in (${sql.join(queueStates)})) as "openUploads"`.execute(
    tx,
  )
  if (!rows[0]) throw new Error('a select without from answers one row')
  return rows[0]
}

/** The login that will own a pharmacy of the company, locked against removal. @throws Refusal invalid if it is not one of its users */
export async function findOwner(tx: Tx, companyId: number, uuid: string): Promise<number> {
  const found = await tx
    .selectFrom('login')
    .select('id')
    .where('uuid', '=', uuid)
    .where('company_id', '=', companyId)
    .where('disabled_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!found) throw new Refusal('invalid', 'Please select an owner among the users of the company.')
  return found.id
}

/** Links a pharmacy's owner to it, so that they get its notices. */
export async function linkOwner(tx: Tx, locationId: number, companyId: number, loginId: number): Promise<void> {
  await tx
    .insertInto('login_location')
    .values({ location_id: locationId, company_id: companyId, login_id: loginId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** A company that may receive a pharmacy, locked against its removal. @throws Refusal not_found */
export async function holdCompany(tx: Tx, uuid: string): Promise<{ id: number; name: string; country: Country }> {
  const { rows } = await sql<{ id: number; name: string; country: Country }>`
    select id, name, country from company where uuid = ${uuid} and removed_at is null for update`.execute(tx)
  if (!rows[0]) throw new Refusal('not_found', 'That company was not found.')
  return rows[0]
}

/** Locks the company of a pharmacy that is being restored: the company's removal counts its pharmacies. @throws Refusal not_found */
export async function holdCompanyOf(tx: Tx, uuid: string): Promise<void> {
  const { rows } = await sql`
    select from company where id = (select company_id from location where uuid = ${uuid}) and removed_at is null for share`.execute(
    tx,
  )
  if (rows.length === 0) throw new Refusal('not_found', NOT_FOUND)
}
