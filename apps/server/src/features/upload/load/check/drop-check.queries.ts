import { day as dayOf } from '@pillar/domain/time/day'
import type { CoveredDays } from '@pillar/domain/upload/upload-state'
import { sql } from 'kysely'
import type { Tx } from '../../../../db/database.ts'
import type { ClaimedUpload } from '../../claim.queries.ts'

/** A file of an earlier initial upload: the days that upload covered, and the file's rows. */
interface EarlierFile {
  days: CoveredDays
  rows: number
}

/**
 * By name, each file of the pharmacy's completed initial uploads from a source, as the last upload that had it sent it, in the order of
 * uploads. Times of a database's clock that was ahead decide nothing.
 */
export async function lastInitialFiles(tx: Tx, claim: ClaimedUpload): Promise<Map<string, EarlierFile>> {
  const { rows } = await sql<{ from: string | null; to: string; file: string; rows: number }>`
    select distinct on (f.file_type) u.covers_from::text as from, f.file_type as file, f.row_count as rows,
           coalesce(u.covers_to, (least(u.etl_stop_time, now()) at time zone ${claim.timeZone})::date)::text as to
    from upload u join upload_file f on f.upload_id = u.id and f.row_count is not null
    where u.location_id = ${claim.locationId} and u.data_source = ${claim.source} and u.etl_state = 'COMPLETED' and u.initial_upload
    order by f.file_type, u.created_at desc, u.id desc`.execute(tx)
  return new Map(
    rows.map(({ from, to, file, rows }) => [
      file,
      { days: { from: from === null ? null : dayOf(from), to: dayOf(to) }, rows },
    ]),
  )
}

/** The days whose scripts an initial upload replaces, ISO, with the number of scripts it holds and of those stored for the days. */
export interface Replacing {
  from: string
  to: string
  sent: number
  stored: number
}

/** What the staged scripts of an initial upload would replace; null if no day is known. Faulty rows count as sent: they delete nothing. */
export async function replacingScripts(tx: Tx, claim: ClaimedUpload): Promise<Replacing | null> {
  const { rows } = await sql<Replacing>`
    with span as materialized (
      select coalesce(${claim.coversFrom}::date, min(dispensed_on)) as low, coalesce(${claim.coversTo}::date, max(dispensed_on)) as high
      from stage_scripts where not faulty
    ), sent as materialized (
      select count(*)::int as sent from stage_scripts, span where faulty or dispensed_on between low and high
    ), stored as materialized (
      select count(*)::int as stored from script, span where location_id = ${claim.locationId} and source = ${claim.source}
        and dispensed_on between low and high
    )
    select low::text as from, high::text as to, sent, stored from span, sent, stored where low is not null and high is not null`.execute(
    tx,
  )
  return rows[0] ?? null
}
