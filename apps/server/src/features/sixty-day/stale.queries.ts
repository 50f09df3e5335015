import { formatDay } from '@pillar/domain/time/day'
import type { Span } from '@pillar/domain/time/period'
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { CurrentLists } from './list.queries.ts'

/** Australian pharmacies whose sums are missing, or cover other days or lists. */
export async function readStale(
  system: Database,
  base: Span,
  { items, shortages }: CurrentLists['ids'],
): Promise<{ location_id: number; company_id: number }[]> {
  const { rows } = await sql<{ location_id: number; company_id: number }>`
    select location_id::int as location_id, company_id::int as company_id
    from sixty_day_stale(${formatDay(base.from)}::date, ${formatDay(base.to)}::date, ${items}, ${shortages})`.execute(
    system,
  )
  return rows
}
