import { type KeyedRecord, type SharedPerson, sharedPeople } from '@pillar/domain/person/same-person'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { withoutNestedLoops } from '../../db/scope.ts'

/** Serialises conclusions from the records of several pharmacies of a company, until the transaction ends. */
export async function lockPeople(tx: Tx, companyId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(PEOPLE_SPACE)}, (${companyId}::bigint % 2147483647)::int)`.execute(
    tx,
  )
}

const PEOPLE_SPACE = 7341

/** A record and the person it is linked to. */
interface LinkRow {
  location_id: number
  patient_id: number
  person: string
}

/** Whom a set of records was joined to, before and now. */
export interface Relinked {
  /** Pharmacies of each person joined before, and of each joined now, where these differ; in order. */
  changed: number[][]
}

/**
 * Joins the records that have one of these keys, and those linked to them, by the present rules, and parts those that no longer agree.
 * Requires the company's pharmacies in the transaction's scope, and lockPeople.
 * @param patients patients of a pharmacy that may have lost all their keys
 */
export async function relink(
  tx: Tx,
  keys: readonly string[],
  { locationId, patients }: { locationId: number; patients: readonly number[] },
): Promise<Relinked> {
  if (keys.length + patients.length === 0) return { changed: [] }
  const records = await recordsAround(tx, keys)
  const people = sharedPeople(records)
  const known = [...records, ...patients.map((patient) => ({ location: locationId, patient }))]
  const before = await linksOf(tx, known)
  const named = (list: readonly LinkRow[]) =>
    list
      .toSorted((a, b) => a.location_id - b.location_id)
      .map((one) => `${one.person} ${one.location_id}:${one.patient_id}`)
      .join(' ')
  const old = [...Map.groupBy(before, (one) => one.person).values()]
  const now = people.map(rowsOf)
  const [oldNames, nowNames] = [new Set(old.map(named)), new Set(now.map(named))]
  const gone = old.filter((one) => !nowNames.has(named(one)))
  const come = now.filter((one) => !oldNames.has(named(one)))
  await unlink(tx, gone.flat())
  await link(tx, come.flat())
  return { changed: [...gone, ...come].map((rows) => rows.map((row) => row.location_id).sort((a, b) => a - b)) }
}

const rowsOf = ({ person, records }: SharedPerson): LinkRow[] =>
  records.map(({ location, patient }) => ({ location_id: location, patient_id: patient, person }))

/** All records that share a key with these, with each other, and so on. */
async function recordsAround(tx: Tx, keys: readonly string[]): Promise<KeyedRecord[]> {
  const found = new Map<string, KeyedRecord>()
  const asked = new Set<string>()
  let next = [...new Set(keys)]
  while (next.length > 0) {
    for (const key of next) asked.add(key)
    const { rows } = await sql<{ location_id: number; patient_id: number; keys: string[] }>`
      with near as (select distinct location_id, patient_id from person_key where key = any(${next}::text[]))
      select location_id, patient_id, array_agg(k.key order by k.key) as keys
      from near join person_key k using (location_id, patient_id) group by location_id, patient_id`.execute(tx)
    for (const row of rows)
      found.set(`${row.location_id}:${row.patient_id}`, {
        ...{ location: row.location_id, patient: row.patient_id, keys: row.keys },
      })
    next = [...new Set(rows.flatMap((row) => row.keys))].filter((key) => !asked.has(key))
  }
  return [...found.values()]
}

/** The links of these records, and of all records linked to them. */
async function linksOf(tx: Tx, records: readonly { location: number; patient: number }[]): Promise<LinkRow[]> {
  const { rows } = await sql<LinkRow>`
    select location_id, patient_id, person from person_link where person in (
      select l.person from person_link l join unnest(${records.map((one) => one.location)}::bigint[],
        ${records.map((one) => one.patient)}::bigint[]) as r(location_id, patient_id)
      on l.location_id = r.location_id and l.patient_id = r.patient_id)`.execute(tx)
  return rows
}

async function unlink(tx: Tx, rows: readonly LinkRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    delete from person_link l using unnest(${rows.map((one) => one.location_id)}::bigint[], ${rows.map((one) => one.patient_id)}::bigint[])
      as r(location_id, patient_id) where l.location_id = r.location_id and l.patient_id = r.patient_id`.execute(tx)
}

async function link(tx: Tx, rows: readonly LinkRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into person_link (location_id, patient_id, person)
    select * from unnest(${rows.map((one) => one.location_id)}::bigint[], ${rows.map((one) => one.patient_id)}::bigint[],
      ${rows.map((one) => one.person)}::text[])
    on conflict (location_id, patient_id) do update set person = excluded.person`.execute(tx)
}

/** The people a pharmacy shares with others, or those of given sets of pharmacies: their records, in order of pharmacies. */
export async function peopleOf(
  tx: Tx,
  locationIds: readonly number[],
): Promise<{ person: string; records: { location: number; patient: number }[] }[]> {
  const { rows } = await withoutNestedLoops(tx, () =>
    sql<LinkRow>`
    select location_id, patient_id, person from person_link
    where person in (select person from person_link where location_id = any(${[...locationIds]}::bigint[]))
    order by location_id`.execute(tx),
  )
  return [...Map.groupBy(rows, (row) => row.person)]
    .filter(([, own]) => own.length > 1)
    .map(([person, own]) => ({
      person,
      records: own.map((row) => ({ location: row.location_id, patient: row.patient_id })),
    }))
}
