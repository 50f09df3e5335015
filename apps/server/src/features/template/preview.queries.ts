import { Refusal } from '@pillar/contract'
import type { Country } from '@pillar/domain/time/locale'
import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import { contactSpellings } from '../../db/field/contact.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { deceasedElsewhere } from '../person/death.queries.ts'

export interface PreviewPharmacy {
  id: number
  uuid: string
  name: string
  street_address: string | null
  town: string | null
  region: string | null
  postcode: string | null
  country: Country
  phone_number: string | null
  /** Null for the installation's sender. */
  sms_sender: string | null
}

/** One pharmacy of the scope, as its messages name it. @throws Refusal not_found */
export async function findPharmacy(tx: Tx, uuid: string): Promise<PreviewPharmacy> {
  const found = await tx
    .selectFrom('location as l')
    .leftJoin('messaging_setting as s', 's.company_id', 'l.company_id')
    .select([
      'l.id',
      'l.uuid',
      'l.name',
      'l.street_address',
      'l.town',
      'l.region',
      'l.postcode',
      'l.country',
      'l.phone_number',
    ])
    .select((eb) => eb.fn.coalesce('l.sms_sender', 's.sms_sender').as('sms_sender'))
    .where('l.uuid', '=', uuid)
    .where('l.removed_at', 'is', null)
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found', 'That pharmacy was not found.')
  return { ...found, country: found.country as Country }
}

/**
 * A patient of a pharmacy who could get a message (not in a facility, and not deceased according to any pharmacy of the company), in the
 * order of their first upload; the number wraps around. `patients` is how many there are.
 */
export async function pickPatient(
  tx: Tx,
  locationId: number,
  number: number,
): Promise<{ patients: number; patient: { id: number; first_name: string | null; last_name: string | null } | null }> {
  const died = [...(await deceasedElsewhere(tx, locationId, null))]
  const could = sql`from patient where location_id = ${locationId} and deceased_on is null and not facility and not fake
    and id <> all(${died}::bigint[])`
  const counted = await sql<{ patients: number }>`select count(*) as patients ${could}`.execute(tx)
  const patients = counted.rows[0]?.patients ?? 0
  if (patients === 0) return { patients, patient: null }
  const { rows } = await sql<{ id: number; first_name: string | null; last_name: string | null }>`
    select id, first_name, last_name ${could} order by id limit 1 offset ${number % patients}`.execute(tx)
  return { patients, patient: rows[0] ?? null }
}

/** Whether a person who has this number (E.164), or was texted at it, has opted out of texts at one of the scope's pharmacies. */
export async function wantsNoTexts(tx: Tx, keys: Keys, number: string): Promise<boolean> {
  const spellings = await contactSpellings(tx, keys, number)
  const { rows } = await sql<{ out: boolean }>`
    select exists (
      select from patient p left join consent c on c.location_id = p.location_id and c.patient_id = p.id
      where p.location_id = any ((select scope_location_ids())::bigint[]) and p.sms_to = any(${spellings}::text[])
        and (p.sms_opt_out or c.sms_health_outreach = 'out')
    ) or exists (
      select from message m join consent c on c.location_id = m.location_id and c.patient_id = m.patient_id
      where m.location_id = any ((select scope_location_ids())::bigint[]) and m.contact = any(${spellings}::text[])
        and m.channel = 'sms' and m.sent_at is not null and c.sms_health_outreach = 'out'
    ) as out`.execute(tx)
  return rows[0]?.out ?? false
}

/** The first and last name and the address of a login, read as the system: tenant queries see no logins. */
export async function findTester(system: Database, loginId: number) {
  return system
    .selectFrom('login')
    .select(['first_name', 'last_name', 'email'])
    .where('id', '=', loginId)
    .executeTakeFirstOrThrow()
}
