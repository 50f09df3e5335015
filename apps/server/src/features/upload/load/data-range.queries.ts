import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { ClaimedUpload } from '../claim.queries.ts'
import { storedRange } from './script.queries.ts'

/**
 * Records the pharmacy's data range: up to the stated end of the upload (not after today), the newest
 * stored script, or the previous end, whichever is latest. An initial upload starts over.
 * @returns the last day of its data, ISO
 */
export async function recordLoad(tx: Tx, claim: ClaimedUpload, today: string): Promise<{ dataTo: string }> {
  const range = await storedRange(tx, claim.locationId)
  const stated = claim.coversTo !== null && claim.coversTo > today ? today : claim.coversTo
  const { rows } = await sql<{ data_to: string }>`
    update location set data_source = coalesce(data_source, ${claim.source}), last_upload_at = now(),
      data_from = ${range?.from ?? null}::date,
      data_to = coalesce(greatest(${range?.to ?? null}::date, ${stated}::date, ${claim.initial ? null : sql`data_to`}), ${today}::date)
    where id = ${claim.locationId} returning data_to`.execute(tx)
  if (!rows[0]) throw new Error('The pharmacy of the upload is not in scope.')
  return { dataTo: rows[0].data_to }
}
