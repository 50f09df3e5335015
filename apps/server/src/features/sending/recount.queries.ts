import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import type { LostPlace } from './reconcile.queries.ts'
import { CANCELLED, standing } from './rule/cancelled.queries.ts'

/** Receipts still arrive for this long after a run has ended. */
const LATE_DAYS = 14

/** Pharmacies in the recount queue, longest waiting first. */
export async function recountQueue(system: Database): Promise<LostPlace[]> {
  const { rows } = await sql<LostPlace>`
    select location_id as "locationId", company_id as "companyId" from recount_queue order by since, location_id limit 1000`.execute(
    system,
  )
  return rows
}

/**
 * Recounts a pharmacy's batches from its messages, for live and recent runs. Parts and money count accepted messages. Batches are locked
 * first and the queue entry removed next, so that concurrent changes are either counted or leave a new entry. @returns false if another
 * worker has just done it
 */
export async function recountBatches(tx: Tx, locationId: number, now: Date): Promise<boolean> {
  const { rows: batches } = await sql<{ id: number; run_id: number; cancelled: boolean }>`
    select b.id, b.run_id, ${CANCELLED} as cancelled from message_batch b join message_run r on r.id = b.run_id
    where b.location_id = ${locationId} and (r.ended_at is null or r.ended_at > ${now}::timestamptz - make_interval(days => ${sql.lit(LATE_DAYS)}))
    order by b.id for update of b`.execute(tx)
  const taken = await sql`delete from recount_queue where location_id = ${locationId}`.execute(tx)
  if ((taken.numAffectedRows ?? 0n) === 0n) return false
  const cancelled = batches.filter((batch) => batch.cancelled).map(({ id }) => id)
  const { state } = standing(sql`m.batch_id = any(${cancelled}::bigint[])`)
  const runs = [...new Set(batches.map((batch) => batch.run_id))]
  await sql`
    update message_batch b set num_patients = c.n, num_queued = c.queued, num_sending = c.sending, num_sent = c.sent,
      num_delivered = c.delivered, num_failed = c.failed, num_skipped = c.skipped, num_unknown = c.unknown,
      parts = c.parts, cents = c.cents, fake_patients = c.fakes
    from (
      select batch_id, count(*) as n,
        count(*) filter (where state = 'queued') as queued, count(*) filter (where state = 'sending') as sending,
        count(*) filter (where state = 'sent') as sent, count(*) filter (where state = 'delivered') as delivered,
        count(*) filter (where state = 'failed') as failed, count(*) filter (where state = 'skipped') as skipped,
        count(*) filter (where state = 'unknown') as unknown,
        coalesce(sum(parts) filter (where sent_at is not null), 0) as parts,
        coalesce(sum(cents) filter (where sent_at is not null), 0) as cents, count(*) filter (where fake) as fakes
      from (select m.batch_id, ${state} as state, m.parts, m.cents, m.sent_at, m.fake
        from message m where m.location_id = ${locationId} and m.run_id = any(${runs}::bigint[])) m group by batch_id
    ) c
    where b.location_id = ${locationId} and b.id = c.batch_id`.execute(tx)
  return true
}
