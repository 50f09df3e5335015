import { columnsOf, type UploadSet } from '@pillar/domain/upload/upload-format'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { MAX_KEPT_FAULTS } from '../read/fault.ts'
import { stageColumns, stageTable } from './stage.ts'

/** The pharmacy being loaded, and the source of its ids. */
export interface Target {
  locationId: number
  source: string
}

/** Settings for a load, until its transaction ends. */
export async function beginLoad(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`set local work_mem = '128MB'`.execute(tx)
  // The planner has no statistics for rows merged a moment ago and would otherwise look up each one.
  await sql`set local enable_nestloop = off`.execute(tx)
}

/** Creates the temporary table a set is copied into; it goes with the transaction. */
export async function createStage(tx: Tx, set: UploadSet): Promise<void> {
  const columns = stageColumns(set).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`)
  await sql`create temp table ${sql.table(stageTable(set))} (${sql.join(columns)}) on commit drop`.execute(tx)
}

/** The statement that takes COPY text for a set. */
export function copyStatement(set: UploadSet): string {
  return `copy ${stageTable(set)} (${stageColumns(set)
    .map(([name]) => name)
    .join(', ')}) from stdin`
}

/**
 * Keeps the last row of each id and updates the planner's statistics.
 * @returns how many earlier rows of the same id were dropped
 */
export async function settleStage(tx: Tx, set: UploadSet, id: string): Promise<number> {
  const table = sql.table(stageTable(set))
  const dropped = await sql`
    delete from ${table} s using (
      select ${sql.ref(id)} as id, max(line) as line from ${table} where not faulty group by 1 having count(*) > 1
    ) last where s.${sql.ref(id)} = last.id and s.line < last.line`.execute(tx)
  // Joins use only the ids; statistics on text and amounts would cost more than they help.
  const ids = columnsOf(set).filter(([, rule]) => rule.type === 'id')
  await sql`analyze ${table} (${sql.join(ids.map(([name]) => sql.ref(name)))})`.execute(tx)
  return Number(dropped.numAffectedRows ?? 0)
}

export interface UnknownReference {
  line: number
  value: string
}

/**
 * Marks staged rows that refer to a patient or drug neither in this upload nor stored, and returns the first of them.
 * @param column the staged column holding the id, @param table the stored table it must be in
 */
export async function markUnknown(
  tx: Tx,
  target: Target,
  set: UploadSet,
  column: string,
  table: 'patient' | 'drug',
): Promise<{ count: number; first: UnknownReference[] }> {
  const stage = sql.table(stageTable(set))
  const id = sql.ref(column)
  const { rows } = await sql<{ count: number; first: UnknownReference[] | null }>`
    with unknown as (
      select distinct ${id} as id from ${stage} where not faulty
      except select source_id from ${sql.table(table)} where location_id = ${target.locationId} and source = ${target.source}
    ), marked as (
      update ${stage} s set faulty = true from unknown where not s.faulty and s.${id} = unknown.id
      returning s.line, s.${id} as value
    )
    select (select count(*)::int from marked) as count,
           (select jsonb_agg(f order by f.line) from (select * from marked order by line limit ${sql.lit(MAX_KEPT_FAULTS)}) f) as first`.execute(
    tx,
  )
  return { count: rows[0]?.count ?? 0, first: rows[0]?.first ?? [] }
}

/** Stored ids of a table by source id, as a temporary table, so that every merge is a plain hash join. */
export async function createIdMap(
  tx: Tx,
  target: Target,
  table: 'patient' | 'drug' | 'prescriber' | 'prescription',
  more: RawBuilder<unknown> = sql``,
): Promise<void> {
  const name = sql.table(`map_${table}`)
  await sql`drop table if exists ${name}`.execute(tx)
  await sql`create temp table ${name} on commit drop as
    select source_id, id ${more} from ${sql.table(table)}
    where location_id = ${target.locationId} and source = ${target.source}`.execute(tx)
  await sql`analyze ${name}`.execute(tx)
}

/** Whether the pharmacy has any stored data from this source. */
export async function hasRows(tx: Tx, target: Target, table: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ${sql.table(table)} where location_id = ${target.locationId} and source = ${target.source} limit 1`.execute(
    tx,
  )
  return rows.length > 0
}

/** What a merge did to the stored rows. */
export interface Merged {
  /** Rows inserted or changed. */
  written: number
  /** Whether a stored row changed in a column that every figure depends on. */
  recomputeAll: boolean
}

