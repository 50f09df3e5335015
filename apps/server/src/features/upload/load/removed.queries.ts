import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { Target } from './load.queries.ts'

/**
 * Whether a staged script is a removal: of what its source deleted or took back, only the id and a version are known. Where
 * it is deferred too, it comes from a list of deletions, else from a line among the scripts.
 */
const REMOVAL = sql`faulty and reversed and dispensed_on is null`

/**
 * Of a script and its removal in one upload keeps the newer by version; without two versions the later line, and before a
 * list of deletions the script. A removal that is older than the version stored goes.
 */
export async function settleRemovals(tx: Tx, target: Target): Promise<void> {
  await sql`
    delete from stage_scripts s using (select script_id, version, line, deferred as listed from stage_scripts where ${REMOVAL}) r
    where not s.faulty and s.script_id = r.script_id
      and (s.version < r.version or (s.version < r.version) is null and r.listed is null and s.line < r.line)`.execute(
    tx,
  )
  await sql`
    delete from stage_scripts using resource_version v
    where ${REMOVAL} and v.location_id = ${target.locationId} and v.source = ${target.source} and v.upload_set = 'scripts'
      and v.source_id = script_id and v.version > stage_scripts.version`.execute(tx)
}

/**
 * Deletes the stored scripts that a removal names and adds them to `touched_line`.
 * @returns scripts deleted
 */
export async function removeScripts(tx: Tx, target: Target): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with s as materialized (
      select script_id from stage_scripts where ${REMOVAL} except select script_id from stage_scripts where not faulty
    ), gone as (
      delete from script o using s
      where o.location_id = ${target.locationId} and o.source = ${target.source} and o.source_id = s.script_id
      returning o.patient_id, o.prescription_id, o.dispensed_on, o.supply_number, o.days_supply
    ), noted as (insert into touched_line select * from gone returning 1)
    select count(*)::int as removed from noted`.execute(tx)
  return rows[0]?.removed ?? 0
}

/** Stores when scripts were removed, so that an older version that arrives later does not bring them back. */
export async function keepRemovals(tx: Tx, target: Target): Promise<void> {
  await sql`
    insert into resource_version as r (location_id, source, upload_set, source_id, version)
    select ${target.locationId}::bigint, ${target.source}::text, 'scripts', script_id, max(version)
    from stage_scripts where ${REMOVAL} and version is not null group by script_id
    on conflict (location_id, source, upload_set, source_id) do update set version = excluded.version
    where r.version < excluded.version`.execute(tx)
}
