import type { UploadSet } from '@pillar/domain/upload/upload-format'
import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { Target } from './load.queries.ts'
import { isRemovable, isVersion, keepRemovals, settleRemovals } from './removed.queries.ts'
import { idColumn, stageTable } from './stage.ts'

/** The staged rows of a set, and the id of each. */
function stageOf(set: UploadSet) {
  return { table: sql.table(stageTable(set)), id: sql.ref(idColumn(set)) }
}

/**
 * Leaves out staged rows that are older than another staged or stored version of the same id.
 * @returns how many
 */
export async function settleVersions(tx: Tx, target: Target, set: UploadSet): Promise<number> {
  const older = (await dropOlder(tx, set)) + (await leaveNewer(tx, target, set))
  if (isRemovable(set)) await settleRemovals(tx, target, set)
  return older
}

/**
 * Keeps, for each id, the staged rows and removals of its newest version; one without a version is older than any with one.
 * @returns how many rows were left out
 */
async function dropOlder(tx: Tx, set: UploadSet): Promise<number> {
  const { table, id } = stageOf(set)
  const done = await sql`
    delete from ${table} s using (
      select ${id} as id, max(version) as latest from ${table}
      where ${isVersion(set)} group by 1 having count(*) > 1 and max(version) is not null
    ) newest
    where s.${id} = newest.id and ${isVersion(set)} and (s.version is null or s.version < newest.latest)`.execute(tx)
  return Number(done.numAffectedRows ?? 0)
}

/**
 * Sets aside staged rows older than their stored version, as though they were faulty: an initial upload must not delete what they name. A
 * row without a version is as new as its upload.
 */
async function leaveNewer(tx: Tx, target: Target, set: UploadSet): Promise<number> {
  const { table, id } = stageOf(set)
  const done = await sql`
    update ${table} s set faulty = true from resource_version v
    where v.location_id = ${target.locationId} and v.source = ${target.source} and v.upload_set = ${set}
      and v.source_id = s.${id} and not s.faulty and v.version > s.version`.execute(tx)
  return Number(done.numAffectedRows ?? 0)
}

/** Stores the versions of the staged rows that were merged. */
export async function keepVersions(tx: Tx, target: Target, set: UploadSet): Promise<void> {
  const { table, id } = stageOf(set)
  await sql`
    insert into resource_version as r (location_id, source, upload_set, source_id, version)
    select ${target.locationId}::bigint, ${target.source}::text, ${set}::text, ${id}, version
    from ${table} where not faulty and version is not null
    on conflict (location_id, source, upload_set, source_id) do update set version = excluded.version
    where r.version < excluded.version`.execute(tx)
  if (isRemovable(set)) await keepRemovals(tx, target, set)
}
