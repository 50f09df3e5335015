import { Refusal } from '@pillar/contract'
import type { UploadState } from '@pillar/domain/upload/upload-state'
import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { isoTime } from '../../company/company-admin.queries.ts'

export interface LoadedUpload {
  id: number
  uuid: string
  etl_state: UploadState
  data_source: string
  initial_upload: boolean
  timestamp: string
  patients: number | null
  first_day: string | null
  last_day: string | null
  days: number | null
}

const COLUMNS = sql`u.id, u.uuid, u.etl_state, u.data_source, u.initial_upload,
  ${isoTime(sql`coalesce(u.location_upload_time, u.created_at)`)} as timestamp, u.patients,
  u.first_day::text as first_day, u.last_day::text as last_day, u.last_day - u.first_day + 1 as days`

/**
 * An upload of a pharmacy, and the last one completed before it from the same source: of the same kind, initial or not, if there is one.
 * @throws Refusal not_found
 */
export async function findPair(
  tx: Tx,
  locationId: number,
  uuid: string,
): Promise<{ upload: LoadedUpload; previous: LoadedUpload | null }> {
  const found = await sql<LoadedUpload>`
    select ${COLUMNS} from upload u where u.location_id = ${locationId} and u.uuid = ${uuid}`.execute(tx)
  const upload = found.rows[0]
  if (!upload) throw new Refusal('not_found', 'That upload was not found.')
  const { rows } = await sql<LoadedUpload>`
    select ${COLUMNS} from upload u, upload n
    where n.id = ${upload.id} and u.location_id = ${locationId} and u.data_source = n.data_source and u.etl_state = 'COMPLETED'
      and (u.created_at, u.id) < (n.created_at, n.id)
    order by (u.initial_upload = n.initial_upload) desc, u.created_at desc, u.id desc limit 1`.execute(tx)
  return { upload, previous: rows[0] ?? null }
}

/** Rows of each file of two uploads; null if one did not have it or it was not read. */
export async function compareFiles(
  tx: Tx,
  uploadId: number,
  previousId: number | null,
): Promise<{ file_type: string; rows: number | null; previous_rows: number | null }[]> {
  const { rows } = await sql<{ file_type: string; rows: number | null; previous_rows: number | null }>`
    select f.file_type, sum(f.row_count) filter (where f.upload_id = ${uploadId})::int as rows,
      sum(f.row_count) filter (where f.upload_id = ${previousId})::int as previous_rows
    from upload_file f where f.upload_id in (${uploadId}, ${previousId})
    group by f.file_type order by min(f.id)`.execute(tx)
  return rows
}
