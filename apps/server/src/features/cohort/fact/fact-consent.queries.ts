import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'

/** The bits of `barred` in patient_fact: why nobody may message this patient. `deceased_elsewhere` is always set with `deceased`. */
export const BARRED = { deceased: 1, facility: 2, test_patient: 4, deceased_elsewhere: 8 } as const

/** The number in patient_fact for a patient `p`, without what other pharmacies record (`markDeaths`). */
export const BARRED_BITS: RawBuilder<number> = sql`((p.deceased_on is not null)::int * ${sql.lit(BARRED.deceased)} + p.facility::int * ${sql.lit(BARRED.facility)}
  + p.fake::int * ${sql.lit(BARRED.test_patient)})`

const choice = (column: string) => sql`(array_position('{unknown,in,out}'::text[], ${sql.ref(`c.${column}`)}) - 1)`

/**
 * The number in patient_fact for a consent row `c`. Bits: 1 and 2 sms_health_outreach, 4 and 8 sms_marketing, 16 and 32
 * email_health_outreach, 64 and 128 email_marketing (0 unknown, 1 in, 2 out), 256 imported_sms_opt_out, 512 imported_email_opt_out.
 */
export const CONSENT_BITS: RawBuilder<number> = sql`(
  ${choice('sms_health_outreach')} + 4 * ${choice('sms_marketing')}
  + 16 * ${choice('email_health_outreach')} + 64 * ${choice('email_marketing')}
  + 256 * c.imported_sms_opt_out::int + 512 * c.imported_email_opt_out::int)::smallint`

/**
 * Copies patients' consent into their facts, from which cohorts are counted. Every writer of `consent` calls it in the same transaction,
 * which holds `lockConsent`.
 */
export async function copyConsent(tx: Tx, locationId: number, patientIds: readonly number[]): Promise<void> {
  if (patientIds.length === 0) return
  await sql`
    update patient_fact f set consent = n.bits
    from (select c.patient_id, ${CONSENT_BITS} as bits from consent c
          where c.location_id = ${locationId} and c.patient_id = any(${[...patientIds]}::bigint[])) n
    where f.location_id = ${locationId} and f.patient_id = n.patient_id and f.consent <> n.bits`.execute(tx)
}
