import { Refusal } from '@pillar/contract'
import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import { contactSpellings, removeUnusedContacts } from '../../db/field/contact.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { lockConsent } from '../consent/consent-log.queries.ts'
import { importOptOuts } from '../consent/import-opt-outs.queries.ts'
import { queueRecount } from '../run/recount-queue.queries.ts'
import { WRITE_SPACE } from '../run/run-write.queries.ts'
import { distrustSums } from '../sixty-day/sums.queries.ts'
import { LOAD_SPACE } from '../upload/claim.queries.ts'
import { endLinksAndTrials, NAMELESS, NAMELESS_PRESCRIPTION, NAMELESS_SCRIPT } from './nameless.queries.ts'
import { type PatientRecord, reachedAt } from './record.queries.ts'

/**
 * Keeps loads and message writers out until the transaction ends: they would write afterwards what they had read before.
 * @throws Refusal conflict while an upload of the pharmacy is being loaded or its messages are being written
 */
export async function keepWritersOut(tx: Tx, locationId: number): Promise<void> {
  for (const [space, what] of [
    [LOAD_SPACE, 'An upload of this pharmacy is being loaded'],
    [WRITE_SPACE, 'Messages of this pharmacy are being written'],
  ] as const) {
    const { rows } = await sql<{ got: boolean }>`
      select pg_try_advisory_xact_lock(${sql.lit(space)}, ${locationId}::int) as got`.execute(tx)
    if (!rows[0]?.got) throw new Refusal('conflict', `${what}. Nothing was erased; try again in a few minutes.`)
  }
}

/** Waits until no other process is doing this erasure, for as long as a statement may take, and holds the lock until the transaction ends. */
export async function lockErasure(tx: Tx, uuid: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`erasure ${uuid}`}, 0))`.execute(tx)
}

/**
 * Removes everything that names the person from one record and its dependent rows; scripts stay and count under `alias`. Requires the
 * pharmacy in the scope and no load in progress.
 */
export async function eraseRecord(tx: Tx, keys: Keys, one: PatientRecord, alias: string, now: Date): Promise<void> {
  const { locationId, patientId } = one
  const own = sql`location_id = ${locationId} and patient_id = ${patientId}`
  await lockConsent(tx, locationId)
  await sql`
    update patient set source_id = ${alias}, date_of_birth = date_trunc('month', date_of_birth)::date, ${NAMELESS}, erased_at = ${now},
      updated_at = now()
    where location_id = ${locationId} and id = ${patientId}`.execute(tx)
  await sql`delete from patient_former where ${own}`.execute(tx)
  await distrustSums(tx, locationId)
  await importOptOuts(tx, locationId, now)
  const named = await eraseMessages(tx, keys, one, now)
  await sql`
    update consent_entry set contact = null, contact_sealed = null, wording = case when type = 'form' then wording end where ${own}`.execute(
    tx,
  )
  await endLinksAndTrials(tx, locationId, patientId, now)
  await sql`
    update patient_fact set born = date_trunc('month', born)::date, distance_km = null, first_name_units = 0, last_name_units = 0,
      first_name_kind = 0, last_name_kind = 0, names_unicode = false, sms_key = null, email_key = null, sms_shared = false,
      email_shared = false, sms_opt_out = true, email_opt_out = true where ${own}`.execute(tx)
  await sql`update prescription set ${NAMELESS_PRESCRIPTION} where ${own}`.execute(tx)
  await sql`update script set ${NAMELESS_SCRIPT} where ${own} and directions is not null`.execute(tx)
  await sql`
    delete from resource_version where location_id = ${locationId} and source = ${one.source} and upload_set = 'patients'
      and source_id = ${one.number}`.execute(tx)
  const words = [
    one.number,
    ...one.former.map(({ number }) => number),
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
    update upload_fault set value = '(erased)' where location_id = ${locationId}
      and (lower(value) = any(${words}::text[]) or column_name in ('date_of_birth', 'birthDate')
        or column_name = '' and regexp_split_to_array(lower(value), '\\s*,\\s*') && ${words}::text[])`.execute(tx)
  await removeUnusedContacts(tx, named)
}

/** @returns the contacts they had and those messages went to or came from, as stored */
async function eraseMessages(
  tx: Tx,
  keys: Keys,
  { locationId, patientId, smsTo, emailTo }: PatientRecord,
  now: Date,
): Promise<string[]> {
  const sms = smsTo === null ? [] : await contactSpellings(tx, keys, smsTo)
  const email = emailTo === null ? [] : await contactSpellings(tx, keys, emailTo)
  const reached = await reachedAt(tx, locationId, patientId)
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
  // Whom else it is the number or address of is still under the frequency limit.
  const { rows } = await sql<{ contact: string }>`
    select sms_to as contact from patient where sms_to = any(${sms}::text[])
    union select email_to from patient where email_to = any(${email}::text[])`.execute(tx)
  const others = rows.map(({ contact }) => contact)
  await sql`
    delete from contact_history where contact = any(${[...sms, ...email].filter((one) => !others.includes(one))}::text[])
      or contact in (select unused_contacts(${reached}::text[]))`.execute(tx)
  return [...sms, ...email, ...reached]
}

/** Marks the entries of the register that name the person: the law requires them to be kept. @returns how many there are */
export async function holdRegister(
  tx: Tx,
  { locationId, number, former }: PatientRecord,
  erasure: string,
): Promise<number> {
  const numbers = [number, ...former.map((one) => one.number)]
  const done = await sql`
    insert into erasure_hold (location_id, source, number, erasure)
    select location_id, source, number, ${erasure}::uuid from s8_entry where location_id = ${locationId} and patient_id = any(${numbers}::text[])
    on conflict do nothing`.execute(tx)
  return Number(done.numAffectedRows ?? 0)
}

/** Whether the database has this erasure. */
export async function isErased(tx: Tx, uuid: string): Promise<boolean> {
  const { rows } = await sql`select from erasure where uuid = ${uuid}`.execute(tx)
  return rows.length > 0
}

/** Records that a person was erased, and how to recognise them. Leaves out records of pharmacies that are gone. */
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

/** A company by its uuid, with all its pharmacies, including removed ones. */
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

/** Whether an upload has ended, so that its files are no longer needed. Its row stays locked. */
export async function hasEnded(system: Tx, locationId: number, uuid: string): Promise<boolean> {
  const { rows } = await sql<{ ended: boolean }>`
    select etl_state in ('COMPLETED', 'ERROR') as ended from upload where location_id = ${locationId} and uuid::text = ${uuid} for update`.execute(
    system,
  )
  return rows[0]?.ended ?? false
}
