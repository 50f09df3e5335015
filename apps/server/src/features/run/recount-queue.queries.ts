import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/**
 * Marks pharmacies whose counts are to be made anew. The last statement of whatever changed messages: the row stays locked until the end
 * of the transaction, so that a recount under way waits for the change and does not miss it. Locks go in the order message, batch, due.
 */
export async function queueRecount(tx: Tx, locationIds: readonly number[]): Promise<void> {
  if (locationIds.length === 0) return
  await sql`
    insert into recount_queue (location_id, company_id)
    select id, company_id from location where id = any(${[...locationIds]}::bigint[]) order by id
    on conflict (location_id) do update set since = excluded.since`.execute(tx)
}
