import type { Country } from '@pillar/domain/time/locale'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { contactSpellings, openContacts } from '../../db/field/contact.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { openWritten, type StoredWritten, writtenOf } from '../../db/field/written.ts'

/** One record of a patient, with everything that names them. */
export interface PatientRecord {
  locationId: number
  location: string
  pharmacy: string
  country: Country
  patientId: number
  source: string
  number: string
  /** The numbers the patient had in dispensing systems that the pharmacy has replaced. */
  former: readonly { source: string; number: string }[]
  firstName: string | null
  lastName: string | null
  sex: 'F' | 'M' | null
  /** Days since 1970. */
  born: number | null
  birthday: string | null
  address: string | null
  mobile: string | null
  postcode: string | null
  email: string | null
  /** Where messages go: the actual number and address. */
  smsTo: string | null
  emailTo: string | null
}

type StoredRecord = PatientRecord & StoredWritten

const RECORD = sql`
  select p.location_id as "locationId", l.uuid as location, l.name as pharmacy, l.country, p.id as "patientId", p.source, p.source_id as number,
    array(select json_build_object('source', o.source, 'number', o.source_id) from patient_former o
      where o.location_id = p.location_id and o.patient_id = p.id) as former, p.first_name as "firstName", p.last_name as "lastName", p.sex, p.date_of_birth - date '1970-01-01' as born,
    p.date_of_birth::text as birthday, p.address, p.postcode, p.sms_to as "smsTo", p.email_to as "emailTo", ${writtenOf('p')}
  from patient p join location l on l.id = p.location_id`

/** The records of a pharmacy with this number in its dispensing system, without fake and erased ones. Needs the pharmacy in the scope. */
export async function recordsOfNumber(tx: Tx, keys: Keys, location: string, number: string): Promise<PatientRecord[]> {
  const { rows } = await sql<StoredRecord>`${RECORD}
    where l.uuid = ${location} and p.source_id = ${number} and not p.fake and p.erased_at is null`.execute(tx)
  return opened(tx, keys, rows)
}

/** Opens the contacts of stored records. */
async function opened(tx: Tx, keys: Keys, rows: readonly StoredRecord[]): Promise<PatientRecord[]> {
  const contacts = await openContacts(
    tx,
    keys,
    rows.flatMap((one) => [one.smsTo, one.emailTo]),
  )
  const open = (stored: string | null) => (stored === null ? null : (contacts.get(stored) ?? null))
  const whole = await Promise.all(rows.map((one) => openWritten(keys, one)))
  return whole.map((one) => ({ ...one, smsTo: open(one.smsTo), emailTo: open(one.emailTo) }))
}

/** The records Pillar considers to be of the same person as this one, itself included, over the pharmacies in the scope. */
export async function samePerson(
  tx: Tx,
  keys: Keys,
  { locationId, patientId }: PatientRecord,
): Promise<PatientRecord[]> {
  const { rows } = await sql<StoredRecord>`
    with own as (select key from person_key where location_id = ${locationId} and patient_id = ${patientId}),
    same as (select location_id, patient_id from person_key where key in (select key from own)
      union select ${locationId}::bigint, ${patientId}::bigint)
    ${RECORD} join same s on s.location_id = p.location_id and s.patient_id = p.id
    where not p.fake and p.erased_at is null order by p.location_id, p.id`.execute(tx)
  return opened(tx, keys, rows)
}

/** Records read at once: all of a large company's would not fit into memory. */
const PAGE = 5_000

/** Every record of a pharmacy that is not erased, a page at a time. */
export async function* recordsAt(tx: Tx, keys: Keys, locationId: number): AsyncGenerator<PatientRecord[]> {
  for (let after = 0; ; ) {
    const { rows } = await sql<StoredRecord>`${RECORD}
      where p.location_id = ${locationId} and p.id > ${after} and not p.fake and p.erased_at is null
      order by p.id limit ${sql.lit(PAGE)}`.execute(tx)
    const last = rows.at(-1)
    if (!last) return
    yield await opened(tx, keys, rows)
    after = last.patientId
  }
}

/**
 * Every number and address of these records: the present ones, and those that messages went to or replies came from and that nobody else in
 * the scope has now. Call it before they are erased.
 */
export async function contactsOf(tx: Tx, keys: Keys, records: readonly PatientRecord[]): Promise<string[]> {
  const present = records.flatMap((one) => [one.smsTo, one.emailTo]).filter((one) => one !== null)
  const stored: string[] = []
  for (const { locationId, patientId } of records) stored.push(...(await reachedAt(tx, locationId, patientId)))
  const earlier: string[] = []
  for (const contact of new Set((await openContacts(tx, keys, stored)).values())) {
    const column = contact.includes('@') ? 'email_to' : 'sms_to'
    if (!(await isShared(tx, keys, records, column, contact))) earlier.push(contact)
  }
  return [...new Set([...present, ...earlier])]
}

/** The contacts that messages went to or replies came from, as stored. */
export async function reachedAt(tx: Tx, locationId: number, patientId: number): Promise<string[]> {
  const { rows } = await sql<{ contact: string }>`
    select contact from message where location_id = ${locationId} and patient_id = ${patientId} and contact is not null
    union select sender from message_reply where location_id = ${locationId} and ${patientId}::bigint = any(patient_ids)`.execute(
    tx,
  )
  return rows.map(({ contact }) => contact)
}

/** Lets no sender claim queued messages to these people until the transaction ends: claims skip locked ones. */
export async function holdQueued(tx: Tx, records: readonly PatientRecord[]): Promise<void> {
  for (const { locationId, patientId } of records)
    await sql`
      select id from message where location_id = ${locationId} and patient_id = ${patientId} and state = 'queued' order by id for update`.execute(
      tx,
    )
}

/** Whether a message to one of them is at the gateway now. */
export async function isBeingSent(tx: Tx, records: readonly PatientRecord[]): Promise<boolean> {
  const { rows } = await sql`
    select from message m join unnest(${records.map((one) => one.locationId)}::bigint[], ${records.map((one) => one.patientId)}::bigint[])
      as r(location_id, patient_id) on r.location_id = m.location_id and r.patient_id = m.patient_id
    where m.state = 'sending' or m.lease_until > now() limit 1`.execute(tx)
  return rows.length > 0
}

/** Whether another patient in the scope, not one of these, has the number or address. */
export async function isShared(
  tx: Tx,
  keys: Keys,
  records: readonly PatientRecord[],
  column: 'sms_to' | 'email_to',
  contact: string,
): Promise<boolean> {
  const spellings = await contactSpellings(tx, keys, contact)
  const { rows } = await sql`
    select from patient p where p.${sql.ref(column)} = any(${spellings}::text[]) and p.erased_at is null and not exists (
      select from unnest(${records.map((one) => one.locationId)}::bigint[], ${records.map((one) => one.patientId)}::bigint[])
        as r(location_id, patient_id) where r.location_id = p.location_id and r.patient_id = p.id) limit 1`.execute(tx)
  return rows.length > 0
}
