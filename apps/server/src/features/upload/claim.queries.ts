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
import { isTaken } from '../../db/taken.ts'
import type { FileCount, Findings, RowFault } from './read/fault.ts'
import { mayRetry } from './waiting.queries.ts'

/** Advisory lock namespace for loading a pharmacy's uploads. */
export const LOAD_SPACE = 7301

/** Serialises work on one pharmacy's uploads until the transaction ends. Held during a load, so its absence shows a dead worker. */
export async function lockPharmacy(tx: Tx, locationId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(LOAD_SPACE)}, ${locationId}::int)`.execute(tx)
}

/**
 * The same lock for a load, which otherwise waits without limit. Requests hold it only briefly; a stopped worker, or one whose machine
 * vanished, may hold it for long, and must not keep a loader from the other pharmacies. @throws the database's error 55P03 if so
 */
export async function lockForLoad(tx: Tx, locationId: number): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(LOAD_LOCK_WAIT)}`.execute(tx)
  await lockPharmacy(tx, locationId)
  await sql`set local lock_timeout = 0`.execute(tx)
}

const LOAD_LOCK_WAIT = '10s'

/** Whether the pharmacy still belongs to the company of the scope. */
export async function isInScope(tx: Tx, locationId: number): Promise<boolean> {
  const found = await tx.selectFrom('location').select('id').where('id', '=', locationId).executeTakeFirst()
  return found !== undefined
}

export interface ClaimedUpload {
  id: number
  uuid: string
  locationId: number
  companyId: number
  country: 'AU' | 'GB' | 'US'
  timeZone: string
  /** Its earlier zones. */
  earlierZones: string[]
  source: string
  initial: boolean
  coversFrom: string | null
  coversTo: string | null
  shiftDays: number
  /** Support forces the load: the row-count check is skipped. */
  forced: boolean
  /** Which claim of this upload this is; a later claim makes this one void. */
  attempt: number
  /** Where it was sent from, for its trace. */
  trace: string | null
}

const leaseEnd = sql<string>`now() + make_interval(secs => ${sql.lit(LEASE_SECONDS)})`

/**
 * Claims the oldest waiting upload of a pharmacy: PROCESSING with a lease. Later ones wait behind it, because loading them first would let
 * its older rows overwrite theirs.
 * @returns null if none waits, the oldest waits for its time after a setback, or another of the pharmacy is being processed
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
    where u.id = waiting.id and ${mayRetry(sql`waiting.retry_at`)}
      and not exists (select from upload where location_id = ${locationId} and etl_state = 'PROCESSING')
    returning u.id`
    .execute(system)
    .catch((error: unknown) => {
      // Two workers claimed two uploads of the pharmacy at once; the index lets one win.
      if (isTaken(error)) return { rows: [] }
      throw error
    })
  const id = claimed.rows[0]?.id
  if (id === undefined) return null
  const { rows } = await sql<ClaimedUpload>`
    select u.id, u.uuid, u.location_id as "locationId", l.company_id as "companyId", l.country, l.time_zone as "timeZone", l.earlier_zones as "earlierZones",
           u.data_source as source, u.initial_upload as initial, u.covers_from as "coversFrom", u.covers_to as "coversTo",
           u.date_shift_days as "shiftDays", u.skip_checks as forced, u.attempts as attempt, u.trace
    from upload u join location l on l.id = u.location_id where u.id = ${id}`.execute(system)
  return rows[0] ?? null
}

/** Extends the lease of a claim. @returns false if the claim is void */
export async function renewLease(system: Database, claim: ClaimedUpload): Promise<boolean> {
  const done = await sql`
    update upload set lease_until = ${leaseEnd}
    where id = ${claim.id} and attempts = ${claim.attempt} and etl_state = 'PROCESSING'`.execute(system)
  return (done.numAffectedRows ?? 0n) > 0n
}

export interface Outcome {
  state: 'COMPLETED' | 'ERROR'
  notes: string
  counts: ReadonlyMap<string, FileCount>
  faults: readonly RowFault[]
  span?: Findings['span']
}

/**
 * Ends a claim: state, notes, counts and faulty rows. For COMPLETED, in the transaction of the load itself.
 * @returns false, having changed nothing, if the claim is void
 */
export async function finishUpload(tx: Tx, claim: ClaimedUpload, outcome: Outcome): Promise<boolean> {
  const done = await sql`
    update upload set etl_state = ${outcome.state}, notes = ${outcome.notes}, etl_stop_time = clock_timestamp(), last_updated = now(), lease_until = null,
      patients = ${outcome.span?.patients ?? null}, first_day = ${outcome.span?.from ?? null}::date, last_day = ${outcome.span?.to ?? null}::date
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

/** Seconds after a claim before a missing load lock is taken for a dead worker. */
const GRACE_SECONDS = 15

const BACK = next('PROCESSING', 'put_back') ?? 'RECEIVED'

/** The values a setback writes; the wait grows with the number of earlier setbacks. */
const setback = (why: Setback) => {
  const waits = Array.from({ length: LONGEST_WAIT_AT }, (_, before) => retrySeconds(before + 1))
  return sql`etl_state = ${BACK}, lease_until = null, etl_stop_time = clock_timestamp(), last_updated = now(), setbacks = u.setbacks + 1,
    notes = ${setbackNote(why)},
    retry_at = now() + make_interval(secs => (${waits}::int[])[least(u.setbacks + 1, ${sql.lit(LONGEST_WAIT_AT)})])`
}
/** From this many setbacks on the wait no longer grows. */
const LONGEST_WAIT_AT = 12

/** Returns a claimed upload to the queue, unchanged, for a later time. @returns false, having changed nothing, if the claim is void */
export async function putBack(system: Database, claim: ClaimedUpload, why: Setback): Promise<boolean> {
  const done = await sql`
    update upload u set ${setback(why)}
    where u.id = ${claim.id} and u.attempts = ${claim.attempt} and u.etl_state = 'PROCESSING'`.execute(system)
  return (done.numAffectedRows ?? 0n) > 0n
}

/** Longer than any lease, also after a while without a renewal: written while the database's clock was wrong, before it was set back. */
const WRONG_SECONDS = 2 * LEASE_SECONDS

/**
 * Takes back claims whose worker is gone: the lease ran out, or nobody holds the pharmacy's load lock any more.
 * @returns their uuids and how many setbacks each has had
 */
export async function reclaimLost(system: Database): Promise<{ uuid: string; setbacks: number }[]> {
  return system.transaction().execute(async (tx) => {
    const { rows } = await sql<{ uuid: string; setbacks: number }>`
      update upload u set ${setback('broken_off')}
      where u.id in (
        select id from upload where etl_state = 'PROCESSING' and (
          lease_until < now() or (
            (etl_start_time < now() - make_interval(secs => ${sql.lit(GRACE_SECONDS)})
              or lease_until > now() + make_interval(secs => ${sql.lit(WRONG_SECONDS)}))
            and pg_try_advisory_xact_lock(${sql.lit(LOAD_SPACE)}, location_id::int)))
        for update skip locked)
      returning u.uuid, u.setbacks`.execute(tx)
    return rows
  })
}
