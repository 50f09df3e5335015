import { Refusal } from '@pillar/contract'
import { LIVE_RUN_STATES } from '@pillar/domain/message/run-state'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { lockBatches } from '../sending/rule/lock-batches.queries.ts'
import { cancelUnsent } from './cancel/skip.queries.ts'

/** Advisory lock namespace of runs: a claim holds the run's lock shared, stopping holds it exclusively. */
const RUN_SPACE = 7320

/** Held by a claim until it commits, so that a stop waits for running claims and none follows it. */
export async function shareRun(tx: Tx, runId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${sql.lit(RUN_SPACE)}, (${runId}::bigint % 2147483647)::int)`.execute(
    tx,
  )
}

/** Held exclusively to stop or end a run: running claims finish first, and none follows. */
export async function lockRun(tx: Tx, runId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(RUN_SPACE)}, (${runId}::bigint % 2147483647)::int)`.execute(tx)
}

interface LiveRun {
  id: number
  state: string
  starts_at: Date
}

/** The campaign's live run, locked; null if it has none. */
async function liveRun(tx: Tx, campaignId: number): Promise<LiveRun | null> {
  const found = await tx
    .selectFrom('message_run')
    .select('id')
    .where('campaign_id', '=', campaignId)
    .where('state', 'in', LIVE_RUN_STATES)
    .executeTakeFirst()
  if (!found) return null
  await lockRun(tx, found.id)
  const run = await tx
    .selectFrom('message_run')
    .select(['id', 'state', 'starts_at'])
    .where('id', '=', found.id)
    .where('state', 'in', LIVE_RUN_STATES)
    .forUpdate()
    .executeTakeFirst()
  return run ?? null
}

/** Whether a live run's messages exist; false while they are being written, and for a stopped run without messages. */
async function isWritten(tx: Tx, run: LiveRun): Promise<boolean> {
  if (run.state !== 'preparing' && run.state !== 'stopped') return true
  return (await tx.selectFrom('message_batch').select('id').where('run_id', '=', run.id).limit(1).execute()).length > 0
}

/** @throws Refusal conflict for some pharmacies of a run that is still being written */
async function refuseUnwritten(tx: Tx, run: LiveRun, locationIds: readonly number[] | null): Promise<void> {
  if (locationIds === null || (await isWritten(tx, run))) return
  throw new Refusal('conflict', 'The messages are still being written. Please try again in a moment.')
}

/** How many messages of a run are queued at these pharmacies, or at all of them. */
async function leftOf(tx: Tx, runId: number, locationIds: readonly number[] | null): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from message_batch b join message m on m.location_id = b.location_id and m.batch_id = b.id
    where b.run_id = ${runId} and m.state = 'queued' ${atLocations(locationIds)}`.execute(tx)
  return rows[0]?.n ?? 0
}

const atLocations = (locationIds: readonly number[] | null) =>
  locationIds ? sql`and b.location_id = any(${[...locationIds]}::bigint[])` : sql``

/**
 * Stops a campaign's live run, for all (null) or some pharmacies; stopping twice is fine. Nothing is claimed once the transaction
 * has committed; messages already sent are recorded as usual, queued ones stay queued. A run still `preparing` is stopped
 * too: its writer may only move it from `preparing` to `holding`.
 * @returns how many messages are left queued there; null when the campaign has no live run
 * @throws Refusal conflict for some pharmacies of a run that is still being written
 */
export async function stopRun(
  tx: Tx,
  campaignId: number,
  locationIds: readonly number[] | null,
  now: Date,
): Promise<{ runId: number; left: number } | null> {
  const run = await liveRun(tx, campaignId)
  if (!run) return null
  await refuseUnwritten(tx, run, locationIds)
  const batches = sql`b.run_id = ${run.id} and b.stopped_at is null ${atLocations(locationIds)}`
  await lockBatches(tx, batches)
  await sql`update message_batch b set stopped_at = ${now} where ${batches}`.execute(tx)
  if (!locationIds) await tx.updateTable('message_run').set({ state: 'stopped' }).where('id', '=', run.id).execute()
  return { runId: run.id, left: await leftOf(tx, run.id, locationIds) }
}

/**
 * Resumes a stopped run, for all (null) or some pharmacies: those resume even if the whole run was stopped; the others then stay stopped
 * individually. Nobody gets a message twice: only queued ones are sent.
 * @returns how many messages are queued there, and whether they must be written (again), because the writer may have ended while the run
 * was stopped; null if the campaign has no live run
 * @throws Refusal conflict for some pharmacies of a run that is still being written
 */
export async function resumeRun(
  tx: Tx,
  campaignId: number,
  locationIds: readonly number[] | null,
  now: Date,
): Promise<{ runId: number; left: number; unwritten: boolean } | null> {
  const run = await liveRun(tx, campaignId)
  if (!run) return null
  await refuseUnwritten(tx, run, locationIds)
  const batches = sql`b.run_id = ${run.id} and b.stopped_at is not null ${atLocations(locationIds)}`
  await lockBatches(tx, batches)
  await sql`update message_batch b set stopped_at = null where ${batches}`.execute(tx)
  const unwritten = !(await isWritten(tx, run))
  if (run.state === 'stopped') {
    const state = unwritten ? 'preparing' : run.starts_at > now ? 'holding' : 'sending'
    await tx.updateTable('message_run').set({ state }).where('id', '=', run.id).execute()
  }
  return { runId: run.id, left: await leftOf(tx, run.id, locationIds), unwritten }
}

/**
 * Ends a campaign's live run for good (deactivated or deleted): queued messages are cancelled, the run is `done` and the campaign can be
 * activated again. Messages in progress are recorded as usual.
 * @returns how many messages were cancelled; null when the campaign has no live run
 */
export async function endRun(tx: Tx, campaignId: number, now: Date): Promise<{ runId: number; kept: number } | null> {
  const run = await liveRun(tx, campaignId)
  if (!run) return null
  await tx.updateTable('message_run').set({ state: 'done', ended_at: now }).where('id', '=', run.id).execute()
  return { runId: run.id, kept: await cancelUnsent(tx, { runId: run.id }, now) }
}