/**
 * Merges a staged set of people or products. A column the file lacks keeps its stored value; rows that change nothing
 * are not written.
 * @param columns stored column and the staged expression that fills it
 * @param weighty stored columns whose change makes every stored figure of the pharmacy stale
 */
export async function mergeSet(
  tx: Tx,
  target: Target,
  set: 'patients' | 'prescribers' | 'drugs' | 'prescriptions',
  columns: ReadonlyMap<string, RawBuilder<unknown>>,
  weighty: readonly string[],
  joins: RawBuilder<unknown> = sql``,
): Promise<Merged> {
  const table = set.slice(0, -1)
  const id = sql.ref(`s.${columnsOf(set)[0]?.[0]}`)
  const names = [...columns.keys()]
  const staged = sql`from ${sql.table(stageTable(set))} s ${joins}`
  // With nothing stored yet, an insert without a conflict clause is cheaper; the pharmacy's lock keeps others out.
  const known = await hasRows(tx, target, table)
  const heavy = names.filter((name) => weighty.includes(name))
  let recomputeAll = false
  if (known && heavy.length > 0) {
    const fresh = sql`(${sql.join(heavy.map((name) => columns.get(name) ?? sql`null`))})`
    const found = await sql`
      select 1 ${staged} join ${sql.table(table)} t on t.location_id = ${target.locationId} and t.source = ${target.source} and t.source_id = ${id}
      where not s.faulty and ${rowOf('t', heavy)} is distinct from ${fresh} limit 1`.execute(tx)
    recomputeAll = found.rows.length > 0
  }
  const done = await sql`
    insert into ${sql.table(table)} as t (location_id, source, source_id ${sql.join(
      names.map((name) => sql`, ${sql.ref(name)}`),
      sql``,
    )})
    select ${target.locationId}::bigint, ${target.source}::text, ${id} ${sql.join(
      [...columns.values()].map((value) => sql`, ${value}`),
      sql``,
    )}
    ${staged} where not s.faulty ${known ? onConflict(set, names) : sql``}`.execute(tx)
  return { written: Number(done.numAffectedRows ?? 0), recomputeAll }
}

const rowOf = (table: string, names: readonly string[]) =>
  sql`(${sql.join(names.map((name) => sql.ref(`${table}.${name}`)))})`

/** Replaces the columns of a row already stored, when one of them differs. */
function onConflict(set: UploadSet, names: readonly string[]): RawBuilder<unknown> {
  const key = sql`on conflict (location_id, source, source_id)`
  if (names.length === 0) return sql`${key} do nothing`
  return sql`${key} do update set ${sql.join(names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`))}
    ${set === 'patients' ? sql`, updated_at = now()` : sql``}
    where ${rowOf('t', names)} is distinct from ${rowOf('excluded', names)}`
}

/** Earliest date of death, new or old, among staged patients whose date of death changes; null when none does. */
export async function earliestDeath(tx: Tx, target: Target): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select min(least(s.deceased_on, t.deceased_on))::text as day from stage_patients s
    left join patient t on t.location_id = ${target.locationId} and t.source = ${target.source} and t.source_id = s.patient_id
    where not s.faulty and s.deceased_on is distinct from t.deceased_on`.execute(tx)
  return rows[0]?.day ?? null
}

/**
 * Earliest day from which a staged change of cessation can change a figure; null when none changes. A patient's newest
 * cessation of a molecule counts, so a new one also frees the days after an older one.
 */
export async function earliestCessation(tx: Tx, target: Target): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    with touched as (
      select p.id as patient_id, x.molecule_id, s.ceased_on
      from stage_prescriptions s join map_patient p on p.source_id = s.patient_id join map_drug d on d.source_id = s.drug_id
      join drug x on x.location_id = ${target.locationId} and x.id = d.id
      left join prescription t on t.location_id = ${target.locationId} and t.source = ${target.source} and t.source_id = s.prescription_id
      where not s.faulty and s.ceased_on is distinct from t.ceased_on
    ), stored as (
      select min(r.ceased_on) as ceased_on from prescription r
      join drug x on x.location_id = r.location_id and x.id = r.drug_id
      where r.location_id = ${target.locationId} and r.ceased_on is not null
        and (r.patient_id, x.molecule_id) in (select patient_id, molecule_id from touched)
    )
    select least((select min(ceased_on) from touched), (select ceased_on from stored))::text as day`.execute(tx)
  return rows[0]?.day ?? null
}
