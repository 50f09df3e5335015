import { LIVE_RUN_STATES } from '@pillar/domain/message/run-state'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { cancelUnsent } from '../run/cancel/skip.queries.ts'
import { lockRun } from '../run/run-state.queries.ts'
import { followed, lockSequences, planEnrolments } from './enrolment.queries.ts'

/**
 * Activates or deactivates a pharmacy's sequence. While inactive, nobody enrols, queued messages are cancelled, nothing is handed
 * over once the transaction has committed, and follow-ups that become due are skipped `inactive`. @returns messages cancelled
 */
export async function setSequenceActive(
  tx: Tx,
  locationId: number,
  id: number,
  active: boolean,
  now: Date,
): Promise<number> {
  await lockSequences(tx, locationId)
  await tx
    .updateTable('sequence')
    .set({ active, updated_at: now })
    .where('location_id', '=', locationId)
    .where('id', '=', id)
    .execute()
  return active ? 0 : stopRuns(tx, { sequence_id: id }, now)
}

/**
 * Ends the live runs of a sequence, or of one of its follow-ups: queued messages are cancelled. Needs the pharmacy's sequence lock.
 * @returns messages cancelled
 */
export async function stopRuns(
  tx: Tx,
  of: { sequence_id: number } | { follow_up_id: number },
  now: Date,
): Promise<number> {
  const runs = await tx
    .selectFrom('message_run')
    .select('id')
    .where((eb) => eb.and(of))
    .where('state', 'in', LIVE_RUN_STATES)
    .orderBy('id')
    .execute()
  let cancelled = 0
  for (const run of runs) {
    await lockRun(tx, run.id)
    await tx.updateTable('message_run').set({ state: 'done', ended_at: now }).where('id', '=', run.id).execute()
    cancelled += await cancelUnsent(tx, { runId: run.id }, now)
  }
  return cancelled
}

/**
 * Recalculates when the next follow-up of a sequence's enrolments is due after its follow-ups changed: for people part-way through, and for
 * those who had finished but now have an added follow-up ahead. Needs the pharmacy's sequence lock.
 * @param today ISO, by the pharmacy's clock
 */
export async function replanSequence(
  tx: Tx,
  location: { id: number; time_zone: string },
  id: number,
  today: string,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select e.id from enrolment e
    where e.location_id = ${location.id} and e.sequence_id = ${id} and ${followed} and (e.next_at is not null or e.event_day >= (
      select ${today}::date - max(u.days_after) from follow_up u
      where u.location_id = ${location.id} and u.sequence_id = ${id} and u.removed_at is null))`.execute(tx)
  const ids = rows.map((row) => row.id)
  if (ids.length > 0) await planEnrolments(tx, location.id, location.time_zone, ids)
}
