import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { withdrawFromAll } from '../trial/participant.queries.ts'

/** Clears the columns of `patient` that name an erased person, except the number and the date of birth. */
export const NAMELESS = sql`first_name = null, last_name = null, address = null, address_sealed = null, suburb = null, state = null,
  postcode = null, mobile = null, email = null, mobile_sealed = null, email_sealed = null, sms_to = null, email_to = null,
  sms_gone_at = null, email_gone_at = null,
  contact_source = null, sms_opt_out = true, email_opt_out = true`

/** The same for `prescription`. */
export const NAMELESS_PRESCRIPTION = sql`authority = null, original_pharmacy = null`

/** The same for `script`. */
export const NAMELESS_SCRIPT = sql`directions = null`

/** Ends the links that an erased person was sent, and withdraws them from their trials: recruiters no longer see them. */
export async function endLinksAndTrials(tx: Tx, locationId: number, patientId: number, now: Date): Promise<void> {
  const own = sql`location_id = ${locationId} and patient_id = ${patientId}`
  await sql`delete from consent_request where ${own}`.execute(tx)
  await sql`delete from trial_link where ${own}`.execute(tx)
  await withdrawFromAll(tx, locationId, patientId, now)
}
