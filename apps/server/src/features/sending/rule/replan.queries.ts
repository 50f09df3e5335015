import { MOST_MOVED } from '@pillar/domain/message/run-state'
import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { withoutNestedLoops } from '../../../db/scope.ts'

/**
 * Reschedules the next waiting messages of a batch to now, `MOST_MOVED` at most and each once, in order of id. Call it before the rules are
 * read: from here on they cannot change before the transaction ends. If they have changed meanwhile, the next claim begins anew.
 */
export async function replanNext(
  tx: Tx,
  { locationId, id }: { locationId: number; id: number },
  from: number,
  now: Date,
): Promise<void> {
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
