import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/**
 * Adds pharmacies to the recount queue. The last statement of any change to messages: the row stays locked until the end
 * of the transaction, so that a running recount waits for the change. Lock order: message, batch, recount queue; but batch before
 * message to cancel what no claim can hold (`run/cancel`).
 */
export async function queueRecount(tx: Tx, locationIds: readonly number[]): Promise<void> {
  if (locationIds.length === 0) return
  await sql`
    insert into recount_queue (location_id, company_id)
    select id, company_id from location where id = any(${[...locationIds]}::bigint[]) order by id
    on conflict (location_id) do update set since = excluded.since`.execute(tx)
}
