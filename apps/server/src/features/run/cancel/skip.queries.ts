import { MOST_MOVED } from '@pillar/domain/message/run-state'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Tx } from '../../../db/database.ts'
import { withoutNestedLoops } from '../../../db/scope.ts'
import { CANCELLED } from '../../sending/rule/cancelled.queries.ts'
import { lockBatches } from '../../sending/rule/lock-batches.queries.ts'
import { queueRecount } from '../recount-queue.queries.ts'

/** Whether the consent `c` of the recipient of a message `m` of a batch `b` forbids it. */
export const OPTED_OUT: RawBuilder<boolean> = sql`(
  case when b.message_kind = 'confirmation' then 'in'
       when b.message_kind = 'marketing' then case m.channel when 'sms' then c.sms_marketing else c.email_marketing end
       else case m.channel when 'sms' then c.sms_health_outreach else c.email_health_outreach end end = 'out')`

/**
 * Queued messages for these patients that consent now forbids become skipped `opted_out`. Consent does not cover the confirmation of a
 * STOP. @returns how many messages
 */
export async function skipOptedOut(
  tx: Tx,
  locationId: number,
  patientIds: readonly number[],
  now: Date,
): Promise<number> {
  const done = await sql`
    update message m set state = 'skipped', reason = 'opted_out', cents = 0, settled_at = ${now}
    from message_batch b, consent c
    where m.location_id = ${locationId} and m.patient_id = any(${[...patientIds]}::bigint[]) and m.state = 'queued'
      and b.location_id = ${locationId} and b.id = m.batch_id
      and c.location_id = ${locationId} and c.patient_id = m.patient_id
      and ${OPTED_OUT}`.execute(tx)
  const skipped = Number(done.numAffectedRows ?? 0)
  if (skipped > 0) await queueRecount(tx, [locationId])
  return skipped
}

/** A run, or one of its batches. */
type Unsent = { runId: number } | { locationId: number; batchId: number }

const batchesOf = (of: Unsent) =>
  'runId' in of ? sql`b.run_id = ${of.runId}` : sql`b.location_id = ${of.locationId} and b.id = ${of.batchId}`

/**
 * Cancels what a run that has just ended, or a batch that has just been stopped for good, has not sent. From the commit on nothing of it is
 * sent, and it counts as skipped `stopped` (`CANCELLED`). Up to `MOST_MOVED` messages are skipped at once; more by `skipCancelled`, in
 * portions. Needs the run's lock. @returns how many messages
 */
export async function cancelUnsent(tx: Tx, of: Unsent, now: Date): Promise<number> {
  await lockBatches(tx, batchesOf(of))
  await sql`
    update message_batch b set stopped_at = coalesce(b.stopped_at, ${now}), next_at = coalesce(b.next_at, ${now})
    where ${batchesOf(of)}`.execute(tx)
  const { rows } = await sql<{ location_id: number; n: number }>`
    select b.location_id, count(m.id)::int as n from message_batch b
      left join message m on m.location_id = b.location_id and m.batch_id = b.id and m.state = 'queued'
    where ${batchesOf(of)} group by 1 order by 1`.execute(tx)
  const left = rows.reduce((sum, { n }) => sum + n, 0)
  if (left <= MOST_MOVED) {
    await sql`
      update message m set state = 'skipped', reason = 'stopped', cents = 0, settled_at = ${now}
      from message_batch b
      where ${batchesOf(of)} and m.location_id = b.location_id and m.batch_id = b.id and m.state = 'queued'`.execute(tx)
    await sql`update message_batch b set next_at = null where ${batchesOf(of)}`.execute(tx)
  }
  await queueRecount(
    tx,
    rows.flatMap((row) => (row.n > 0 ? [row.location_id] : [])),
  )
  return left
}

/** A batch whose unsent messages are yet to be skipped, and when they were cancelled. */
export interface CancelledBatch {
  locationId: number
  id: number
  companyId: number
  at: Date
}

/** Batches with messages to skip, the oldest first. */
export async function cancelledBatches(system: Database): Promise<CancelledBatch[]> {
  const { rows } = await sql<CancelledBatch>`
    select b.location_id as "locationId", b.id, b.company_id as "companyId",
      case when r.campaign_id is null then b.stopped_at else coalesce(r.ended_at, b.stopped_at) end as at
    from message_batch b join message_run r on r.id = b.run_id
    where b.stopped_at is not null and b.next_at is not null and ${CANCELLED} order by b.id limit 1000`.execute(system)
  return rows
}

/**
 * Skips up to `MOST_MOVED` messages of a cancelled batch; the batch has ended once none is left. Never waits: a batch or message that another
 * transaction holds is left for the next round. Locks the batch first, as `cancelUnsent` does. @returns how many
 */
export async function skipPortion(tx: Tx, { locationId, id, at }: CancelledBatch): Promise<number> {
  const { rows: held } = await sql`
    select from message_batch where location_id = ${locationId} and id = ${id} for update skip locked`.execute(tx)
  if (held.length === 0) return 0
  const done = await withoutNestedLoops(tx, () =>
    sql`
    update message m set state = 'skipped', reason = 'stopped', cents = 0, settled_at = ${at}
    where m.location_id = ${locationId} and m.id in (
      select id from message where location_id = ${locationId} and batch_id = ${id} and state = 'queued'
      order by planned_at limit ${sql.lit(MOST_MOVED)} for update skip locked)`.execute(tx),
  )
  await sql`
    update message_batch b set next_at = (
      select coalesce(min(m.planned_at), ${at}::timestamptz) from message m
      where m.location_id = b.location_id and m.batch_id = b.id and m.state = 'queued' having count(*) > 0)
    where b.location_id = ${locationId} and b.id = ${id}`.execute(tx)
  const skipped = Number(done.numAffectedRows ?? 0)
  if (skipped > 0) await queueRecount(tx, [locationId])
  return skipped
}
