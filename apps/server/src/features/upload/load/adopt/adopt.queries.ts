import { sql } from 'kysely'
import type { Tx } from '../../../../db/database.ts'
import type { StagedIdentity } from '../../../person/person-key.queries.ts'
import type { Target } from '../load.queries.ts'

/** A staged number, and the stored patient it belongs to. */
export interface Adoption {
  number: string
  patientId: number
}

/** Whether the pharmacy has patients of another source. */
export async function hasOthers(tx: Tx, { locationId, source }: Target): Promise<boolean> {
  const { rows } = await sql`
    select from patient where location_id = ${locationId} and source <> ${source} and not fake limit 1`.execute(tx)
  return rows.length > 0
}

/** The number of the pharmacy's patients of other sources. */
export async function countOthers(tx: Tx, { locationId, source }: Target): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from patient where location_id = ${locationId} and source <> ${source} and not fake`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

const unknown = ({ locationId, source }: Target) => sql`stage_patients s
  left join patient t on t.location_id = ${locationId} and t.source = ${source} and t.source_id = s.patient_id
  where t.id is null and not s.faulty`

/** Staged patients who are not stored under their number but had it before. */
export async function numbersBefore(tx: Tx, target: Target): Promise<Adoption[]> {
  const { rows } = await sql<Adoption>`
    with o as materialized (
      select source_id, patient_id from patient_former where location_id = ${target.locationId} and source = ${target.source}
    ), s as (select s.patient_id from ${unknown(target)})
    select s.patient_id as number, o.patient_id as "patientId" from s join o on o.source_id = s.patient_id`.execute(tx)
  return rows
}

/** Staged patients who are not stored under their number. */
export async function unknownPatients(tx: Tx, target: Target): Promise<StagedIdentity[]> {
  const { rows } = await sql<StagedIdentity>`
    select s.patient_id as number, s.first_name as "firstName", s.last_name as "lastName", s.sex, s.date_of_birth - date '1970-01-01' as born,
      s.mobile, s.postcode from ${unknown(target)}`.execute(tx)
  return rows
}

/** The pharmacy's patients of other sources who have one of these keys. */
export async function patientsWithKeys(
  tx: Tx,
  { locationId, source }: Target,
  keys: readonly string[],
): Promise<{ key: string; patientId: number }[]> {
  const { rows } = await sql<{ key: string; patientId: number }>`
    select k.key, p.id as "patientId" from person_key k join patient p on p.location_id = ${locationId} and p.id = k.patient_id
    where k.location_id = ${locationId} and k.key = any(${[...keys]}::text[]) and p.source <> ${source} and not p.fake
      and p.erased_at is null`.execute(tx)
  return rows
}

/** Columns that are sealed for a patient's source and number. */
export const SEALED_WITH_NUMBER = ['address', 'mobile', 'email'] as const
export type SealedWithNumber = (typeof SEALED_WITH_NUMBER)[number]

/** What stored patients hold sealed in one of these columns, with the number it is sealed for. */
export async function sealedOf(
  tx: Tx,
  { locationId }: Target,
  column: SealedWithNumber,
  adoptions: readonly Adoption[],
): Promise<{ patientId: number; source: string; number: string; sealed: Buffer }[]> {
  const sealed = sql.ref(`p.${column}_sealed`)
  const { rows } = await sql<{ patientId: number; source: string; number: string; sealed: Buffer }>`
    select p.id as "patientId", p.source, p.source_id as number, ${sealed} as sealed from patient p
    where p.location_id = ${locationId} and p.id = any(${adoptions.map((one) => one.patientId)}::bigint[]) and ${sealed} is not null`.execute(
    tx,
  )
  return rows
}

/** Stores what was sealed anew. */
export async function putSealed(
  tx: Tx,
  { locationId }: Target,
  column: SealedWithNumber,
  anew: readonly { patientId: number; sealed: Buffer }[],
): Promise<void> {
  await sql`
    update patient p set ${sql.ref(`${column}_sealed`)} = decode(n.sealed, 'hex')
    from unnest(${anew.map((one) => one.patientId)}::bigint[], ${anew.map((one) => one.sealed.toString('hex'))}::text[]) as n(id, sealed)
    where p.location_id = ${locationId} and p.id = n.id`.execute(tx)
}

/**
 * Gives stored patients the staged numbers and keeps their former ones, with the death and the facility that the former system stated itself:
 * not what it took over from the one that sends the patient now.
 */
export async function takeNumbers(
  tx: Tx,
  { locationId, source }: Target,
  adoptions: readonly Adoption[],
): Promise<void> {
  const given = sql`unnest(${adoptions.map(({ number }) => number)}::text[], ${adoptions.map(({ patientId }) => patientId)}::bigint[])
    as n(number, patient_id)`
  await sql`
    insert into patient_former (location_id, source, source_id, patient_id, died_on, in_facility)
    select p.location_id, p.source, p.source_id, p.id,
      case when p.deceased_on is distinct from o.died_on then p.deceased_on end, p.facility and o.in_facility is not true
    from ${given} join patient p on p.location_id = ${locationId} and p.id = n.patient_id
    left join patient_former o on o.location_id = ${locationId} and o.source = ${source} and o.source_id = n.number
    on conflict (location_id, source, source_id) do update
      set patient_id = excluded.patient_id, died_on = excluded.died_on, in_facility = excluded.in_facility`.execute(tx)
  await sql`
    update patient p set source = ${source}, source_id = n.number, updated_at = now()
    from ${given} where p.location_id = ${locationId} and p.id = n.patient_id`.execute(tx)
  await sql`
    delete from patient_former where location_id = ${locationId} and source = ${source}
      and source_id = any(${adoptions.map(({ number }) => number)}::text[])`.execute(tx)
}
