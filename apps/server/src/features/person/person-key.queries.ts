import { createHmac } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { type Identity, type MatchKind, matchKeys } from '@pillar/domain/person/match-key'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { openWholeWritten, type StoredWritten, writtenOf } from '../../db/field/written.ts'

/** Raised when the rules of matchKeys or sharedPeople change: every pharmacy's keys and links are then rebuilt with its next upload. */
const RULES = 2
/** This many characters of the hash are kept: 132 bits. */
const KEY_LENGTH = 22

/** A text that identifies people within one company, hashed with the server's secret. */
const hashOf = (secret: Buffer, companyId: number, text: string): string =>
  createHmac('sha256', secret).update(`person:${companyId}:${text}`).digest('base64url').slice(0, KEY_LENGTH)

/** What keys are made with, and for whom. */
export interface KeyMaking {
  secret: Buffer
  keys: Keys
  companyId: number
  locationId: number
}

/** What keys depend on: other rules, another company or another secret gives different ones. */
const purposeOf = (secret: Buffer, companyId: number): string =>
  `${RULES} ${companyId} ${hashOf(secret, companyId, 'made for')}`

async function areMadeFor(tx: Tx, locationId: number, madeFor: string): Promise<boolean> {
  const { rows } = await sql<{ made_for: string }>`
    select made_for from person_key_state where location_id = ${locationId}`.execute(tx)
  return rows[0]?.made_for === madeFor
}

/** Whether the keys of a pharmacy belong to its present company, secret and rules. Requires the pharmacy in the transaction's scope. */
export const hasKeys = (tx: Tx, { secret, companyId, locationId }: Omit<KeyMaking, 'keys'>): Promise<boolean> =>
  areMadeFor(tx, locationId, purposeOf(secret, companyId))

/** Marks the keys of these pharmacies, and everything derived from them, to be rebuilt by their next upload or `renewPeople`. */
export async function dropKeys(tx: Tx, locationIds: readonly number[]): Promise<void> {
  await sql`delete from person_key_state where location_id = any(${[...locationIds]}::bigint[])`.execute(tx)
}

/** The number of a pharmacy's patients who have keys. */
export async function countKeyed(tx: Tx, locationId: number): Promise<number> {
  const { rows } = await sql<{ keyed: number }>`
    select count(distinct patient_id)::int as keyed from person_key where location_id = ${locationId}`.execute(tx)
  return rows[0]?.keyed ?? 0
}

/** Keys that patients of a pharmacy no longer have. */
export interface LostKeys {
  keys: readonly string[]
  patients: readonly number[]
}

/**
 * Deletes the keys of patients whose records become an erased person's. Give the result to `refreshPeople`, which parts them from the records
 * they were joined with.
 */
export async function forgetKeys(tx: Tx, locationId: number, patients: readonly number[]): Promise<LostKeys> {
  const { rows } = await sql<{ key: string }>`
    delete from person_key where location_id = ${locationId} and patient_id = any(${[...patients]}::bigint[]) returning key`.execute(
    tx,
  )
  return { keys: rows.map(({ key }) => key), patients }
}

interface PatientRow extends Omit<Identity, 'mobile'>, StoredWritten {
  id: number
}

/**
 * Brings the keys of a pharmacy's patients up to date: of those written in this transaction, or of all if the keys were made for another
 * company, secret or rules. Requires the pharmacy in the transaction's scope.
 * @returns keys added or removed, and their patients; if all were rebuilt, all existing keys as well, and `all`
 */
