import { Refusal } from '@pillar/contract'
import type { UploadFault } from '@pillar/contract/upload/etl'
import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { type ListAsk, pageOf } from '../../../db/list.ts'

/** An upload of the pharmacy in scope, with its number of faulty rows. @throws Refusal not_found */
export async function findUpload(tx: Tx, uuid: string): Promise<{ id: number; counted: number }> {
  const { rows } = await sql<{ id: number; counted: number }>`
    select u.id, coalesce((select sum(faulty) from upload_file f where f.upload_id = u.id), 0)::int as counted
    from upload u where u.uuid = ${uuid}`.execute(tx)
  if (!rows[0]) throw new Refusal('not_found', 'That upload was not found.')
  return rows[0]
}

const SELECT = sql`f.file_type, f.line, f.column_name as "column", f.value, f.reason`

/** One page of the rows of an upload that were not loaded, in the order of its files. */
export function pageFaults(tx: Tx, uploadId: number, input: ListAsk<'line'>) {
  return pageOf<UploadFault, 'line'>(
    tx,
    {
      select: SELECT,
      from: sql`upload_fault f`,
      where: [sql`f.upload_id = ${uploadId}`],
      search: [sql`f.reason`, sql`f.column_name`, sql`f.file_type`],
      sort: { line: sql`f.file_type` },
      key: sql`(f.line, f.column_name)`,
    },
    input,
  )
}

/** All rows of an upload that were not loaded, as far as they were stored. */
export async function allFaults(tx: Tx, uploadId: number): Promise<UploadFault[]> {
  const { rows } = await sql<UploadFault>`
    select ${SELECT} from upload_fault f where f.upload_id = ${uploadId} order by f.file_type, f.line, f.column_name`.execute(
    tx,
  )
  return rows
}
