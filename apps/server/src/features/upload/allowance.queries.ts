import { statesBefore } from '@pillar/domain/upload/upload-state'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/**
 * What a pharmacy has sent since `since`, and how many of its uploads wait for loading, not counting the upload `uuid` itself. Bytes as
 * received.
 */
export async function uploadUse(
  tx: Tx,
  { locationId, uuid, since }: { locationId: number; uuid: string; since: Date },
): Promise<{ count: number; bytes: number; waiting: number }> {
  const { rows } = await sql<{ count: number; bytes: number; waiting: number }>`
    select count(*) filter (where u.location_upload_time >= ${since})::int as count,
      coalesce(sum(f.bytes) filter (where u.location_upload_time >= ${since}), 0)::float8 as bytes,
      count(*) filter (where u.etl_state = any(${statesBefore('claim')}::text[]))::int as waiting
    from upload u
    left join (
      select location_id, upload_id, sum(bytes) as bytes from upload_file where location_id = ${locationId} group by location_id, upload_id
    ) f on f.location_id = u.location_id and f.upload_id = u.id
    where u.location_id = ${locationId} and u.uuid <> ${uuid}
      and (u.location_upload_time >= ${since} or u.etl_state = any(${statesBefore('claim')}::text[]))`.execute(tx)
  return rows[0]!
}
