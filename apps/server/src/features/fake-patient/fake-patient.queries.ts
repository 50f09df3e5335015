import { Refusal } from '@pillar/contract'
import type { NoContactReason } from '@pillar/domain/message/fake-patient'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { rowName, SEALED } from '../../db/field/columns.ts'
import { openWholeContacts, storedContacts } from '../../db/field/contact.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import {
  openWholeWritten,
  type StoredWritten,
  storedWritten,
  writtenOf,
  writtenSealer,
} from '../../db/field/written.ts'

/** The stored fields of a fake patient. */
export interface NewFakePatient {
  id: number
  first_name: string
  last_name: string
  age: number | null
  sex: 'Male' | 'Female' | null
  mobile: string
  email: string
  /** Where messages go, in stored form; null for nowhere. */
  sms_to: string | null
  email_to: string | null
  address: string
  medicare: string
  dva: string
  adherence_level: number
  loyalty_level: number
  leaked_scripts: number
  total_scripts: number
  sms_nocontact_reason: NoContactReason | null
  email_nocontact_reason: NoContactReason | null
}

export interface FakePatientRow extends NewFakePatient {
  patient_id: number
  sms_reachable: boolean
  email_reachable: boolean
  added_by: string | null
  added_at: Date
}

/** The pharmacy of a scope with a single one. */
export async function scopedPharmacy(tx: Tx): Promise<{ id: number; country: 'AU' | 'GB' | 'US' }> {
  const row = await tx.selectFrom('location').select(['id', 'country']).executeTakeFirstOrThrow()
  return { id: row.id, country: row.country as 'AU' }
}

/** Fake patients of a pharmacy by name; those with these ids, or all. */
export async function listFakePatients(
  { tx, keys }: Opened,
  locationId: number,
  ids: readonly number[] | null,
  now: Date,
): Promise<FakePatientRow[]> {
  const { rows } = await sql<SealedRow & { adder: number | null }>`
    select f.patient_id, f.number as id, coalesce(p.first_name, '') as first_name, coalesce(p.last_name, '') as last_name, f.age,
      case p.sex when 'M' then 'Male' when 'F' then 'Female' end as sex, ${writtenOf('p')},
      p.sms_to, p.email_to, f.address, f.medicare, f.dva, f.address_sealed, f.medicare_sealed, f.dva_sealed,
      f.adherence_level, f.loyalty_level, f.leaked_scripts, f.total_scripts, f.sms_nocontact_reason, f.email_nocontact_reason,
      f.added_by as adder, n.name as added_by, f.added_at
    from fake_patient f
    join patient p on p.location_id = f.location_id and p.id = f.patient_id
    left join login_name n on n.login_id = f.added_by
    where f.location_id = ${locationId} ${ids ? sql`and f.number = any(${[...ids]}::int[])` : sql``}
    order by lower(p.last_name), lower(p.first_name), f.number desc`.execute(tx)
  const contacts = await openWholeContacts(
    tx,
    keys,
    rows.flatMap((row) => [row.sms_to, row.email_to]),
  )
  const list: FakePatientRow[] = []
  for (const { adder, ...row } of rows) {
    const reaches = async (channel: 'sms' | 'email', contact: string | null) =>
      contact !== null && adder !== null && isOwnContact(tx, adder, channel, contacts.get(contact) ?? '', now)
    const reachable = {
      sms_reachable: await reaches('sms', row.sms_to),
      email_reachable: await reaches('email', row.email_to),
    }
    list.push({ ...(await opened(keys, locationId, row)), ...reachable })
  }
  return list
}

/** A transaction, and the keys for the sealed columns it reads. */
export interface Opened {
  tx: Tx
  keys: Keys
}

type Identity = 'address' | 'medicare' | 'dva'
const COLUMN = { address: SEALED.fakeAddress, medicare: SEALED.fakeMedicare, dva: SEALED.fakeDva } as const

type SealedRow = Omit<FakePatientRow, Identity | 'mobile' | 'email' | 'sms_reachable' | 'email_reachable'> &
  StoredWritten &
  Record<Identity, string | null> &
  Record<`${Identity}_sealed`, Buffer | null>

async function opened(keys: Keys, locationId: number, row: SealedRow) {
  const { address_sealed, medicare_sealed, dva_sealed, ...rest } = await openWholeWritten(keys, row)
  const sealed = { address: address_sealed, medicare: medicare_sealed, dva: dva_sealed }
  const name = rowName(locationId, row.patient_id)
  const open = async (which: Identity) =>
    row[which] ?? (sealed[which] ? await keys.openIfWhole(COLUMN[which].name, name, sealed[which]) : null) ?? ''
  return {
    ...{ ...rest, mobile: rest.mobile ?? '', email: rest.email ?? '' },
    ...{ address: await open('address'), medicare: await open('medicare'), dva: await open('dva') },
  }
}

async function sealedIdentity(keys: Keys, locationId: number, patientId: number, one: Record<Identity, string>) {
  const name = rowName(locationId, patientId)
  const seal = async (which: Identity) =>
    one[which] === '' ? null : (await keys.sealer(COLUMN[which].name))(name, one[which])
  return {
    address_sealed: await seal('address'),
    medicare_sealed: await seal('medicare'),
    dva_sealed: await seal('dva'),
  }
}

