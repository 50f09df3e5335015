import { sql } from 'kysely'
import type { Tx } from '../../../../db/database.ts'
import { counted, type Target } from '../load.queries.ts'

/** On how many days of the staged scripts another source has stored ones: the source with most of them; null if none has. */
export async function sharedDays(tx: Tx, target: Target): Promise<{ source: string; days: number } | null> {
  const { rows } = await sql<{ source: string; days: number }>`
    with staged as materialized (select distinct dispensed_on as day from stage_scripts where not faulty and ${counted})
    select source, count(distinct dispensed_on)::int as days from script
    where location_id = ${target.locationId} and source <> ${target.source} and ${counted} and dispensed_on in (select day from staged)
    group by source order by days desc, source limit 1`.execute(tx)
  return rows[0] ?? null
}
