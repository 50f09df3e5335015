import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { Target } from './load.queries.ts'

/**
 * Deletes the stored scripts that the source says it deleted (staged faulty and reversed, with nothing but their id) and
 * adds them to `touched_line`. One that the same upload also sends stays.
 * @returns scripts deleted
 */
export async function removeScripts(tx: Tx, target: Target): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with gone as (
      delete from script o using (
        select script_id from stage_scripts where faulty and reversed and dispensed_on is null
        except select script_id from stage_scripts where not faulty
      ) s
      where o.location_id = ${target.locationId} and o.source = ${target.source} and o.source_id = s.script_id
      returning o.patient_id, o.prescription_id, o.dispensed_on, o.supply_number, o.days_supply
    ), noted as (insert into touched_line select * from gone returning 1)
    select count(*)::int as removed from noted`.execute(tx)
  return rows[0]?.removed ?? 0
}
