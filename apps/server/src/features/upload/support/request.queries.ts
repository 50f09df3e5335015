import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../../api/uuid.ts'
import type { Database, Tx } from '../../../db/database.ts'
import { isoTime } from '../../company/company-admin.queries.ts'
import { arrivesNow } from '../upload.queries.ts'

export interface UploadRequest {
  locationId: number
  source: string
  initial: boolean
  /** ISO instants. */
  from: string | null
  to: string | null
  /** The login that makes the request. */
  by: number
  at: Date
}

const REQUEST_LOCK_SPACE = 7303

/**
 * Requests an upload from a pharmacy, unless the same request is waiting already: REQUESTED.
 * @returns its uuid; null if an equal request waits
 */
export async function addRequest(tx: Tx, request: UploadRequest): Promise<string | null> {
  const { locationId, source, initial, from, to, by, at } = request
  await sql`select pg_advisory_xact_lock(${sql.lit(REQUEST_LOCK_SPACE)}, ${locationId}::int)`.execute(tx)
  const { rows } = await sql<{ uuid: string }>`
    insert into upload (uuid, location_id, etl_state, data_source, initial_upload, support_initiated, requested_at, requested_by,
      requested_from, requested_to, created_at)
    select ${uuidv7()}::uuid, ${locationId}::bigint, 'REQUESTED', ${source}::text, ${initial}::boolean, true, ${at}::timestamptz, ${by}::bigint,
      ${from}::timestamptz, ${to}::timestamptz, ${arrivesNow(locationId)}
    where not exists (
      select from upload where location_id = ${locationId} and etl_state = 'REQUESTED' and data_source = ${source}
        and initial_upload = ${initial} and requested_from is not distinct from ${from}::timestamptz
        and requested_to is not distinct from ${to}::timestamptz)
    returning uuid`.execute(tx)
  return rows[0]?.uuid ?? null
}

export interface OpenRequest {
  uuid: string
  data_source: string
  initial_upload: boolean
  from: string | null
  to: string | null
  requested_at: string
}

/** Requests to the pharmacies in scope, oldest first: open ones, and those given up that no upload has followed. Late files are still welcome. */
export async function openRequests(tx: Tx): Promise<OpenRequest[]> {
  const { rows } = await sql<OpenRequest>`
    select u.uuid, u.data_source, u.initial_upload, ${isoTime(sql`u.requested_from`)} as from, ${isoTime(sql`u.requested_to`)} as to,
      ${isoTime(sql`coalesce(u.requested_at, u.created_at)`)} as requested_at
    from upload u
    where u.etl_state = 'REQUESTED' or u.etl_state = 'NOT RECEIVED' and u.support_initiated and not exists (
      select from upload n where n.location_id = u.location_id and (n.created_at, n.id) > (u.created_at, u.id))
    order by u.created_at, u.id limit 100`.execute(tx)
  return rows
}

/** Gives up requests made before `before` whose files have not arrived: NOT RECEIVED. @returns their uuids */
export async function giveUpRequests(system: Database, before: Date, hours: number): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    update upload set etl_state = 'NOT RECEIVED', last_updated = now(), notes = ${`Nothing arrived within ${hours} hours of the request.`}
    where etl_state = 'REQUESTED' and coalesce(requested_at, created_at) < ${before}
    returning uuid`.execute(system)
  return rows.map(({ uuid }) => uuid)
}
