import type { SkipReason } from '@pillar/domain/cohort/held-back'
import { MOST_MOVED } from '@pillar/domain/message/run-state'
import type { Country } from '@pillar/domain/time/locale'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { withoutNestedLoops } from '../../../db/scope.ts'
import { lockBatches } from './lock-batches.queries.ts'
import { type HoursAt, readPlaceRules, readRules, shareRules } from './rules.queries.ts'

/**
 * Lets the claims reschedule waiting messages to now, and stopped runs once they resume: each claim then applies the current rules and
 * postpones messages that are still in quiet hours. A claim in progress finds the mark when it ends, so that what it postpones by the former
 * rules is rescheduled too.
 */
export const replanQueued = (tx: Tx, now: Date): Promise<void> =>
  markBatches(tx, sql`r.state in ('holding', 'sending', 'stopped')`, now)

/**
 * The same for one run, which this transaction has just written, if the sending hours at its pharmacies have changed since they were read:
 * that change could not see the messages being written. Call it last, because from here on nobody can change them until the commit.
 */
export async function replanWritten(
  tx: Tx,
  runId: number,
  { country, locationIds, hoursAt }: { country: Country; locationIds: readonly number[]; hoursAt: HoursAt },
  now: Date,
): Promise<void> {
  await shareRules(tx)
  const current = await readPlaceRules(tx, await readRules(tx, country), locationIds)
  if (locationIds.some((id) => JSON.stringify(current.hoursAt(id)) !== JSON.stringify(hoursAt(id))))
    await markBatches(tx, sql`r.id = ${runId}`, now)
}

async function markBatches(tx: Tx, runs: RawBuilder<unknown>, now: Date): Promise<void> {
  // Negative, so below every id, and different at each change: a claim then notices that its own mark is out of date.
  const none = -now.getTime()
  await lockBatches(tx, sql`b.next_at is not null and b.run_id in (select r.id from message_run r where ${runs})`)
  await sql`
    update message_batch b set next_at = least(b.next_at, greatest(r.starts_at, ${now}::timestamptz)), replanned_to = ${none}::bigint
    from message_run r where r.id = b.run_id and ${runs} and b.next_at is not null`.execute(tx)
}

/**
 * Reschedules the next waiting messages of a batch to now, `MOST_MOVED` at most and each once, in order of id. Call it before reading the
 * rules: whoever changes them waits for this batch's row, until the transaction ends. If they changed just before, the next claim starts over.
 */
export async function replanNext(tx: Tx, { locationId, id }: OfBatch, from: number, now: Date): Promise<void> {
  const { rows } = await withoutNestedLoops(tx, () =>
    sql<{ id: number }>`
    select id from message where location_id = ${locationId} and batch_id = ${id} and state = 'queued' and id > ${from}
    order by id limit ${sql.lit(MOST_MOVED)} for update`.execute(tx),
  )
  await sql`
    update message set planned_at = ${now} where location_id = ${locationId} and id = any(${rows.map((row) => row.id)}::bigint[])
      and planned_at > ${now}`.execute(tx)
  const to = rows.length < MOST_MOVED ? null : rows.at(-1)!.id
  await sql`
    update message_batch set replanned_to = ${to} where location_id = ${locationId} and id = ${id} and replanned_to = ${from}`.execute(
    tx,
  )
}

type OfBatch = { locationId: number; id: number }

const updateDue = (tx: Tx, batch: OfBatch, now: Date, set: RawBuilder<unknown>) =>
  withoutNestedLoops(tx, () =>
    sql`
    update message m set ${set} where m.location_id = ${batch.locationId} and m.id in (
      select id from message where location_id = ${batch.locationId} and batch_id = ${batch.id} and state = 'queued'
        and planned_at <= ${now} order by planned_at limit ${sql.lit(MOST_MOVED)} for update skip locked)`.execute(tx),
  )

/** Moves due messages of a batch to a later hour, `MOST_MOVED` at most. */
export const postponeQueued = (tx: Tx, batch: OfBatch, until: Date, now: Date) =>
  updateDue(tx, batch, now, sql`planned_at = ${until}`)

/** Skips due messages of a batch for this reason, `MOST_MOVED` at most. @returns how many */
export async function skipQueued(tx: Tx, batch: OfBatch, reason: SkipReason, now: Date): Promise<number> {
  const done = await updateDue(
    tx,
    batch,
    now,
    sql`state = 'skipped', reason = ${reason}, cents = 0, settled_at = ${now}`,
  )
  return Number(done.numAffectedRows ?? 0)
}
