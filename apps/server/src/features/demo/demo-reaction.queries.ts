import { PATIENT_TYPES } from '@pillar/domain/dispensing/patient-type'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { eligible } from '../attribution/touch.queries.ts'

/** A person a demo campaign reached, and the last line of its medicines for them in the pharmacy's own system. */
export interface ReachedPatient {
  patientId: number
  messageId: number
  /** The pharmacy's own numbers. */
  patient: string
  drug: string
  prescriber: string | null
  units: number | null
  type: string
  /** ISO, by the pharmacy's clock. */
  sentOn: string
  priceCents: number
  governmentCents: number
  costCents: number | null
}

/** People at one pharmacy who got a message of a campaign's newest run and take a medicine of it, by the pharmacy's own numbers. */
export async function reachedPatients(tx: Tx, locationId: number, campaignId: number): Promise<ReachedPatient[]> {
  const { rows } = await sql<Omit<ReachedPatient, 'type'> & { type: number }>`
    with reached as materialized (
      select m.patient_id from message m join message_run r on r.id = m.run_id and r.campaign_id = ${campaignId}
      where m.location_id = ${locationId} and m.state = 'delivered' and not m.fake
    ), s as materialized (
      select patient_id, drug_id, prescriber_id, source_id, dispensed_on, units, patient_type, patient_price_cents, government_cents,
        cost_cents
      from script where location_id = ${locationId} and not reversed and not deferred
        and patient_id in (select patient_id from reached)
    )
    select distinct on (m.patient_id) m.patient_id as "patientId", m.id as "messageId", p.source_id as patient, d.source_id as drug,
      w.source_id as prescriber, s.units::float8 as units, s.patient_type as type, (m.sent_at at time zone l.time_zone)::date::text as "sentOn",
      s.patient_price_cents as "priceCents", s.government_cents as "governmentCents", s.cost_cents as "costCents"
    from message m join message_run r on r.id = m.run_id and r.campaign_id = ${campaignId} join location l on l.id = m.location_id
    join patient p on p.location_id = m.location_id and p.id = m.patient_id
    join (${eligible(sql`select ${campaignId}::bigint`)}) e on true
    join s on s.patient_id = m.patient_id and s.dispensed_on < m.sent_at::date
    join drug d on d.location_id = m.location_id and d.id = s.drug_id join molecule o on o.id = d.molecule_id
      and (o.id = any(e.molecules) or o.drug_type_id = any(e.drug_types))
    left join prescriber w on w.location_id = m.location_id and w.id = s.prescriber_id
    where m.location_id = ${locationId} and m.state = 'delivered' and not m.fake
    order by m.patient_id, m.id, s.dispensed_on desc, s.source_id`.execute(tx)
  return rows
    .map((row) => ({ ...row, type: PATIENT_TYPES[row.type - 1] ?? PATIENT_TYPES[0] }))
    .sort((a, b) => a.patient.localeCompare(b.patient, 'en', { numeric: true }))
}

/** The number of people a campaign's messages were handed over for at each pharmacy, highest first; equal ones by the pharmacy's id. */
export async function treatedByPharmacy(
  tx: Tx,
  campaignId: number,
): Promise<{ id: number; name: string; people: number }[]> {
  const { rows } = await sql<{ id: number; name: string; people: number }>`
    select l.id, l.name, count(distinct m.patient_id)::int as people
    from message m join message_run r on r.id = m.run_id and r.campaign_id = ${campaignId} join location l on l.id = m.location_id
    where m.sent_at is not null and not m.fake group by 1, 2 order by 3 desc, 1`.execute(tx)
  return rows
}
