import { CHANNELS } from '@pillar/domain/consent/consent'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { withCompanyScope } from '../../../db/scope.ts'

/**
 * Marks the patients of a pharmacy who share a number or address with others of the company, and those others.
 * @param changed whose contacts may be new, all others being marked rightly until now; the pharmacy's marks that no longer hold are then
 *   removed. Null for all, which adds marks only
 */
export async function markShared(tx: Tx, locationId: number, changed: readonly number[] | null): Promise<void> {
  const { rows } = await sql<{ bitmaps: string }>`select current_setting('enable_bitmapscan') as bitmaps`.execute(tx)
  const whose = changed === null ? sql`` : sql`and patient_id = any(${[...changed]}::bigint[])`
  // Without statistics, as after the first upload, PostgreSQL would read every row of the company for each number.
  await sql`set local enable_bitmapscan = off`.execute(tx)
  await withCompanyScope(tx, async () => {
    for (const channel of CHANNELS) {
      const key = sql.ref(`${channel}_key`)
      const shared = sql.ref(`${channel}_shared`)
      const several = (of: RawBuilder<unknown>) =>
        sql`(select count(*) from (select from patient_fact o where o.${key} = ${of} limit 2) two) > 1`
      // Looks up each number through the index: whatever the planner expects, few of a pharmacy's numbers are shared.
      await sql`
        update patient_fact f set ${shared} = true
        where not f.${shared} and f.${key} = any (array(
          select n.key from (
            select distinct ${key} as key from patient_fact where location_id = ${locationId} and ${key} is not null ${whose}
          ) n where ${several(sql`n.key`)}))`.execute(tx)
      if (changed === null) continue
      await sql`
        update patient_fact f set ${shared} = false
        where f.location_id = ${locationId} and f.${shared} and not ${several(sql`f.${key}`)}`.execute(tx)
    }
  })
  await sql`select set_config('enable_bitmapscan', ${rows[0]?.bitmaps}, true)`.execute(tx)
}
