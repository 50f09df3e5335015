import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { ParticipantKey } from '../trial/participant.queries.ts'

/** A step or a switch of a referral. */
export interface HistoryEvent {
  at: Date
  event: string
  login_id: number | null
}

/** An entry of its ledger, in cents. */
export interface HistoryRebate {
  at: Date
  kind: 'refer' | 'enroll'
  cents: number
  sr_cents: number
}

/** Everything that happened to a patient in a trial, newest first. Runs in the pharmacy's scope. */
export async function historyOf(tx: Tx, { locationId, trialId, patientId }: ParticipantKey) {
  const at = sql`location_id = ${locationId} and trial_id = ${trialId} and patient_id = ${patientId}`
  const events =
    await sql<HistoryEvent>`select at, event, login_id from trial_event where ${at} order by id desc`.execute(tx)
  const rebates = await sql<HistoryRebate>`
    select at, kind, cents, sr_cents from trial_rebate where ${at} order by id desc`.execute(tx)
  return { events: events.rows, rebates: rebates.rows }
}

/** Locks a participant until the transaction ends, so that of two editors one waits for the other. */
export async function lockParticipant(tx: Tx, { locationId, trialId, patientId }: ParticipantKey): Promise<void> {
  await sql`
    select 1 from trial_participant
    where location_id = ${locationId} and trial_id = ${trialId} and patient_id = ${patientId} for update`.execute(tx)
}
