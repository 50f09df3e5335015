import { day as dayOf } from '@pillar/domain/time/day'
import type { CoveredDays } from '@pillar/domain/upload/upload-state'
import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { ClaimedUpload } from '../claim.queries.ts'

/**
 * The pharmacy's last completed initial upload from a source, in the order of uploads: its days and the rows of each file; null if there is
 * none. Times of a database's clock that was ahead decide nothing.
 */
export async function lastInitial(
  tx: Tx,
  claim: ClaimedUpload,
): Promise<{ days: CoveredDays; rows: Map<string, number> } | null> {
  const { rows } = await sql<{ from: string | null; to: string; file: string | null; rows: number | null }>`
    select u.covers_from::text as from, coalesce(u.covers_to, (least(u.etl_stop_time, now()) at time zone ${claim.timeZone})::date)::text as to,
           f.file_type as file, f.row_count as rows
    from (
      select * from upload where location_id = ${claim.locationId} and data_source = ${claim.source}
        and etl_state = 'COMPLETED' and initial_upload order by created_at desc, id desc limit 1
    ) u left join upload_file f on f.upload_id = u.id and f.row_count is not null`.execute(tx)
  const last = rows[0]
  if (!last) return null
  const days = { from: last.from === null ? null : dayOf(last.from), to: dayOf(last.to) }
  return { days, rows: new Map(rows.flatMap(({ file, rows }) => (file === null ? [] : [[file, rows ?? 0]]))) }
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
