import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { CountedPlace } from './participant.queries.ts'

/** Every pharmacy with data, with the company for its scope. */
export async function countedPlaces(system: Database): Promise<(CountedPlace & { companyId: number })[]> {
  const { rows } = await sql<CountedPlace & { companyId: number }>`
    select l.id, l.company_id as "companyId", l.country, l.time_zone as "timeZone"
    from location l join company c on c.id = l.company_id
    where l.removed_at is null and c.removed_at is null and l.data_to is not null order by l.id`.execute(system)
  return rows
}

/** A trial as stored: its filters may be older than a rule they break. */
interface StoredTrial {
  id: number
  md5: string
  filters: unknown
}

/** Trials that have not ended, or one trial whatever its dates. `since` is the earliest day on which it may end. */
export async function trialsToCount(
  system: Database,
  { trialId, since }: { trialId: number | null; since: string },
): Promise<StoredTrial[]> {
  const which = trialId === null ? sql`end_day is null or end_day >= ${since}::date` : sql`id = ${trialId}`
  const { rows } = await sql<StoredTrial>`
    select id, md5(filters::text) as md5, filters from trial where ${which} order by id`.execute(system)
  return rows
}
