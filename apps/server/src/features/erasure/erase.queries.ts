import { Refusal } from '@pillar/contract'
import type { Country } from '@pillar/domain/time/locale'
import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import { contactSpellings, openContacts, removeUnusedContacts } from '../../db/field/contact.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { openWritten, type StoredWritten, writtenOf } from '../../db/field/written.ts'
import { lockConsent } from '../consent/consent-log.queries.ts'
import { importOptOuts } from '../consent/import-opt-outs.queries.ts'
import { queueRecount } from '../run/recount-queue.queries.ts'

/** One record of a patient, with all that names them. */
export interface PatientRecord {
  locationId: number
  location: string
  country: Country
  patientId: number
  source: string
  number: string
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
  /** Where messages go: the number and the address themselves. */
  smsTo: string | null
  emailTo: string | null
}

type StoredRecord = PatientRecord & StoredWritten

const RECORD = sql`
  select p.location_id as "locationId", l.uuid as location, l.country, p.id as "patientId", p.source, p.source_id as number,
    p.first_name as "firstName", p.last_name as "lastName", p.sex, p.date_of_birth - date '1970-01-01' as born,
    p.date_of_birth::text as birthday, p.address, p.postcode, p.sms_to as "smsTo", p.email_to as "emailTo", ${writtenOf('p')}
  from patient p join location l on l.id = p.location_id`

/** The records of a pharmacy with this number in its dispensing system, made-up and erased ones left out. Needs it in the scope. */
export async function recordsOfNumber(tx: Tx, keys: Keys, location: string, number: string): Promise<PatientRecord[]> {
  const { rows } = await sql<StoredRecord>`${RECORD}
    where l.uuid = ${location} and p.source_id = ${number} and not p.fake and p.erased_at is null`.execute(tx)
  return opened(tx, keys, rows)
}

/** Records as they are read, with their contacts opened. */
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

/** The records that Pillar holds to be of the same person as this one, it among them, over the pharmacies in the scope. */
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

/** Every record of a pharmacy that is not erased. */
export async function recordsAt(tx: Tx, keys: Keys, locationId: number): Promise<PatientRecord[]> {
  const { rows } = await sql<StoredRecord>`${RECORD}
    where p.location_id = ${locationId} and not p.fake and p.erased_at is null`.execute(tx)
  return opened(tx, keys, rows)
}

/** Whether a message to one of them is with the gateway at this moment. */
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

/** @throws Refusal conflict while an upload of the pharmacy is loaded */
export async function lockLoads(tx: Tx, locationId: number): Promise<void> {
  const { rows } = await sql<{ got: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(LOAD_SPACE)}, ${locationId}::int) as got`.execute(tx)
  if (!rows[0]?.got)
    throw new Refusal(
      'conflict',
      'An upload of this pharmacy is being loaded. Nothing was erased; try again in a few minutes.',
    )
}

/** Waits until nobody else does this erasure, as long as a statement may take, and holds it until the transaction ends. */
export async function lockErasure(tx: Tx, uuid: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`erasure ${uuid}`}, 0))`.execute(tx)
}

/** As lockPharmacy of uploads. */
const LOAD_SPACE = 7301

/**
 * Takes everything that names the person out of one record and of what hangs on it; scripts stay and count under `alias`. Requires the
 * pharmacy in the scope and no load under way.
 */
export async function eraseRecord(tx: Tx, keys: Keys, one: PatientRecord, alias: string, now: Date): Promise<void> {
  const { locationId, patientId } = one
  const own = sql`location_id = ${locationId} and patient_id = ${patientId}`
  await lockConsent(tx, locationId)
  await sql`
    update patient set source_id = ${alias}, first_name = null, last_name = null, date_of_birth = date_trunc('month', date_of_birth)::date,
      address = null, address_sealed = null, suburb = null, state = null, postcode = null, mobile = null, email = null,
      mobile_sealed = null, email_sealed = null, sms_to = null, email_to = null, contact_source = null, sms_opt_out = true,
      email_opt_out = true, erased_at = ${now}, updated_at = now()
    where location_id = ${locationId} and id = ${patientId}`.execute(tx)
  await importOptOuts(tx, locationId, now)
  const named = await eraseMessages(tx, keys, one, now)
  await sql`
    update consent_entry set contact = null, contact_sealed = null, wording = case when type = 'form' then wording end where ${own}`.execute(
    tx,
  )
  await sql`delete from consent_request where ${own}`.execute(tx)
  await sql`delete from trial_link where ${own}`.execute(tx)
  await sql`
    update trial_referral set withdrawn_at = coalesce(withdrawn_at, ${now}), first_name = null, last_name = null, phone_number = null,
      email = null, postcode = null, version = version + 1 where ${own}`.execute(tx)
  await sql`
    update patient_fact set born = date_trunc('month', born)::date, distance_km = null, first_name_units = 0, last_name_units = 0,
      first_name_kind = 0, last_name_kind = 0, names_unicode = false, sms_key = null, email_key = null, sms_shared = false,
      email_shared = false, sms_opt_out = true, email_opt_out = true where ${own}`.execute(tx)
  await sql`update enrolment set next_at = null where ${own}`.execute(tx)
  await sql`update prescription set authority = null, original_pharmacy = null where ${own}`.execute(tx)
  await sql`update script set directions = null where ${own} and directions is not null`.execute(tx)
  await sql`
    delete from resource_version where location_id = ${locationId} and source = ${one.source} and upload_set = 'patients'
      and source_id = ${one.number}`.execute(tx)
  const words = [
    one.number,
    one.firstName,
    one.lastName,
    one.birthday,
    one.address,
    one.mobile,
    one.email,
    one.smsTo,
    one.emailTo,
  ]
    .filter((word) => word !== null)
    .map((word) => word.toLowerCase())
  await sql`
    update upload_fault set value = '(erased)' where location_id = ${locationId} and lower(value) = any(${words}::text[])`.execute(
    tx,
  )
  await removeUnusedContacts(tx, named)
}

