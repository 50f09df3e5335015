import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../database.ts'

/**
 * Inserts the rows of a query into a pharmacy's table, which a cluster may keep on its workers (decision 067). Behind row-level security a
 * cluster accepts such an insert only with a `returning`; this counts the rows where they are and sends none.
 * @param insert ends without `returning`
 * @returns rows written
 */
export async function insertRows(tx: Tx, insert: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with done as (${insert} returning 1) select count(*)::int as count from done`.execute(tx)
  return rows[0]?.count ?? 0
}
