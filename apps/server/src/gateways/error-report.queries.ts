import type { Database } from '../db/database.ts'
import type { Fault } from './fault.ts'

/** Errors kept; the oldest goes when another comes. */
export const KEPT_ERRORS = 1000

/** Keeps an error, and lets go of what is older than the last 1,000. */
export async function keepFault(system: Database, { frames, ...fault }: Fault): Promise<void> {
  const { id } = await system
    .insertInto('error_report')
    .values({ ...fault, frames: JSON.stringify(frames) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await system
    .deleteFrom('error_report')
    .where('id', '<=', id - KEPT_ERRORS)
    .execute()
}

/** The errors kept, newest first. */
export function listFaults(system: Database, limit: number) {
  return system
    .selectFrom('error_report')
    .select(['at', 'source', 'name', 'code', 'call', 'status', 'release', 'frames'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