/** @returns the contacts they had and messages went to or came from, as they were stored */
async function eraseMessages(
  tx: Tx,
  keys: Keys,
  { locationId, patientId, smsTo, emailTo }: PatientRecord,
  now: Date,
): Promise<string[]> {
  const sms = smsTo === null ? [] : await contactSpellings(tx, keys, smsTo)
  const email = emailTo === null ? [] : await contactSpellings(tx, keys, emailTo)
  const { rows: reached } = await sql<{ contact: string }>`
    select contact from message where location_id = ${locationId} and patient_id = ${patientId} and contact is not null
    union select sender from message_reply where location_id = ${locationId} and ${patientId}::bigint = any(patient_ids)`.execute(
    tx,
  )
  await sql`
    update message set body = null, subject = null, contact = null,
      state = case when state = 'queued' then 'skipped' else state end,
      reason = case when state = 'queued' then 'opted_out' when state = 'failed' then 'The reason was erased' else reason end,
      settled_at = case when state = 'queued' then ${now}::timestamptz else settled_at end,
      cents = case when state = 'queued' then 0 else cents end
    where location_id = ${locationId} and patient_id = ${patientId}`.execute(tx)
  await queueRecount(tx, [locationId])
  await sql`
    update message_reply set body = null, sender = 'erased', patient_ids = array_remove(patient_ids, ${patientId}::bigint)
    where location_id = ${locationId} and (sender = any(${sms}::text[]) or ${patientId}::bigint = any(patient_ids))`.execute(
    tx,
  )
  await sql`delete from contact_history where contact = any(${[...sms, ...email]}::text[])`.execute(tx)
  return [...sms, ...email, ...reached.map(({ contact }) => contact)]
}

/** Marks the entries of the register that name the person: they are kept by law. @returns how many there are */
export async function holdRegister(tx: Tx, { locationId, number }: PatientRecord, erasure: string): Promise<number> {
  const done = await sql`
    insert into erasure_hold (location_id, source, number, erasure)
    select location_id, source, number, ${erasure}::uuid from s8_entry where location_id = ${locationId} and patient_id = ${number}
    on conflict do nothing`.execute(tx)
  return Number(done.numAffectedRows ?? 0)
}

/** Whether this erasure stands in the database. */
export async function isErased(tx: Tx, uuid: string): Promise<boolean> {
  const { rows } = await sql`select from erasure where uuid = ${uuid}`.execute(tx)
  return rows.length > 0
}

/** Writes down that somebody was erased, and by what they are known again. Records of pharmacies that are gone are left out. */
export async function keepErasure(
  tx: Tx,
  companyId: number,
  {
    uuid,
    at,
    reason,
    records,
    keys,
  }: {
    uuid: string
    at: string
    reason: string
    records: readonly (readonly [location: string, key: string])[]
    keys: { person: string[]; sms: string[]; email: string[] }
  },
): Promise<void> {
  await sql`
    insert into erasure (company_id, uuid, erased_at, reason, records) values (${companyId}, ${uuid}, ${at}, ${reason}, ${records.length})`.execute(
    tx,
  )
  await sql`
    insert into erasure_record (location_id, key, erasure)
    select l.id, r.key, ${uuid}::uuid from unnest(${records.map(([location]) => location)}::uuid[], ${records.map(([, key]) => key)}::text[])
      as r(location, key) join location l on l.uuid = r.location on conflict do nothing`.execute(tx)
  for (const kind of ['person', 'sms', 'email'] as const)
    await sql`
      insert into erasure_key (company_id, kind, key, erasure)
      select ${companyId}, ${kind}, key, ${uuid}::uuid from unnest(${keys[kind]}::text[]) as k(key) on conflict do nothing`.execute(
      tx,
    )
}

/** A company by its uuid, with all its pharmacies, removed ones too. */
export async function companyScope(
  system: Database,
  uuid: string,
): Promise<{ companyId: number; locationIds: number[] } | null> {
  const { rows } = await sql<{ id: number; locations: number[] }>`
    select c.id, coalesce(array_agg(l.id order by l.id) filter (where l.id is not null), '{}') as locations
    from company c left join location l on l.company_id = c.id where c.uuid = ${uuid} group by c.id`.execute(system)
  const [found] = rows
  return found ? { companyId: found.id, locationIds: found.locations.map(Number) } : null
}

/** Whether an upload has ended, so that nobody needs its files. Its row stays locked. */
export async function hasEnded(system: Tx, locationId: number, uuid: string): Promise<boolean> {
  const { rows } = await sql<{ ended: boolean }>`
    select etl_state in ('COMPLETED', 'ERROR') as ended from upload where location_id = ${locationId} and uuid::text = ${uuid} for update`.execute(
    system,
  )
  return rows[0]?.ended ?? false
}
