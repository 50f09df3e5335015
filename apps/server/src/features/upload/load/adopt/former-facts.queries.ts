import { sql } from 'kysely'
import type { Tx } from '../../../../db/database.ts'
import { supplied } from '../../../metrics/supplied.queries.ts'
import type { Target } from '../load.queries.ts'

/**
 * Takes over, for staged patients, what a former system stated and this file leaves empty: that they live in a facility, and when they died,
 * unless something was supplied to them since. An empty value of a system that never knew is no correction.
 * @returns how many deaths were taken over
 */
export async function keepFormerFacts(
  tx: Tx,
  { locationId, source }: Target,
  present: ReadonlySet<string>,
): Promise<number> {
  const { rows } = await sql<{ number: string; id: number; died: string | null; facility: boolean }>`
    with o as materialized (
      select patient_id, min(died_on)::text as died, bool_or(in_facility) as facility from patient_former
      where location_id = ${locationId} and (died_on is not null or in_facility) group by 1
    ), p as materialized (
      select id, source_id from patient where location_id = ${locationId} and source = ${source}
        and id = any(array(select patient_id from o))
    )
    select s.patient_id as number, p.id, case when s.deceased_on is null and ${present.has('deceased_on')} then o.died end as died,
      o.facility and s.facility is null and ${present.has('facility')} as facility
    from stage_patients s join p on p.source_id = s.patient_id join o on o.patient_id = p.id where not s.faulty`.execute(
    tx,
  )
  const living = await suppliedSince(
    tx,
    locationId,
    rows.flatMap(({ id, died }) => (died ? { id, died } : [])),
  )
  const kept = rows.map((row) => ({ ...row, died: living.has(row.id) ? null : row.died }))
  await sql`
    update stage_patients s set deceased_on = coalesce(s.deceased_on, k.died), facility = coalesce(s.facility, k.facility)
    from unnest(${kept.map(({ number }) => number)}::text[], ${kept.map(({ died }) => died)}::date[],
      ${kept.map(({ facility }) => (facility ? true : null))}::boolean[]) as k(number, died, facility)
    where s.patient_id = k.number`.execute(tx)
  return kept.filter(({ died }) => died !== null).length
}

/** Which of these patients were supplied something after a day. */
async function suppliedSince(
  tx: Tx,
  locationId: number,
  patients: readonly { id: number; died: string }[],
): Promise<ReadonlySet<number>> {
  if (patients.length === 0) return new Set()
  const { rows } = await sql<{ id: number; last: string }>`
    select s.patient_id as id, max(s.dispensed_on)::text as last from script s
    where s.location_id = ${locationId} and s.patient_id = any(${patients.map(({ id }) => id)}::bigint[]) and ${supplied} group by 1`.execute(
    tx,
  )
  const last = new Map(rows.map((row) => [row.id, row.last]))
  return new Set(patients.flatMap(({ id, died }) => ((last.get(id) ?? '') > died ? id : [])))
}
