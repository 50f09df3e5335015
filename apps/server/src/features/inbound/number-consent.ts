import { startReportedBefore } from '@pillar/domain/consent/consent'
import type { Tx } from '../../db/database.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { lockConsent, readLog, recordConsent } from '../consent/consent-log.queries.ts'
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
  /** A START that may be an earlier one reported again: if a STOP followed that one, it changes nothing. */
  mayRepeat?: boolean
}

/**
 * STOP for every patient of a pharmacy who has the number or was texted there, START for those who have it now; in the caller's transaction
 * and under the pharmacy's consent lock.
 * @returns the patients concerned, the first whose texts it ended, if any, and the log's entry of the START that this one may repeat
 */
export async function recordForNumber(
  tx: Tx,
  { locationId, number, type, at, wording, source, uuidOf, keys, mayRepeat }: NumberConsent,
  now: Date,
): Promise<{ patients: readonly number[]; closed: number | null; repeats: string | null }> {
  await lockConsent(tx, locationId)
  // The number may belong to another person by now: a STOP covers everybody it was ever used for, a START only those who have it.
  const concerned = type === 'stop' ? patientsWithNumber : patientsReachedAt
  const patients = await concerned(tx, keys, locationId, number)
  let closed: number | null = null
  let repeats: string | null = null
  for (const patientId of patients) {
    const before = mayRepeat ? await startRepeated(tx, locationId, patientId, uuidOf(patientId), at) : null
    if (before) {
      repeats ??= before
      continue
    }
    const entry = { locationId, patientId, at, event: { type }, wording, source, contact: { text: number, keys } }
    const done = await recordConsent(tx, { ...entry, uuid: uuidOf(patientId) }, now)
    if (done.changed && done.after.sms.health_outreach.choice === 'out') closed ??= patientId
  }
  return { patients, closed, repeats }
}

/** The entry that a START may repeat; null once it is recorded itself, and only processed again. */
async function startRepeated(tx: Tx, locationId: number, patientId: number, uuid: string, at: Date) {
  const log = await readLog(tx, locationId, patientId)
  if (log.some((one) => one.uuid === uuid)) return null
  const events = log.map(({ event }) => event)
  return startReportedBefore(events, at.getTime())?.id ?? null
}
