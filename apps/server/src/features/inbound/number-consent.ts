import type { Tx } from '../../db/database.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { lockConsent, recordConsent } from '../consent/consent-log.queries.ts'
import { patientsReachedAt, patientsWithNumber } from '../consent/number-holder.queries.ts'

export interface NumberConsent {
  locationId: number
  /** In E.164. */
  number: string
  type: 'stop' | 'start'
  at: Date
  /** The patient's words, verbatim. */
  wording: string
  source: 'reply' | 'head office'
  /** Identifies a patient's entry, so that retries record it once. */
  uuidOf: (patientId: number) => string
  keys: Keys
}

/**
 * STOP for every patient of a pharmacy who has the number or was texted there, START for those who have it now; in the caller's transaction
 * and under the pharmacy's consent lock.
 * @returns the patients concerned, and the first whose texts it ended, if any
 */
export async function recordForNumber(
  tx: Tx,
  { locationId, number, type, at, wording, source, uuidOf, keys }: NumberConsent,
  now: Date,
): Promise<{ patients: readonly number[]; closed: number | null }> {
  await lockConsent(tx, locationId)
  // The number may belong to another person by now: a STOP covers everybody it was ever used for, a START only those who have it.
  const concerned = type === 'stop' ? patientsWithNumber : patientsReachedAt
  const patients = await concerned(tx, keys, locationId, number)
  let closed: number | null = null
  for (const patientId of patients) {
    const entry = { locationId, patientId, at, event: { type }, wording, source, contact: { text: number, keys } }
    const done = await recordConsent(tx, { ...entry, uuid: uuidOf(patientId) }, now)
    if (done.changed && done.after.sms.health_outreach.choice === 'out') closed ??= patientId
  }
  return { patients, closed }
}
