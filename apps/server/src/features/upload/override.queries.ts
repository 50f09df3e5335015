import { Refusal } from '@pillar/contract'
import { overrideProblem, statesBefore, type UploadState } from '@pillar/domain/upload/upload-state'
import { sql } from 'kysely'
import { recordAudit } from '../../api/audit.ts'
import type { Database, Tx } from '../../db/database.ts'
import { isTaken } from '../../db/taken.ts'

export interface Override {
  uuid: string
  /** Who requests it; stored in the company's log. */
  by: string
  /** Why; stored in the company's log. */
  reason: string
}

interface Forced {
  pharmacy: string
  locationId: number
  companyId: number
  /** The state it was in. */
  was: UploadState
  /** Uploads loaded since: rows they changed return to this upload's values. */
  later: number
}

/**
 * Forces a waiting or failed upload: OVERRIDE, due at once, loaded without the checks that compare it with what is stored. The caller writes the log.
 * @throws Refusal not_found or conflict, without any change
 */
export async function forceUpload(tx: Tx, uuid: string): Promise<Forced> {
  const { rows } = await sql<Forced & { id: number }>`
    select u.id, u.etl_state as was, u.location_id as "locationId", l.company_id as "companyId", l.name as pharmacy,
      (select count(*)::int from upload o where o.location_id = u.location_id and o.etl_state = 'COMPLETED'
         and (o.created_at, o.id) > (u.created_at, u.id)) as later
    from upload u join location l on l.id = u.location_id where u.uuid::text = ${uuid.toLowerCase()} for update of u`.execute(
    tx,
  )
  const found = rows[0]
  if (!found) throw new Refusal('not_found', `There is no upload ${uuid}.`)
  const problem = overrideProblem(found.was)
  if (problem) throw new Refusal('conflict', problem)
  await sql`
    update upload set etl_state = 'OVERRIDE', retry_at = null, setbacks = 0, lease_until = null, last_updated = now()
    where id = ${found.id} and etl_state = any(${statesBefore('override')}::text[])`
    .execute(tx)
    .catch((error: unknown) => {
      if (!isTaken(error)) throw error
      throw new Refusal('conflict', 'The same files were sent again since. That upload stands for this one.')
    })
  return found
}

/** The same on the command line, with a row in the log of the pharmacy's company, in the same transaction. */
export async function overrideUpload(
  tx: Tx,
  { uuid, by, reason }: Override,
): Promise<{ pharmacy: string; later: number }> {
  const { companyId, locationId, was, pharmacy, later } = await forceUpload(tx, uuid)
  const caller = { companyId, loginId: null, sessionId: null }
  const detail = { by, reason, was, location: locationId }
  await recordAudit(tx, { caller, action: 'etl.override', object: uuid.toLowerCase(), detail })
  return { pharmacy, later }
}

export interface OpenUpload {
  uuid: string
  state: UploadState
  notes: string
  pharmacy: string
  company: string
}

/** Uploads that can be forced, newest first: waiting ones, and those that failed since `since`. */
export async function overridableUploads(system: Database, since: Date): Promise<OpenUpload[]> {
  const { rows } = await sql<OpenUpload>`
    select u.uuid, u.etl_state as state, u.notes, l.name as pharmacy, c.name as company
    from upload u join location l on l.id = u.location_id join company c on c.id = l.company_id
    where u.etl_state = any(${statesBefore('override')}::text[]) and (u.etl_state <> 'ERROR' or u.etl_stop_time >= ${since})
    order by u.created_at desc, u.id desc limit 200`.execute(system)
  return rows
}

/** State and note of an upload; null for an unknown one. */
export async function endOfUpload(
  system: Database,
  uuid: string,
): Promise<{ state: UploadState; notes: string } | null> {
  const { rows } = await sql<{ state: UploadState; notes: string }>`
    select etl_state as state, notes from upload where uuid::text = ${uuid.toLowerCase()}`.execute(system)
  return rows[0] ?? null
}
