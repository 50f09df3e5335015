import {
  LEASE_SECONDS,
  next,
  retrySeconds,
  type Setback,
  setbackNote,
  statesBefore,
} from '@pillar/domain/upload/upload-state'
import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import type { FileCount, RowFault } from './read/fault.ts'

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

/** Serialises one pharmacy's uploads until the transaction ends. Held during a load, so a missing lock means a dead worker. */
export async function lockPharmacy(tx: Tx, locationId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_SPACE)}, ${locationId}::int)`.execute(tx)
}

const LOCK_SPACE = 7301
const RECEIVE_LOCK_SPACE = 7302

/**
 * Records a received upload as RECEIVED, unless the pharmacy sent the same content before or this uuid exists already.
 * @returns the stored upload and whether it existed before
 * @throws the database's unique violation when the uuid is another pharmacy's
 */
export async function landUpload(
  tx: Tx,
  landed: LandedUpload,
): Promise<{ uuid: string; state: string; repeated: boolean }> {
  await sql`select pg_advisory_xact_lock(${sql.lit(RECEIVE_LOCK_SPACE)}, ${landed.locationId}::int)`.execute(tx)
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
  const values = {
    etl_state: 'RECEIVED',
    data_source: landed.source,
    initial_upload: landed.initial,
    covers_from: landed.coversFrom,
    covers_to: landed.coversTo,
    date_shift_days: landed.shiftDays,
    content_hash: landed.contentHash,
    location_upload_time: sql<string>`now()`,
    last_updated: sql<string>`now()`,
  }
  const upload = await tx
    .insertInto('upload')
    .values({ ...values, uuid: landed.uuid, location_id: landed.locationId })
    .onConflict((conflict) =>
      // A request by support that is answered with files under its own uuid.
      conflict
        .column('uuid')
        .doUpdateSet(values)
        .where('upload.location_id', '=', landed.locationId)
        .where('upload.etl_state', 'in', statesBefore('land')),
    )
    .returning('id')
    .executeTakeFirst()
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

export interface ClaimedUpload {
  id: number
  uuid: string
  locationId: number
  companyId: number
  country: 'AU' | 'GB' | 'US'
  timeZone: string
  source: string
  initial: boolean
  coversFrom: string | null
  coversTo: string | null
  shiftDays: number
  /** Support forces the load: the row-count check is skipped. */
  forced: boolean
  /** The number of this claim; a later claim invalidates it. */
  attempt: number
}

const leaseEnd = sql<string>`now() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})`

/**
 * Claims the oldest waiting upload of a pharmacy: PROCESSING with a lease. Later ones wait, to keep their order.
 * @returns null when none is waiting, the oldest waits after a setback, or another one of the pharmacy is loading
 */
export async function claimUpload(system: Database, locationId: number): Promise<ClaimedUpload | null> {
  const claimed = await sql<{ id: number; forced: boolean }>`
    update upload u set etl_state = 'PROCESSING', lease_until = ${leaseEnd}, attempts = attempts + 1, notes = '',
           etl_start_time = now(), etl_stop_time = null, retry_at = null, last_updated = now(), skip_checks = waiting.forced
    from (
      select id, retry_at, skip_checks or etl_state = 'OVERRIDE' as forced from upload
      where location_id = ${locationId} and etl_state = any(${statesBefore('claim')}::text[])
      order by created_at, id limit 1 for update skip locked
    ) waiting
    where u.id = waiting.id and (waiting.retry_at is null or waiting.retry_at <= now())
      and not exists (select from upload where location_id = ${locationId} and etl_state = 'PROCESSING')
    returning u.id`
    .execute(system)
    .catch((error: NodeJS.ErrnoException) => {
      // Two workers claimed two uploads of the pharmacy at once; the index lets one win.
      if (error.code === '23505') return { rows: [] }
      throw error
    })
  const id = claimed.rows[0]?.id
  if (id === undefined) return null
  const { rows } = await sql<ClaimedUpload>`
    select u.id, u.uuid, u.location_id as "locationId", l.company_id as "companyId", l.country, l.time_zone as "timeZone",
           u.data_source as source, u.initial_upload as initial, u.covers_from as "coversFrom", u.covers_to as "coversTo",
           u.date_shift_days as "shiftDays", u.skip_checks as forced, u.attempts as attempt
    from upload u join location l on l.id = u.location_id where u.id = ${id}`.execute(system)
  return rows[0] ?? null
}

/** Extends the lease of a claim. @returns false when the claim is void */
export async function renewLease(system: Database, claim: ClaimedUpload): Promise<boolean> {
  const done = await sql`
    update upload set lease_until = ${leaseEnd}
    where id = ${claim.id} and attempts = ${claim.attempt} and etl_state = 'PROCESSING'`.execute(system)
  return (done.numAffectedRows ?? 0n) > 0n
}

/** The pharmacy of an upload, or null for an unknown uuid. */
export async function locationOfUpload(system: Database, uuid: string): Promise<number | null> {
  const row = await system.selectFrom('upload').select('location_id').where('uuid', '=', uuid).executeTakeFirst()
  return row?.location_id ?? null
}

/** Whether a waiting upload `w` is the oldest of its pharmacy and not delayed by a setback. */
const isDue = sql<boolean>`(w.retry_at is null or w.retry_at <= now()) and not exists (
  select from upload o where o.location_id = w.location_id and o.etl_state = any(${statesBefore('claim')}::text[])
    and (o.created_at, o.id) < (w.created_at, w.id))`

/** A pharmacy with a due upload and none loading, longest waiting first; null when there is none. */
export async function waitingLocation(system: Database): Promise<number | null> {
  const { rows } = await sql<{ location_id: number }>`
    select w.location_id from upload w
    where w.etl_state = any(${statesBefore('claim')}::text[]) and ${isDue}
      and not exists (select from upload p where p.location_id = w.location_id and p.etl_state = 'PROCESSING')
    order by w.created_at, w.id limit 1`.execute(system)
  return rows[0]?.location_id ?? null
}

/** Whether any upload is waiting or loading. */
export async function uploadsUnderWay(system: Database): Promise<boolean> {
  const { rows } = await sql<{ busy: boolean }>`
    select exists (select from upload where etl_state = any(${[...statesBefore('claim'), 'PROCESSING']}::text[])) as busy`.execute(
    system,
  )
  return rows[0]?.busy ?? false
}

export interface Outcome {
  state: 'COMPLETED' | 'ERROR'
  notes: string
  counts: ReadonlyMap<string, FileCount>
  faults: readonly RowFault[]
}

/**
 * Ends a claim: state, notes, counts and faulty rows. COMPLETED is written in the transaction of the load.
 * @returns false, without any change, when the claim is invalid
 */
export async function finishUpload(tx: Tx, claim: ClaimedUpload, outcome: Outcome): Promise<boolean> {
  const done = await sql`
    update upload set etl_state = ${outcome.state}, notes = ${outcome.notes}, etl_stop_time = clock_timestamp(), last_updated = now(), lease_until = null
    where id = ${claim.id} and attempts = ${claim.attempt} and etl_state = 'PROCESSING'`.execute(tx)
  if ((done.numAffectedRows ?? 0n) === 0n) return false
  await tx.deleteFrom('upload_fault').where('upload_id', '=', claim.id).execute()
  for (const [file, count] of outcome.counts) {
    await tx
      .updateTable('upload_file')
      .set({ row_count: count.rows, loaded: count.loaded, faulty: count.faulty })
      .where('upload_id', '=', claim.id)
      .where('file_type', '=', file)
      .execute()
  }
  if (outcome.faults.length > 0) {
    const rows = outcome.faults.map(({ file, ...fault }) => ({ ...fault, file_type: file }))
    await sql`
      insert into upload_fault (upload_id, location_id, file_type, line, column_name, value, reason)
      select ${claim.id}::bigint, ${claim.locationId}::bigint, f.file_type, f.line, f."column", f.value, f.reason
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as f(file_type text, line int, "column" text, value text, reason text)`.execute(
      tx,
    )
  }
  return true
}

/** Rows per file of the pharmacy's last completed initial upload of a source. */
export async function lastInitialRows(tx: Tx, claim: ClaimedUpload): Promise<Map<string, number>> {
  const { rows } = await sql<{ file: string; rows: number }>`
    select f.file_type as file, f.row_count as rows from upload_file f
    where f.row_count is not null and f.upload_id = (
      select id from upload where location_id = ${claim.locationId} and data_source = ${claim.source}
        and etl_state = 'COMPLETED' and initial_upload order by etl_stop_time desc, id desc limit 1)`.execute(tx)
  return new Map(rows.map((row) => [row.file, row.rows]))
}

/** Files of an upload by name. */
export async function uploadFiles(tx: Tx, uploadId: number): Promise<Map<string, string>> {
  const rows = await tx
    .selectFrom('upload_file')
    .select(['file_type', 'file_path'])
    .where('upload_id', '=', uploadId)
    .execute()
  return new Map(rows.map((row) => [row.file_type, row.file_path]))
}

/** Seconds after a claim before a missing load lock means a dead worker. */
const GRACE_SECONDS = 15

const BACK = next('PROCESSING', 'put_back') ?? 'RECEIVED'

/** The update for a setback; the wait grows with their number. */
const setback = (why: Setback) => {
  const waits = Array.from({ length: LONGEST_WAIT_AT }, (_, before) => retrySeconds(before + 1))
  return sql`etl_state = ${BACK}, lease_until = null, etl_stop_time = clock_timestamp(), last_updated = now(), setbacks = u.setbacks + 1,
    notes = ${setbackNote(why)},
    retry_at = now() + make_interval(secs => (${waits}::int[])[least(u.setbacks + 1, ${sql.lit(LONGEST_WAIT_AT)})])`
}
/** After this many setbacks the wait stays the same. */
const LONGEST_WAIT_AT = 12

/** Returns a claimed upload to the queue unchanged, for a later retry. @returns false, without any change, when the claim is invalid */
export async function putBack(system: Database, claim: ClaimedUpload, why: Setback): Promise<boolean> {
  const done = await sql`
    update upload u set ${setback(why)}
    where u.id = ${claim.id} and u.attempts = ${claim.attempt} and u.etl_state = 'PROCESSING'`.execute(system)
  return (done.numAffectedRows ?? 0n) > 0n
}

/**
 * Takes back claims of dead workers: the lease has run out, or nobody holds the pharmacy's load lock.
 * @returns their uuids and how many setbacks each has had
 */
export async function reclaimLost(system: Database): Promise<{ uuid: string; setbacks: number }[]> {
  return system.transaction().execute(async (tx) => {
    const { rows } = await sql<{ uuid: string; setbacks: number }>`
      update upload u set ${setback('broken_off')}
      where u.id in (
        select id from upload where etl_state = 'PROCESSING' and (
          lease_until < now() or (etl_start_time < now() - make_interval(secs => ${sql.lit(GRACE_SECONDS)})
                                  and pg_try_advisory_xact_lock(${sql.lit(LOCK_SPACE)}, location_id::int)))
        for update skip locked)
      returning u.uuid, u.setbacks`.execute(tx)
    return rows
  })
}

/** Due uploads without a waiting job. */
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
