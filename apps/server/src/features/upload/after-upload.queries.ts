import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** Settings for work over all rows of a pharmacy, until the transaction ends. */
export async function beginFollowUp(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = '120s'`.execute(tx)
  // The planner has no statistics for rows of an upload just completed and would otherwise look up each one.
  await sql`set local enable_nestloop = off`.execute(tx)
}

/** A pharmacy and the last day of its data; undefined if it is gone. */
export async function uploadedLocation(tx: Tx, locationId: number) {
  return tx
    .selectFrom('location')
    .select(['id', 'company_id as companyId', 'country', 'time_zone as timeZone', 'data_to as dataTo'])
    .where('id', '=', locationId)
    .executeTakeFirst()
}
