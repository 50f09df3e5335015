import { sql } from 'kysely'
import type { Tx } from './database.ts'

/**
 * Has what `run` asks planned without nested loops where there is another way. Row security makes the planner expect hardly a row of a pharmacy:
 * of thousands it would then go through all others for each, seconds where a hash takes milliseconds.
 */
export async function withoutNestedLoops<T>(tx: Tx, run: () => Promise<T>): Promise<T> {
  await sql`set local enable_nestloop = off`.execute(tx)
  const answer = await run()
  await sql`set local enable_nestloop to default`.execute(tx)
  return answer
}