export async function refreshKeys(
  tx: Tx,
  { secret, keys, companyId, locationId }: KeyMaking,
): Promise<{ keys: string[]; patients: number[]; all: boolean }> {
  const madeFor = purposeOf(secret, companyId)
  const all = !(await areMadeFor(tx, locationId, madeFor))
  const { rows } = await sql<PatientRow>`
    select id, first_name as "firstName", last_name as "lastName", sex, date_of_birth - date '1970-01-01' as born, postcode, ${writtenOf('p')}
    from patient p where location_id = ${locationId} and not fake and erased_at is null ${all ? sql`` : sql`and updated_at >= now()`}`.execute(
    tx,
  )
  const made = await makeKeys({ secret, keys, companyId }, rows)
  const list = <T>(of: (one: (typeof made)[number]) => T) => made.map(of)
  const { rows: changed } = await sql<{ patient_id: number; key: string }>`
    with made as (
      select * from unnest(${list((one) => one.patient)}::bigint[], ${list((one) => one.kind)}::text[], ${list((one) => one.key)}::text[])
        as m(patient_id, kind, key)
    ), gone as (
      delete from person_key k where location_id = ${locationId}
        -- Of somebody who was erased nothing is left to make them of, and who was one person stays one.
        and not exists (select from patient p where p.location_id = ${locationId} and p.id = k.patient_id and p.erased_at is not null)
        and ${all ? sql`true` : sql`patient_id = any(${rows.map(({ id }) => id)}::bigint[])`}
        and not exists (select from made m where m.patient_id = k.patient_id and m.kind = k.kind and m.key = k.key)
      returning patient_id, kind, key
    ), come as (
      select * from made m where not exists (
        select from person_key k where k.location_id = ${locationId} and k.patient_id = m.patient_id and k.kind = m.kind and k.key = m.key)
    )
    select patient_id, key from gone union select patient_id, key from come`.execute(tx)
  await writeKeys(tx, locationId, made)
  await sql`
    insert into person_key_state (location_id, made_for) values (${locationId}, ${madeFor})
    on conflict (location_id) do update set made_for = excluded.made_for`.execute(tx)
  // Keys of erased people are not rebuilt, and stay.
  const kept = all
    ? await sql<{ patient_id: number; key: string }>`
        select patient_id, key from person_key where location_id = ${locationId}`.execute(tx)
    : { rows: [] }
  const concerned = [...changed, ...kept.rows]
  return {
    keys: [...new Set(concerned.map(({ key }) => key))],
    patients: [...new Set(concerned.map(({ patient_id }) => patient_id))],
    all,
  }
}

interface MadeKey {
  patient: number
  kind: MatchKind
  key: string
}

/** Patients whose keys are made at a time. All 40,000 of a large pharmacy at once kept every request waiting for up to 2.8 s. */
export const AT_A_TIME = 500

async function makeKeys(
  { secret, keys, companyId }: Omit<KeyMaking, 'locationId'>,
  rows: readonly PatientRow[],
): Promise<MadeKey[]> {
  const made: MadeKey[] = []
  for (let start = 0; start < rows.length; start += AT_A_TIME) {
    const some = rows.slice(start, start + AT_A_TIME)
    for (const one of await Promise.all(some.map((row) => openWholeWritten(keys, row))))
      for (const { kind, text } of matchKeys(one))
        made.push({ patient: one.id, kind, key: hashOf(secret, companyId, text) })
    await breathe()
  }
  return made
}

/** A patient of an upload who is not stored yet, by number. */
export interface StagedIdentity extends Identity {
  number: string
}

/** The keys that patients of an upload would have. */
export async function keysOfStaged(
  secret: Buffer,
  companyId: number,
  staged: readonly StagedIdentity[],
): Promise<{ number: string; key: string }[]> {
  const made: { number: string; key: string }[] = []
  for (let start = 0; start < staged.length; start += AT_A_TIME) {
    for (const one of staged.slice(start, start + AT_A_TIME))
      for (const { text } of matchKeys(one)) made.push({ number: one.number, key: hashOf(secret, companyId, text) })
    await breathe()
  }
  return made
}

/** After the statement that deletes changed ones: one statement may not delete and insert the same row. */
async function writeKeys(tx: Tx, locationId: number, made: readonly MadeKey[]): Promise<void> {
  await sql`
    insert into person_key (location_id, patient_id, kind, key)
    select ${locationId}, * from unnest(${made.map((one) => one.patient)}::bigint[], ${made.map((one) => one.kind)}::text[],
      ${made.map((one) => one.key)}::text[])
    on conflict (location_id, patient_id, kind) do nothing`.execute(tx)
}
