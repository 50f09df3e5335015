import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../database.ts'

/**
 * Runs an insert of rows that a query makes, into a pharmacy's table that a cluster may keep on its workers (decision 067). Behind row-level
 * security a cluster takes such an insert only when its rows are asked for; here they are counted where they are, and none is sent.
 * @param insert ends without `returning`
 * @returns rows written
 */
export async function insertRows(tx: Tx, insert: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with done as (${insert} returning 1) select count(*)::int as count from done`.execute(tx)
  return rows[0]?.count ?? 0
}
