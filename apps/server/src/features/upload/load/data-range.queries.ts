import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { ClaimedUpload } from '../claim.queries.ts'
import { storedRange } from './script.queries.ts'

/**
 * Records the pharmacy's data range: from its first stored script to the newest one, or to the last day its uploads stated (no later than
 * the day each was loaded), whichever is later. An initial upload of the whole record discards earlier stated days; one of a range (`from`)
 * does not. Without a script or a stated day, the range ends today.
 * @returns the first stored script's day, null without scripts, and the last day of its data, ISO
 */
export async function recordLoad(
  tx: Tx,
  claim: ClaimedUpload,
  today: string,
): Promise<{ dataFrom: string | null; dataTo: string }> {
  const range = await storedRange(tx, claim.locationId)
  const given = claim.coversTo !== null && claim.coversTo > today ? today : claim.coversTo
  const whole = claim.initial && claim.coversFrom === null
  const stated = sql`greatest(${given}::date, ${whole ? null : sql`stated_to`})`
  const { rows } = await sql<{ data_to: string }>`
    update location set data_source = coalesce(data_source, ${claim.source}), last_upload_at = now(),
      data_from = ${range?.from ?? null}::date, stated_to = ${stated},
      data_to = coalesce(greatest(${range?.to ?? null}::date, ${stated}), ${today}::date)
    where id = ${claim.locationId} returning data_to`.execute(tx)
  if (!rows[0]) throw new Error('The pharmacy of the upload is not in scope.')
  return { dataFrom: range?.from ?? null, dataTo: rows[0].data_to }
}
