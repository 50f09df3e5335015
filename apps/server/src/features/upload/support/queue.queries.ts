import type { QueueItem } from '@pillar/contract/upload/etl'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { isoTime } from '../../company/company-admin.queries.ts'

/** A pharmacy in the console's calls about uploads. */
export interface StaffLocation {
  id: number
  uuid: string
  company_id: number
  name: string
  time_zone: string
  data_source: string | null
}

/** The pharmacies of these uuids that are not removed, unordered; unknown uuids are missing. */
export async function findStaffLocations(tx: Tx, uuids: readonly string[]): Promise<StaffLocation[]> {
  const { rows } = await sql<StaffLocation>`
    select l.id, l.uuid, l.company_id, l.name, l.time_zone, l.data_source from location l join company c on c.id = l.company_id
    where l.uuid = any (${uuids}::uuid[]) and l.removed_at is null and c.removed_at is null`.execute(tx)
  return rows
}

/** When an upload began: requested, or received without a request. */
const began = sql`coalesce(u.requested_at, u.location_upload_time, u.created_at)`

/** A stored path without the server's own folders. */
const shownPath = sql`regexp_replace(f.file_path, '^.*/uploads/', 'uploads/')`

const iso = (column: string): RawBuilder<unknown> => isoTime(sql.raw(column) as never)

/**
 * The uploads of one pharmacy, newest first, with their files.
 * @param before the upload after which to continue; null for the first page
 */
export async function listQueue(
  tx: Tx,
  { locationId, before, limit }: { locationId: number; before: string | null; limit: number },
): Promise<QueueItem[]> {
  const after = before
    ? sql`and (u.created_at, u.id) < (select b.created_at, b.id from upload b where b.location_id = ${locationId} and b.uuid = ${before})`
    : sql``
  const { rows } = await sql<QueueItem>`
    select u.uuid, u.etl_state, u.etl_state = 'COMPLETED' as etl_completed, ${iso('u.etl_start_time')} as etl_start_time,
      ${iso('u.etl_stop_time')} as etl_stop_time, ${iso('u.location_upload_time')} as location_upload_time,
      ${iso('u.last_updated')} as last_updated, ${iso('u.created_at')} as server_timestamp, ${isoTime(began)} as timestamp,
      u.initial_upload, u.support_initiated, u.data_source, u.notes, o.first_name || ' ' || o.last_name as requested_by,
      ${iso('u.requested_from')} as requested_from, ${iso('u.requested_to')} as requested_to,
      coalesce(f.faults, 0)::int as faults, coalesce(f.files, '[]') as files
    from upload u left join login o on o.id = u.requested_by
    left join lateral (
      select sum(f.faulty) as faults, json_agg(json_build_object('id', f.uuid, 'file_type', f.file_type, 'file_path', ${shownPath},
        'bytes', f.bytes) order by f.id) as files
      from upload_file f where f.upload_id = u.id
    ) f on true
    where u.location_id = ${locationId} ${after}
    order by u.created_at desc, u.id desc limit ${limit}`.execute(tx)
  return rows
}