/** The number of a pharmacy's fake patients; locked against adding another meanwhile. */
export async function countFakePatients(tx: Tx, locationId: number): Promise<number> {
  await lockFakePatients(tx, locationId)
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from fake_patient where location_id = ${locationId}`.execute(tx)
  return rows[0]?.n ?? 0
}

/** Advisory lock namespace of a pharmacy's fake patients. */
const FAKE_SPACE = 7356

/** Held until the transaction ends while adding one or testing with them, so that what a limit counts does not change. */
const lockFakePatients = (tx: Tx, locationId: number) =>
  sql`select pg_advisory_xact_lock(${sql.lit(FAKE_SPACE)}, (${locationId}::bigint % 2147483647)::int)`.execute(tx)

/** Whether a support person has shown that number or address to be their own, and that still holds. */
export async function isOwnContact(
  tx: Tx,
  loginId: number,
  channel: 'sms' | 'email',
  contact: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql<{ own: boolean }>`
    select is_confirmed_contact(${loginId}, ${channel}, ${contact}, ${now}) as own`.execute(tx)
  return rows[0]?.own ?? false
}

const SOURCE = 'fake'

/** Adds a fake patient: a row of patient without scripts, which nothing counts. @throws Refusal conflict if the id is taken */
export async function insertFakePatient(
  { tx, keys }: Opened,
  locationId: number,
  one: NewFakePatient,
  added: { by: number; at: Date },
): Promise<void> {
  const stored = await storedContacts(tx, keys, [one.sms_to, one.email_to])
  const seal = await writtenSealer(keys, locationId, SOURCE)
  const patient = await tx
    .insertInto('patient')
    .values({
      location_id: locationId,
      source: SOURCE,
      source_id: String(one.id),
      first_name: one.first_name,
      last_name: one.last_name,
      sex: one.sex === null ? null : one.sex === 'Male' ? 'M' : 'F',
      ...storedWritten(seal, String(one.id), one),
      sms_to: one.sms_to && stored.get(one.sms_to)!,
      email_to: one.email_to && stored.get(one.email_to)!,
      fake: true,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!patient) {
    throw new Refusal('conflict', `There is already a fake patient with the id ${one.id}. Please refresh the id.`)
  }
  await tx
    .insertInto('fake_patient')
    .values({
      location_id: locationId,
      patient_id: patient.id,
      number: one.id,
      added_by: added.by,
      added_at: added.at,
      age: one.age,
      ...(await sealedIdentity(keys, locationId, patient.id, one)),
      adherence_level: one.adherence_level,
      loyalty_level: one.loyalty_level,
      leaked_scripts: one.leaked_scripts,
      total_scripts: one.total_scripts,
      sms_nocontact_reason: one.sms_nocontact_reason,
      email_nocontact_reason: one.email_nocontact_reason,
    })
    .execute()
}

/** Removes only fake patients of a pharmacy. @returns how many */
export async function deleteFakePatients(tx: Tx, locationId: number, ids: readonly number[]): Promise<number> {
  const gone = await sql`
    delete from patient p using fake_patient f
    where p.location_id = ${locationId} and p.fake and f.location_id = p.location_id and f.patient_id = p.id
      and f.number = any(${[...ids]}::int[])`.execute(tx)
  return Number(gone.numAffectedRows ?? 0)
}

/** Campaigns of a pharmacy that have messages, by name. */
export async function testableCampaigns(tx: Tx, locationId: number): Promise<{ campaign_id: string; name: string }[]> {
  const { rows } = await sql<{ campaign_id: string; name: string }>`
    select c.uuid as campaign_id, c.name from campaign c
    join campaign_location l on l.campaign_id = c.id and l.location_id = ${locationId}
    where c.removed_at is null and exists (select from campaign_template t where t.campaign_id = c.id)
    order by lower(c.name), c.id limit 200`.execute(tx)
  return rows
}

/** A campaign of that pharmacy. @throws Refusal not_found */
export async function findTestedCampaign(
  tx: Tx,
  locationId: number,
  uuid: string,
): Promise<{ id: number; name: string }> {
  const { rows } = await sql<{ id: number; name: string }>`
    select c.id, c.name from campaign c
    join campaign_location l on l.campaign_id = c.id and l.location_id = ${locationId}
    where c.uuid = ${uuid} and c.removed_at is null`.execute(tx)
  if (!rows[0]) throw new Refusal('not_found', 'That campaign was not found at this pharmacy.')
  return rows[0]
}

/** Test messages of a pharmacy in the last 24 hours; locked against another test meanwhile. */
export async function testsToday(tx: Tx, locationId: number, now: Date): Promise<number> {
  await lockFakePatients(tx, locationId)
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from message where location_id = ${locationId} and fake and body is not null
      and created_at > ${now}::timestamptz - interval '24 hours'`.execute(tx)
  return rows[0]?.n ?? 0
}

/** Adds a run to fake patients only: without a campaign, so that it changes none and counts for none. */
export async function insertTestRun(
  tx: Tx,
  run: { uuid: string; companyId: number; loginId: number; note: string; now: Date },
): Promise<number> {
  const { id } = await tx
    .insertInto('message_run')
    .values({
      uuid: run.uuid,
      company_id: run.companyId,
      context: 'communication',
      state: 'sending',
      test: true,
      note: run.note,
      created_by: run.loginId,
      created_at: run.now,
      starts_at: run.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
