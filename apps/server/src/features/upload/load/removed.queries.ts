import type { UploadSet } from '@pillar/domain/upload/upload-format'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { Target } from './load.queries.ts'
import { idColumn, stageTable } from './stage.ts'

/** The sets in which a source can take back a row. */
export type RemovableSet = 'scripts' | 'prescriptions'

/** Whether rows of a set can be taken back. */
export const isRemovable = (set: UploadSet): set is RemovableSet => set === 'scripts' || set === 'prescriptions'

/**
 * Whether a staged row is a removal: for something its source deleted or took back, only the id and a version are known. A script's removal
 * that is also deferred comes from a list of deletions, any other from a line among the scripts.
 */
const REMOVAL: Readonly<Record<RemovableSet, RawBuilder<boolean>>> = {
  scripts: sql`(faulty and reversed and dispensed_on is null)`,
  prescriptions: sql`(faulty and removed)`,
}

/** Whether a removal comes from a list of deletions. */
const LISTED: Readonly<Record<RemovableSet, RawBuilder<boolean>>> = {
  scripts: sql`coalesce(deferred, false)`,
  prescriptions: sql`false`,
}

/**
 * Whether a staged row takes part in the order of versions: it can be used, or removes; an entry of a list of deletions without a version
 * does not.
 */
export const isVersion = (set: UploadSet): RawBuilder<boolean> =>
  isRemovable(set)
    ? sql`(not faulty or (${REMOVAL[set]} and not (${LISTED[set]} and version is null)))`
    : sql`(not faulty)`

/**
 * If a row and its removal have the same version, or neither has one, keeps the later line, but prefers the row to a list of deletions. A
 * removal older than the stored version removes nothing. Requires that older versions were left out already.
 */
export async function settleRemovals(tx: Tx, target: Target, set: RemovableSet): Promise<void> {
  const [table, id] = [sql.table(stageTable(set)), sql.ref(idColumn(set))]
  await sql`
    delete from ${table} s using (select ${id} as id, line, ${LISTED[set]} as listed from ${table} where ${REMOVAL[set]}) r
    where not s.faulty and s.${id} = r.id and not r.listed and s.line < r.line`.execute(tx)
  // It stays as a faulty row, so that an initial upload does not delete the row it names.
  const mark = sql.ref(set === 'scripts' ? 'reversed' : 'removed')
  await sql`
    update ${table} set ${mark} = null from resource_version v
    where ${REMOVAL[set]} and v.location_id = ${target.locationId} and v.source = ${target.source} and v.upload_set = ${set}
      and v.source_id = ${id} and v.version > ${table}.version`.execute(tx)
}

/**
 * Turns staged lines that are not supplies and name an unknown patient or drug into removals: they cannot be stored, but the supply they
 * take back must not stay.
 * @returns how many
 */
export async function removeUnknown(tx: Tx, target: Target): Promise<number> {
  const unknown = ([column, table]: readonly [string, string]) =>
    sql`(select distinct ${sql.ref(column)} from stage_scripts where ${NO_SUPPLY}
      except select source_id from ${sql.table(table)} where location_id = ${target.locationId} and source = ${target.source})`
  const done = await sql`
    with p(id) as materialized ${unknown(['patient_id', 'patient'])}, d(id) as materialized ${unknown(['drug_id', 'drug'])}
    update stage_scripts set faulty = true, reversed = true, dispensed_on = null, deferred = null
    where ${NO_SUPPLY} and (patient_id in (select id from p) or drug_id in (select id from d))`.execute(tx)
  return Number(done.numAffectedRows ?? 0)
}

const NO_SUPPLY = sql`(not faulty and (reversed or deferred))`

/**
 * Deletes the stored scripts named by removals and adds them to `touched_line`.
 * @returns scripts deleted
 */
export async function removeScripts(tx: Tx, target: Target): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with s as materialized (
      select script_id from stage_scripts where ${REMOVAL.scripts} except select script_id from stage_scripts where not faulty
    ), gone as (
      delete from script o using s
      where o.location_id = ${target.locationId} and o.source = ${target.source} and o.source_id = s.script_id
      returning o.patient_id, o.prescription_id, o.dispensed_on, o.supply_number, o.days_supply
    ), noted as (insert into touched_line select * from gone returning 1)
    select count(*)::int as removed from noted`.execute(tx)
  return rows[0]?.removed ?? 0
}

/**
 * Deletes the stored prescriptions named by removals. Their scripts again name them by the id they were sent with, as though the
 * prescription had never come, and are added to `touched_line`.
 * @returns prescriptions deleted
 */
export async function removePrescriptions(tx: Tx, target: Target): Promise<number> {
  const { rows } = await sql<{ id: number; ref: string }>`
    with s as materialized (
      select prescription_id as ref from stage_prescriptions where ${REMOVAL.prescriptions}
      except select prescription_id from stage_prescriptions where not faulty
    )
    delete from prescription o using s
    where o.location_id = ${target.locationId} and o.source = ${target.source} and o.source_id = s.ref
    returning o.id, o.source_id as ref`.execute(tx)
  if (rows.length === 0) return 0
  // A number that only the repeats of the prescription ruled out counts again.
  const unbound = sql`(repeats_left < 0 and repeats_authorised is null)`
  const ids = rows.map((one) => one.id)
  await sql`
    insert into touched_line
    select patient_id, prescription_id, dispensed_on, supply_number, days_supply from script
    where location_id = ${target.locationId} and prescription_id = any(${ids}::bigint[])`.execute(tx)
  await sql`
    with n as materialized (select * from unnest(${ids}::bigint[], ${rows.map((one) => one.ref)}::text[]) as n(id, ref))
    update script o set prescription_id = null, prescription_ref = n.ref,
      supply_number = case when ${unbound} then -repeats_left else supply_number end,
      repeats_left = case when ${unbound} then null else repeats_left end
    from n
    where o.location_id = ${target.locationId} and o.source = ${target.source} and o.prescription_id = n.id`.execute(tx)
  return rows.length
}

/** Stores when rows were removed, so that an older version that arrives later does not bring them back. */
export async function keepRemovals(tx: Tx, target: Target, set: RemovableSet): Promise<void> {
  const [table, id] = [sql.table(stageTable(set)), sql.ref(idColumn(set))]
  await sql`
    insert into resource_version as r (location_id, source, upload_set, source_id, version)
    select ${target.locationId}::bigint, ${target.source}::text, ${set}::text, ${id}, max(version)
    from ${table} where ${REMOVAL[set]} and version is not null group by ${id}
    on conflict (location_id, source, upload_set, source_id) do update set version = excluded.version
    where r.version < excluded.version`.execute(tx)
}
