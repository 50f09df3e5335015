import { Refusal } from '@pillar/contract'
import { listOf } from '@pillar/domain/text/sentence'
import { removalProblem } from '@pillar/domain/upload/upload-request'
import type { UploadState } from '@pillar/domain/upload/upload-state'
import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'

interface Found {
  id: number
  uuid: string
  etl_state: UploadState
  data_source: string
  files: { uuid: string; name: string }[]
}

/** An upload that was removed, or from which files were: null for all of it. */
export interface Removed {
  uuid: string
  etl_state: UploadState
  data_source: string
  files: string[] | null
}

/**
 * Removes uploads of the pharmacy in scope that wait to be loaded, or single files of them, by their uuids. The rows are locked, so that
 * the loader either has already taken an upload, which then stays, or never sees it.
 * @throws Refusal not_found, or conflict in another state, without any change
 */
export async function removeItems(tx: Tx, uuids: readonly string[]): Promise<Removed[]> {
  const wanted = new Set(uuids.map((uuid) => uuid.toLowerCase()))
  const { rows } = await sql<Found>`
    select u.id, u.uuid, u.etl_state, u.data_source,
      coalesce((select json_agg(json_build_object('uuid', f.uuid, 'name', f.file_type) order by f.id)
                from upload_file f where f.upload_id = u.id), '[]') as files
    from upload u
    where u.id in (
      select id from upload where uuid = any (${[...wanted]}::uuid[])
      union select upload_id from upload_file where uuid = any (${[...wanted]}::uuid[]))
    order by u.id for update of u`.execute(tx)
  const known = new Set(rows.flatMap(({ uuid, files }) => [uuid, ...files.map((file) => file.uuid)]))
  if ([...wanted].some((uuid) => !known.has(uuid)))
    throw new Refusal('not_found', 'That upload or file was not found. It may have been removed already.')
  const removed = rows.map((row) => whatGoes(row, wanted))
  for (const [at, { files }] of removed.entries()) {
    const { id } = rows[at]!
    if (files === null) await tx.deleteFrom('upload').where('id', '=', id).execute()
    else {
      await tx.deleteFrom('upload_file').where('upload_id', '=', id).where('file_type', 'in', files).execute()
      // Without the file it is no longer what was sent: the same files may come again.
      await sql`update upload set content_hash = null, last_updated = now() where id = ${id}`.execute(tx)
    }
  }
  return removed
}

function whatGoes({ uuid, etl_state, data_source, files }: Found, wanted: ReadonlySet<string>): Removed {
  const problem = removalProblem(etl_state)
  if (problem) throw new Refusal('conflict', `${problem} Nothing was removed.`)
  if (wanted.has(uuid)) return { uuid, etl_state, data_source, files: null }
  const gone = files.filter((file) => wanted.has(file.uuid)).map(({ name }) => name)
  if (gone.length === files.length)
    throw new Refusal(
      'conflict',
      `Without ${listOf(gone)} nothing is left to load. Remove the queue item instead. Nothing was removed.`,
    )
  return { uuid, etl_state, data_source, files: gone }
}

/** Names of the files recorded for an upload of the pharmacy in scope; empty for a deleted upload. */
export async function recordedFiles(tx: Tx, uuid: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select f.file_type as name from upload_file f join upload u on u.id = f.upload_id where u.uuid = ${uuid}`.execute(
    tx,
  )
  return rows.map(({ name }) => name)
}
