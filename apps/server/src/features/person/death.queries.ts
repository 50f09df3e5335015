import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { withCompanyScope } from '../../db/scope.ts'

/** A patient's record and one sign that identifies the person: a key of the record, or the person it is joined to. */
export interface SignedRecord {
  location_id: number
  patient_id: number
  sign: string
}

/** A condition on records `k`, given their sign. */
type Where = (sign: RawBuilder<string>) => RawBuilder<unknown>

/**
 * Signs of records. Keys find more than joined records do: of two records of one pharmacy neither is joined, but both are held back if
 * another pharmacy records the death.
 */
const signs = (where: Where, joined = sql``) => {
  const of = (table: string, sign: RawBuilder<string>) => sql`
    select k.location_id, k.patient_id, ${sign} as sign from ${sql.table(table)} k ${joined} where ${where(sign)}`
  return sql<SignedRecord>`${of('person_key', sql`k.key`)} union all ${of('person_link', sql`k.person`)}`
}

const DIED = sql`join patient p on p.location_id = k.location_id and p.id = k.patient_id and p.deceased_on is not null`

/** Any of these signs. As the answer of a subquery: the planner would weigh each of a plain list, and then read all patients. */
const anyOf = (list: RawBuilder<unknown>) => sql`any((select ${list})::text[])`
const signsIn = (records: RawBuilder<unknown>) => sql`array_agg(o.sign) from (${records}) o`
const listed = (records: readonly SignedRecord[]) => sql`${[...new Set(records.map(({ sign }) => sign))]}::text[]`

/**
 * Which patients of a pharmacy another pharmacy of the company records as deceased; of all its patients if `patientIds` is null. Reads the
 * records themselves: a death counts as soon as its upload is loaded, and no longer once it is withdrawn. Requires the pharmacy in the
 * transaction's scope.
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
    const deaths = await withoutRemoved(
      tx,
      signs((sign) => sql`${sign} = ${anyOf(signsIn(own))} and k.location_id <> ${locationId}`, DIED),
    )
    if (deaths.length === 0) return new Set()
    const found = signs((sign) => sql`${here} and ${sign} = ${anyOf(listed(deaths))}`)
    return new Set((await found.execute(tx)).rows.map(({ patient_id }) => patient_id))
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
  const deaths = await withoutRemoved(
    tx,
    signs((sign) => sql`${sign} = ${anyOf(listed(records))}`, DIED),
  )
  const bySign = Map.groupBy(deaths, ({ sign }) => sign)
  return records.filter(({ sign, location_id }) => bySign.get(sign)?.some((one) => one.location_id !== location_id))
}

/** Reads records and leaves out those of removed pharmacies: nobody could correct them. */
async function withoutRemoved(tx: Tx, records: RawBuilder<SignedRecord>): Promise<SignedRecord[]> {
  const { rows: found } = await records.execute(tx)
  if (found.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    select id from location where removed_at is null and id = any(${found.map((one) => one.location_id)}::bigint[])`.execute(
    tx,
  )
  const open = new Set(rows.map(({ id }) => id))
  return found.filter(({ location_id }) => open.has(location_id))
}
