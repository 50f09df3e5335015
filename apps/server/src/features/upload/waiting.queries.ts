import { LONGEST_RETRY_SECONDS, statesBefore } from '@pillar/domain/upload/upload-state'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/database.ts'

/**
 * Whether no setback holds an upload back. A time further ahead than any wait was written while the database's clock was wrong, before it
 * was set back.
 */
export const mayRetry = (retryAt: RawBuilder<unknown>) =>
  sql<boolean>`(${retryAt} is null or ${retryAt} <= now() or ${retryAt} > now() + make_interval(secs => ${sql.lit(LONGEST_RETRY_SECONDS + 60)}))`

/** For a waiting upload `w`: whether it is the oldest of its pharmacy and no setback holds it back. */
const isDue = sql<boolean>`${mayRetry(sql`w.retry_at`)} and not exists (
  select from upload o where o.location_id = w.location_id and o.etl_state = any(${statesBefore('claim')}::text[])
    and (o.created_at, o.id) < (w.created_at, w.id))`

/** The pharmacy that has waited longest with a due upload and none being loaded; null if there is none. */
export async function waitingLocation(system: Database): Promise<number | null> {
  const { rows } = await sql<{ location_id: number }>`
    select w.location_id from upload w
    where w.etl_state = any(${statesBefore('claim')}::text[]) and ${isDue}
      and not exists (select from upload p where p.location_id = w.location_id and p.etl_state = 'PROCESSING')
    order by w.created_at, w.id limit 1`.execute(system)
  return rows[0]?.location_id ?? null
}

/**
 * Whether uploads go before the work that follows this pharmacy's newest one: some upload waits or is being loaded, and the pharmacy's own was
 * completed less than `seconds` ago.
 */
export async function uploadsGoFirst(system: Database, locationId: number, seconds: number): Promise<boolean> {
  const { rows } = await sql<{ first: boolean }>`
    select exists (select from upload where etl_state = any(${[...statesBefore('claim'), 'PROCESSING']}::text[]))
      and exists (select from upload where location_id = ${locationId} and etl_state = 'COMPLETED'
        and etl_stop_time between now() - make_interval(secs => ${seconds}) and now()) as first`.execute(system)
  return rows[0]?.first ?? false
}

/** Due uploads for which no job waits in the queue. */
export async function waitingWithoutJob(system: Database, job: string): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    select w.uuid from upload w
    where w.etl_state = any(${statesBefore('claim')}::text[]) and ${isDue}
      and not exists (select from pgboss.job j where j.name = ${job} and j.state in ('created', 'retry') and j.data->>'uuid' = w.uuid::text)
      and not exists (select from upload p where p.location_id = w.location_id and p.etl_state = 'PROCESSING')`.execute(
    system,
  )
  return rows.map((row) => row.uuid)
}
