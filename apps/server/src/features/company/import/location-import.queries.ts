import { Refusal } from '@pillar/contract'
import { LIVE_RUN_STATES } from '@pillar/domain/message/run-state'
import { type Country, LOCALES } from '@pillar/domain/time/locale'
import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { type ListAsk, pageOf } from '../../../db/list.ts'

export interface ImportedPlace {
  id: number
  uuid: string
  name: string
  fromId: number
  from: { uuid: string; name: string }
  toId: number
  to: { uuid: string; name: string }
}

/**
 * The pharmacy, its present company and the new one; locked if requested, companies in order of id, and not against rows that name them: a
 * move takes seconds.
 * @throws Refusal not_found, or conflict if it belongs to that company already, or the company is in another country: a company's money is
 * in one currency
 */
export async function findImport(
  tx: Tx,
  { company_id, import_pharmacy_id }: { company_id: string; import_pharmacy_id: string },
  lock: boolean,
): Promise<ImportedPlace> {
  if (lock)
    await sql`
      select id from company where uuid = ${company_id} or id = (select company_id from location where uuid = ${import_pharmacy_id})
      order by id for no key update`.execute(tx)
  const { rows } = await sql<
    Record<'id' | 'from_id', number> & Record<'uuid' | 'name' | 'from' | 'from_name', string> & { country: Country }
  >`
    select l.id, l.uuid, l.name, l.country, c.id as from_id, c.uuid as from, c.name as from_name
    from location l join company c on c.id = l.company_id
    where l.uuid = ${import_pharmacy_id} and l.removed_at is null ${lock ? sql`for update of l` : sql``}`.execute(tx)
  const place = rows[0]
  if (!place) throw new Refusal('not_found', 'That pharmacy was not found.')
  const to = await tx
    .selectFrom('company')
    .select(['id', 'uuid', 'name', 'country'])
    .where('uuid', '=', company_id)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!to) throw new Refusal('not_found', 'That company was not found.')
  if (to.id === place.from_id) throw new Refusal('conflict', `${place.name} is already a pharmacy of ${to.name}.`)
  if (to.country !== place.country) {
    const [own, theirs] = [LOCALES[place.country].currency, LOCALES[to.country as Country].currency]
    const why = `its figures are in ${own}, those of ${to.name} in ${theirs}`
    throw new Refusal('conflict', `${place.name} cannot be imported: ${why}.`)
  }
  const from = { uuid: place.from, name: place.from_name }
  return {
    id: place.id,
    uuid: place.uuid,
    name: place.name,
    fromId: place.from_id,
    from,
    toId: to.id,
    to: { uuid: to.uuid, name: to.name },
  }
}

export interface ImportedLogin {
  id: number
  uuid: string
  name: string
  email: string
  pharmacies: number
  /** Serves only this pharmacy, and is not a support login. */
  moves: boolean
}

/** Logins linked to the pharmacy, by name. A login that is also linked to another pharmacy, or gets its reports, stays. */
export async function loginsOf(tx: Tx, place: ImportedPlace): Promise<ImportedLogin[]> {
  const { rows } = await sql<ImportedLogin>`
    select o.id, o.uuid, trim(o.first_name || ' ' || o.last_name) as name, o.email, n.pharmacies,
      n.pharmacies = 0 and not o.sr_login as moves
    from login_location x join login o on o.id = x.login_id
    cross join lateral (select count(*) as pharmacies from location l
      left join login_location y on y.location_id = l.id and y.login_id = o.id
      where l.id <> ${place.id} and l.removed_at is null and (y.login_id is not null or l.owner_login_id = o.id)) n
    where x.location_id = ${place.id} and o.company_id = ${place.fromId}
    order by lower(o.first_name || ' ' || o.last_name), o.id`.execute(tx)
  return rows
}

/** Campaigns of the company that include the pharmacy, by name; running means messages are still to be sent there. */
export async function campaignsOf(tx: Tx, place: ImportedPlace) {
  const { rows } = await sql<{ id: number; uuid: string; name: string; running: boolean; state: string | null }>`
    select c.id, c.uuid, c.name, r.state is not null and c.active as running, r.state
    from campaign_location x join campaign c on c.id = x.campaign_id
    left join message_run r on r.campaign_id = c.id and r.state in (${sql.join(LIVE_RUN_STATES)})
    where x.location_id = ${place.id} and c.removed_at is null order by lower(c.name), c.id`.execute(tx)
  return rows
}

/** The amount of data at the pharmacy. Runs as a tenant of its company. */
export async function countsOf(tx: Tx, locationId: number) {
  const { rows } = await sql<
    Record<'patients' | 'uploads' | 'messages' | 'queued' | 'inFlight' | 'loading' | 'sequences', number>
  >`
    select (select count(*) from patient where location_id = ${locationId}) as patients,
      (select count(*) from upload where location_id = ${locationId}) as uploads,
      (select count(*) from upload where location_id = ${locationId} and etl_state = 'PROCESSING') as loading,
      m.messages, m.queued, m."inFlight",
      (select count(*) from sequence where location_id = ${locationId} and removed_at is null) as sequences
    from (select count(*) as messages, count(*) filter (where state = 'queued') as queued,
        count(*) filter (where state = 'sending' or (state = 'unknown' and lease_until is not null)) as "inFlight"
      from message where location_id = ${locationId}) m`.execute(tx)
  if (!rows[0]) throw new Error('a select without group by answers one row')
  return rows[0]
}

/** Pharmacies of all companies but one, found by part of their name. */
export function listPharmacies(tx: Tx, input: ListAsk<'name' | 'company'>, notCompany: string | null) {
  return pageOf<{ uuid: string; name: string; company_id: string; company_name: string }, 'name' | 'company'>(
    tx,
    {
      select: sql`l.uuid, l.name, c.uuid as company_id, c.name as company_name`,
      from: sql`location l join company c on c.id = l.company_id`,
      where: [sql`l.removed_at is null`, sql`c.removed_at is null`, notCompany ? sql`c.uuid <> ${notCompany}` : null],
      search: [sql`l.name`],
      uuid: sql`l.uuid`,
      sort: { name: sql`lower(l.name)`, company: sql`lower(c.name)` },
      key: sql`l.id`,
    },
    input,
  )
}
