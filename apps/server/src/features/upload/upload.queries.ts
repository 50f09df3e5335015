import { statesBefore } from '@pillar/domain/upload/upload-state'
import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import { traceparent } from '../../gateways/telemetry/trace.ts'

/** A received file. */
export interface LandedFile {
  name: string
  path: string
  bytes: number
  sha256: Buffer
}

export interface LandedUpload {
  uuid: string
  locationId: number
  source: string
  initial: boolean
  coversFrom: string | null
  coversTo: string | null
  shiftDays: number
  contentHash: Buffer
  files: readonly LandedFile[]
}

const RECEIVE_LOCK_SPACE = 7302

/**
 * The time of an upload that arrives now, after all earlier ones of the pharmacy: uploads are loaded in this order, also after a database's
 * clock that was ahead has been set back.
 */
export const arrivesNow = (locationId: number) => sql<string>`(
  select greatest(now(), max(created_at) + interval '1 microsecond') from upload where location_id = ${locationId})`

/**
 * Records a received upload as RECEIVED, unless this uuid exists already or the pharmacy sent the same content before and nothing else
 * since; after something else it is a correction that undoes the earlier one, and is loaded again.
 * @returns the stored upload and whether it existed before
 * @throws the database's unique violation if the uuid is another pharmacy's
 */
export async function landUpload(
  tx: Tx,
  landed: LandedUpload,
): Promise<{ uuid: string; state: string; repeated: boolean }> {
  await sql`select pg_advisory_xact_lock(${sql.lit(RECEIVE_LOCK_SPACE)}, ${landed.locationId}::int)`.execute(tx)
  await forgetOvertaken(tx, landed)
  const known = await tx
    .selectFrom('upload')
    .select(['uuid', 'etl_state'])
    .where('location_id', '=', landed.locationId)
    .where((where) =>
      where.or([
        where.and([where('uuid', '=', landed.uuid), where('etl_state', 'not in', statesBefore('land'))]),
        where.and([where('content_hash', '=', landed.contentHash), where('etl_state', '<>', 'ERROR')]),
      ]),
    )
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (known) return { uuid: known.uuid, state: known.etl_state, repeated: true }
  const upload = await insertUpload(tx, landed)
  if (!upload) throw Object.assign(new Error('This upload uuid is taken.'), { code: '23505' })
  await tx
    .insertInto('upload_file')
    .values(
      landed.files.map((file) => ({
        upload_id: upload.id,
        location_id: landed.locationId,
        file_type: file.name,
        file_path: file.path,
        bytes: file.bytes,
        sha256: file.sha256,
      })),
    )
    .execute()
  return { uuid: landed.uuid, state: 'RECEIVED', repeated: false }
}

/** The row of a received upload: a new one, or that of support's request; undefined if another pharmacy has the uuid. */
async function insertUpload(tx: Tx, landed: LandedUpload): Promise<{ id: number } | undefined> {
  const values = {
    etl_state: 'RECEIVED',
    data_source: landed.source,
    initial_upload: landed.initial,
    covers_from: landed.coversFrom,
    covers_to: landed.coversTo,
    date_shift_days: landed.shiftDays,
    content_hash: landed.contentHash,
    location_upload_time: sql<string>`now()`,
    // A request joins the queue when it is answered: uploads are loaded in the order in which their files arrived.
    created_at: arrivesNow(landed.locationId),
    notes: '',
    last_updated: sql<string>`now()`,
    trace: traceparent(),
  }
  const made = await tx
    .insertInto('upload')
    .values({ ...values, uuid: landed.uuid, location_id: landed.locationId })
    .onConflict((conflict) => conflict.column('uuid').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made) return made
  // Files under the uuid of support's request answer it. Another pharmacy's upload is not visible here: nothing is updated.
  return tx
    .updateTable('upload')
    .set(values)
    .where('location_id', '=', landed.locationId)
    .where('uuid', '=', landed.uuid)
    .where('etl_state', 'in', statesBefore('land'))
    .returning('id')
    .executeTakeFirst()
}

/**
 * Earlier uploads of the same content no longer count as a repeat once another upload has followed them; if support requested the upload,
 * none does, and it is loaded whatever was sent before.
 */
async function forgetOvertaken(tx: Tx, { locationId, uuid, contentHash }: LandedUpload): Promise<void> {
  await sql`
    update upload u set content_hash = null
    where location_id = ${locationId} and content_hash = ${contentHash} and uuid <> ${uuid} and etl_state <> 'ERROR'
      and (exists (select from upload n where n.location_id = ${locationId} and (n.created_at, n.id) > (u.created_at, u.id)
                   and n.etl_state in ('RECEIVED', 'OVERRIDE', 'PROCESSING', 'COMPLETED'))
        or exists (select from upload r where r.location_id = ${locationId} and r.uuid = ${uuid}
                   and r.etl_state = any (${statesBefore('land')}::text[])))`.execute(tx)
}

/** The pharmacy of an upload, or null for an unknown uuid. */
export async function locationOfUpload(system: Database, uuid: string): Promise<number | null> {
  const row = await system.selectFrom('upload').select('location_id').where('uuid', '=', uuid).executeTakeFirst()
  return row?.location_id ?? null
}

/** Files of an upload by name: where each is stored, and its length when it was received. */
export async function uploadFiles(tx: Tx, uploadId: number): Promise<Map<string, { path: string; bytes: number }>> {
  const rows = await tx
    .selectFrom('upload_file')
    .select(['file_type', 'file_path', 'bytes'])
    .where('upload_id', '=', uploadId)
    .execute()
  return new Map(rows.map((row) => [row.file_type, { path: row.file_path, bytes: Number(row.bytes) }]))
}

/**
 * Status of an upload with files on disk: 'ended' before `before` (COMPLETED or ERROR; the row stays locked, so that nobody restarts
 * it), 'needed', or 'unknown' when no such upload was recorded.
 */
export async function lockIfEnded(
  tx: Tx,
  { locationId, uuid, before }: { locationId: number; uuid: string; before: Date },
): Promise<'ended' | 'needed' | 'unknown'> {
  const { rows } = await sql<{ ended: boolean }>`
    select etl_state in ('COMPLETED', 'ERROR') and greatest(etl_stop_time, last_updated) < ${before} as ended
    from upload where location_id = ${locationId} and uuid::text = ${uuid} for update`.execute(tx)
  if (!rows[0]) return 'unknown'
  return rows[0].ended ? 'ended' : 'needed'
}
