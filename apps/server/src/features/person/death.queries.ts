import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { withCompanyScope } from '../../db/scope.ts'
import { supplied } from '../metrics/supplied.queries.ts'

/** A patient's record and one sign that identifies the person: a key of the record, or the person it is joined to. */
export interface SignedRecord {
  location_id: number
  patient_id: number
  sign: string
}

/** A sign of a record that says when the patient died, ISO. */
interface Death extends SignedRecord {
  died_on: string
}

/** A condition on records `k`, given their sign. */
type Where = (sign: RawBuilder<string>) => RawBuilder<unknown>

/**
 * Signs of records. Keys find more than joined records do: of two records of one pharmacy neither is joined, but both are held back if
 * another pharmacy records the death.
 */
const signs = <T extends SignedRecord = SignedRecord>(where: Where, joined = sql``, more = sql``) => {
  const of = (table: string, sign: RawBuilder<string>) => sql`
    select k.location_id, k.patient_id, ${sign} as sign ${more} from ${sql.table(table)} k ${joined} where ${where(sign)}`
  return sql<T>`${of('person_key', sql`k.key`)} union all ${of('person_link', sql`k.person`)}`
}

/** Signs of the records of deceased patients. */
const deaths = (where: Where) =>
  signs<Death>(
    where,
    sql`join patient p on p.location_id = k.location_id and p.id = k.patient_id and p.deceased_on is not null`,
    sql`, p.deceased_on::text as died_on`,
  )

/** Any of these signs. As the answer of a subquery: the planner would weigh each of a plain list, and then read all patients. */
const anyOf = (list: RawBuilder<unknown>) => sql`any((select ${list})::text[])`
const signsIn = (records: RawBuilder<unknown>) => sql`array_agg(o.sign) from (${records}) o`
const listed = (records: readonly SignedRecord[]) => sql`${[...new Set(records.map(({ sign }) => sign))]}::text[]`

/**
 * Which patients of a pharmacy another pharmacy of the company records as deceased; of all its patients if `patientIds` is null. Reads the
 * records themselves: a death counts as soon as its upload is loaded, and no longer once it is withdrawn. At a removed pharmacy nobody can
 * withdraw it: there it counts until the person is supplied something later. Requires the pharmacy in the transaction's scope.
 */
export async function deceasedElsewhere(
  tx: Tx,
  locationId: number,
  patientIds: readonly number[] | null,
): Promise<Set<number>> {
  if (patientIds?.length === 0) return new Set()
  const asked = patientIds === null ? sql`` : sql`and k.patient_id = any(${[...patientIds]}::bigint[])`
  const here = sql`k.location_id = ${locationId} ${asked}`
  return withCompanyScope(tx, async () => {
    const own = signs(() => here)
    const died = await deaths(
      (sign) => sql`${sign} = ${anyOf(signsIn(own))} and k.location_id <> ${locationId}`,
    ).execute(tx)
    if (died.rows.length === 0) return new Set()
    const found = await signs((sign) => sql`${here} and ${sign} = ${anyOf(listed(died.rows))}`).execute(tx)
    return new Set((await whoDied(tx, found.rows, died.rows)).map(({ patient_id }) => patient_id))
  })
}

/**
 * The records that share a sign with a deceased patient of this pharmacy, or with one of these, who join them to a death at another. Needs
 * the company in the scope.
 */
export async function alikeDeceasedAt(
  tx: Tx,
  locationId: number,
  elsewhere: readonly number[],
): Promise<SignedRecord[]> {
  // Read first: joined to their keys, PostgreSQL without statistics reads all patients of the pharmacy for each of them.
  const { rows: died } = await sql<{ id: number }>`
    select id from patient where location_id = ${locationId} and deceased_on is not null`.execute(tx)
  const whose = [...died.map(({ id }) => id), ...elsewhere]
  if (whose.length === 0) return []
  const theirs = signs(() => sql`k.location_id = ${locationId} and k.patient_id = any(${whose}::bigint[])`)
  const found = signs((sign) => sql`${sign} = ${anyOf(signsIn(theirs))}`)
  return (await found.execute(tx)).rows
}

/** The signs of these records. */
export async function signsOf(
  tx: Tx,
  records: readonly Pick<SignedRecord, 'location_id' | 'patient_id'>[],
): Promise<SignedRecord[]> {
  if (records.length === 0) return []
  const these = sql`join unnest(${records.map((one) => one.location_id)}::bigint[], ${records.map((one) => one.patient_id)}::bigint[])
    as n(location_id, patient_id) on n.location_id = k.location_id and n.patient_id = k.patient_id`
  return (await signs(() => sql`true`, these).execute(tx)).rows
}

/** Those of these records that share a sign with one that another pharmacy records as deceased. Needs the company in the scope. */
export async function withDeathElsewhere(tx: Tx, records: readonly SignedRecord[]): Promise<SignedRecord[]> {
  if (records.length === 0) return []
  const died = await deaths((sign) => sql`${sign} = ${anyOf(listed(records))}`).execute(tx)
  return whoDied(tx, records, died.rows)
}

/**
 * Those of these records for which one of these deaths, at another pharmacy, counts. If all of them are at removed pharmacies, only those who
 * were supplied nothing after the first.
 */
async function whoDied(tx: Tx, records: readonly SignedRecord[], died: readonly Death[]): Promise<SignedRecord[]> {
  if (died.length === 0) return []
  const removed = await removedOf(
    tx,
    died.map(({ location_id }) => location_id),
  )
  const bySign = Map.groupBy(died, ({ sign }) => sign)
  const sure: SignedRecord[] = []
  const doubtful: { record: SignedRecord; died_on: string }[] = []
  for (const record of records) {
    const others = (bySign.get(record.sign) ?? []).filter(({ location_id }) => location_id !== record.location_id)
    if (others.some(({ location_id }) => !removed.has(location_id))) sure.push(record)
    else if (others.length > 0) doubtful.push({ record, died_on: others.map((one) => one.died_on).sort()[0] as string })
  }
  const alive = await suppliedSince(tx, doubtful)
  return [...sure, ...doubtful.flatMap(({ record }, at) => (alive.has(at) ? [] : record))]
}

/** Which of these pharmacies were removed. */
async function removedOf(tx: Tx, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from location where removed_at is not null and id = any(${[...new Set(ids)]}::bigint[])`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** Which of these records, by position, were supplied something after the day of death. */
async function suppliedSince(
  tx: Tx,
  doubtful: readonly { record: SignedRecord; died_on: string }[],
): Promise<ReadonlySet<number>> {
  if (doubtful.length === 0) return new Set()
  const { rows } = await sql<{ at: number }>`
    select distinct n.at from unnest(${doubtful.map((_, at) => at)}::int[], ${doubtful.map(({ record }) => record.location_id)}::bigint[],
      ${doubtful.map(({ record }) => record.patient_id)}::bigint[], ${doubtful.map(({ died_on }) => died_on)}::date[])
      as n(at, location_id, patient_id, died_on)
    join script s on s.location_id = n.location_id and s.patient_id = n.patient_id and s.dispensed_on > n.died_on and ${supplied}`.execute(
    tx,
  )
  return new Set(rows.map(({ at }) => at))
}
