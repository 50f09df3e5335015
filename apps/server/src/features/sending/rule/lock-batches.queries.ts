import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'

/**
 * Locks batches `b`, for a change to several of them. In order of id, as a recount locks those of a pharmacy: in another order the two
 * could end in a deadlock.
 */
export async function lockBatches(tx: Tx, which: RawBuilder<unknown>): Promise<void> {
  await sql`select from message_batch b where ${which} order by b.id for update`.execute(tx)
}
