import { formatDay } from '@pillar/domain/time/day'
import type { Span } from '@pillar/domain/time/period'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { CurrentLists } from './list.queries.ts'

/** Raise it when the same scripts give other sums: those of an earlier version are then counted again with the next upload. */
export const RULES = 1

/** What sums are counted from: their days, and the lists in force. */
export interface SumsOf {
  base: Span
  lists: CurrentLists
}

/** Whether a pharmacy `l` has data for all of these days. */
export const coversAll = ({ from, to }: Span) =>
  sql<boolean>`coalesce(l.data_from <= ${formatDay(from)}::date and l.data_to >= ${formatDay(to)}::date, false)`

/**
 * During an upload, before its time is recorded: sums that were true until now remain true if no script of their days changed.
 * @param changedFrom the earliest day of the scripts that were added, changed or deleted, ISO; null if there are none
 */
export async function keepSums(tx: Tx, locationId: number, changedFrom: string | null): Promise<void> {
  await sql`
    update sixty_day_base b set upload_at = now() from location l
    where b.location_id = ${locationId} and l.id = b.location_id and b.upload_at = l.last_upload_at
      and (${changedFrom}::date is null or b.to_day < ${changedFrom}::date)`.execute(tx)
}

/** Whether counting a pharmacy's sums again would give the same; if so, they are recorded as counted now. */
export async function stillTrue(tx: Tx, locationId: number, { base, lists }: SumsOf, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update sixty_day_base b set computed_at = ${now} from location l
    where b.location_id = ${locationId} and l.id = b.location_id and b.upload_at = l.last_upload_at and b.rules = ${sql.lit(RULES)}
      and b.from_day = ${formatDay(base.from)}::date and b.to_day = ${formatDay(base.to)}::date and b.complete = ${coversAll(base)}
      and b.items_list = ${lists.ids.items} and b.shortages_list = ${lists.ids.shortages}`.execute(tx)
  return Number(numAffectedRows ?? 0) > 0
}

/** The time of a pharmacy's last upload, as text to the microsecond. Read it before the scripts: an upload that ends later is not in them. */
export async function lastUploadAt(tx: Tx, locationId: number): Promise<string | null> {
  const { rows } = await sql<{ at: string | null }>`
    select last_upload_at::text as at from location where id = ${locationId}`.execute(tx)
  return rows[0]?.at ?? null
}
