import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Fault } from './fault.ts'

/** The number of errors kept; a new one replaces the oldest. */
const KEPT_ERRORS = 1000

/** Stores an error, and deletes those older than the last 1,000. */
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

/** The stored errors, newest first. */
export function listFaults(system: Database, limit: number) {
  return system
    .selectFrom('error_report')
    .select(['at', 'source', 'name', 'code', 'call', 'status', 'release', 'frames'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** The number of stored errors of the last hour by source, from all processes. @throws the database's errors */
export async function countFaultsLately(
  db: Database,
  now: Date,
): Promise<{ source: Fault['source']; errors: number }[]> {
  const { rows } = await sql<{ source: Fault['source']; errors: number }>`
    select s.source, count(e.id)::int as errors from (values ('server'), ('screens')) s(source)
    left join error_report e on e.source = s.source and e.at > ${now}::timestamptz - interval '1 hour'
    group by s.source order by s.source desc`.execute(db)
  return rows
}
