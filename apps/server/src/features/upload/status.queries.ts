import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

export interface UploadStatus {
  id: number
  uuid: string
  etl_state: string
  data_source: string
  initial_upload: boolean
  notes: string
  received_at: string | null
  started_at: string | null
  stopped_at: string | null
  retry_at: string | null
}

export interface StatusFile {
  file_type: string
  received_bytes: number
  rows: number | null
  loaded: number | null
  faulty: number | null
}

export interface StatusFault {
  file_type: string
  line: number
  column: string
  value: string
  reason: string
}

/** One upload of the pharmacies in scope with its files and the first faulty rows; null if the uuid is unknown. */
export async function uploadStatus(
  tx: Tx,
  uuid: string,
): Promise<{ upload: UploadStatus; files: StatusFile[]; faults: StatusFault[] } | null> {
  const iso = (column: string) =>
    sql<string | null>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const found = await sql<UploadStatus>`
    select id, uuid, etl_state, data_source, initial_upload, notes, ${iso('location_upload_time')} as received_at,
           ${iso('etl_start_time')} as started_at, ${iso('etl_stop_time')} as stopped_at,
           ${iso('retry_at')} as retry_at
    from upload where uuid = ${uuid}`.execute(tx)
  const upload = found.rows[0]
  if (!upload) return null
  const files = await sql<StatusFile>`
    select file_type, bytes as received_bytes, row_count as rows, loaded, faulty
    from upload_file where upload_id = ${upload.id} order by id`.execute(tx)
  const faults = await sql<StatusFault>`
    select file_type, line, column_name as "column", value, reason
    from upload_fault where upload_id = ${upload.id} order by file_type, line limit 1000`.execute(tx)
  return { upload, files: files.rows, faults: faults.rows }
}
