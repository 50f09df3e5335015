import { columnsOf, type UploadSet } from '@pillar/domain/upload/upload-format'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { insertRows } from '../../../db/distribute/insert-rows.ts'
import { type Findings, MAX_KEPT_FAULTS } from '../read/fault.ts'
import { formerNumbers } from './adopt/former.queries.ts'
import { idColumn, stageColumns, stageTable } from './stage.ts'

/** The pharmacy being loaded, and the source of its ids. */
export interface Target {
  locationId: number
  source: string
}

/** Settings for a load, until its transaction ends. */
export async function beginLoad(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`set local work_mem = '128MB'`.execute(tx)
  // Staged sets are uniform and short-lived: a small sample is enough to plan joins.
  await sql`set local default_statistics_target = 10`.execute(tx)
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
  // Joins use only the ids; statistics on texts and amounts would cost more than they help.
  const ids = columnsOf(set).filter(([, rule]) => rule.type === 'id')
  const names = ids.length > 0 ? ids.map(([name]) => name) : [id]
  await sql`analyze ${table} (${sql.join(names.map((name) => sql.ref(name)))})`.execute(tx)
  return Number(dropped.numAffectedRows ?? 0)
}

/** Whether a script, staged or stored, counts in any figure, as a supply or a refund: only such lines show which days a record covers. */
export const counted = sql<boolean>`(reversed is not true and deferred is not true)`

/** The number of patients of the staged scripts, and the days they span, ISO; null if none counts. */
export async function stagedSpan(tx: Tx): Promise<NonNullable<Findings['span']> | null> {
  const { rows } = await sql<{ patients: number; from: string | null; to: string | null }>`
    select count(*)::int as patients, min(first)::text as from, max(last)::text as to
    from (select patient_id, min(dispensed_on) as first, max(dispensed_on) as last from stage_scripts where not faulty and ${counted} group by 1) p`.execute(
    tx,
  )
  const found = rows[0]
  return found?.from && found.to ? { patients: found.patients, from: found.from, to: found.to } : null
}

export interface UnknownReference {
  line: number
  value: string
}

/**
 * Marks staged rows that refer to a patient or drug neither in this upload nor stored, and returns the first of them.
 * @param column the staged column with the id, @param table the stored table that must contain it
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
      ${table === 'patient' ? sql`except select source_id from (select null::text as source_id, null::bigint as id ${formerNumbers(target, sql``)}) o` : sql``}
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

/**
 * Stored ids of a table by source id, as a temporary table, so that every merge is a plain hash join.
 * @param more further columns, @param only a further condition
 */
export async function createIdMap(
  tx: Tx,
  target: Target,
  table: 'patient' | 'drug' | 'prescriber' | 'prescription',
  more: RawBuilder<unknown> = sql``,
  only: RawBuilder<unknown> = sql``,
): Promise<void> {
  const name = sql.table(`map_${table}`)
  await sql`create temp table ${name} on commit drop as
    select source_id, id ${more} from ${sql.table(table)}
    where location_id = ${target.locationId} and source = ${target.source} ${only}
    ${table === 'patient' ? formerNumbers(target, more) : sql``}`.execute(tx)
  await sql`analyze ${name}`.execute(tx)
}

/** So many rows are looked up one by one; for more, it takes less time to read all that is stored. */
const FEW = 10_000

/** A further condition for stored rows: named by this column of a staged table. Empty if they are too many to look up one by one. */
export async function namedBy(tx: Tx, table: string, column: string): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ id: string }>`
    select distinct ${sql.ref(column)} as id from ${sql.table(table)} where ${sql.ref(column)} is not null limit ${sql.lit(FEW + 1)}`.execute(
    tx,
  )
  return rows.length > FEW ? sql`` : sql`and source_id = any(${rows.map(({ id }) => id)}::text[])`
}

/** Whether the pharmacy has any stored data from this source. */
export async function hasRows(tx: Tx, target: Target, table: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ${sql.table(table)} where location_id = ${target.locationId} and source = ${target.source} limit 1`.execute(
    tx,
  )
  return rows.length > 0
}

/** The effect of a merge on the stored rows. */
export interface Merged {
  /** Rows inserted or changed. */
  written: number
  /** Whether a stored row changed in a column that every figure depends on. */
  recomputeAll: boolean
  /** Ids of stored rows that changed in a column on which scripts depend. */
  restated: number[]
}

/** Stored columns whose change affects more than the row itself. */
export interface Watched {
  /** A change makes every stored figure of the pharmacy stale. */
  weighty?: readonly string[]
  /** Scripts depend on them. */
  restating?: readonly string[]
}

/**
 * Merges a staged set of people or products. A column the file lacks keeps its stored value; rows that change nothing
 * are not written.
 * @param columns stored column and the staged expression that fills it
 */
export async function mergeSet(
  tx: Tx,
  target: Target,
  set: 'patients' | 'prescribers' | 'drugs' | 'prescriptions',
  columns: ReadonlyMap<string, RawBuilder<unknown>>,
  { weighty = [], restating = [] }: Watched,
  joins: RawBuilder<unknown> = sql``,
): Promise<Merged> {
  const table = set.slice(0, -1)
  const id = sql.ref(`s.${idColumn(set)}`)
  const names = [...columns.keys()]
  const staged = sql`from ${sql.table(stageTable(set))} s ${joins}`
  // With nothing stored yet, an insert without a conflict clause is cheaper; the pharmacy's lock keeps others out.
  const known = await hasRows(tx, target, table)
  const named = await namedBy(tx, stageTable(set), idColumn(set))
  /** Ids of stored rows `t` in which one of these columns will change. */
  const changing = (some: readonly string[], limit: RawBuilder<unknown>) => sql<{ id: number }>`
    with t as materialized (
      select id, source_id, ${sql.join(some.map((name) => sql.ref(name)))} from ${sql.table(table)}
      where location_id = ${target.locationId} and source = ${target.source} ${named}
    )
    select t.id ${staged} join t on t.source_id = ${id}
    where not s.faulty and ${rowOf('t', some)} is distinct from (${sql.join(some.map((name) => columns.get(name) ?? sql`null`))}) ${limit}`
  const [heavy, deriving] = [weighty, restating].map((some) => names.filter((name) => some.includes(name)))
  const found = async (of: readonly string[] | undefined, limit = sql``) =>
    known && of?.length ? (await changing(of, limit).execute(tx)).rows : []
  const recomputeAll = (await found(heavy, sql`limit 1`)).length > 0
  const restated = (await found(deriving)).map(({ id }) => id)
  const written = await insertRows(
    tx,
    sql`insert into ${sql.table(table)} as t (location_id, source, source_id ${sql.join(
      names.map((name) => sql`, ${sql.ref(name)}`),
      sql``,
    )})
    select ${target.locationId}::bigint, ${target.source}::text, ${id} ${sql.join(
      [...columns.values()].map((value) => sql`, ${value}`),
      sql``,
    )}
    ${staged} where not s.faulty ${known ? onConflict(set, names) : sql``}`,
  )
  return { written, recomputeAll, restated }
}

const rowOf = (table: string, names: readonly string[]) =>
  sql`(${sql.join(names.map((name) => sql.ref(`${table}.${name}`)))})`

/** Replaces the columns of a stored row if one of them differs. */
function onConflict(set: UploadSet, names: readonly string[]): RawBuilder<unknown> {
  const key = sql`on conflict (location_id, source, source_id)`
  if (names.length === 0) return sql`${key} do nothing`
  return sql`${key} do update set ${sql.join(names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`))}
    ${set === 'patients' ? sql`, updated_at = now()` : sql``}
    where ${rowOf('t', names)} is distinct from ${rowOf('excluded', names)}`
}

/** Keeps the stored day for staged patients whose day of death is unknown: it would otherwise move with every change to them. */
export async function keepDeathDates(tx: Tx, target: Target): Promise<void> {
  await sql`
    update stage_patients s set deceased_on = t.deceased_on from patient t
    where t.location_id = ${target.locationId} and t.source = ${target.source} and t.source_id = s.patient_id
      and s.death_date_unknown and t.deceased_on is not null`.execute(tx)
}

/** Earliest date of death, new or old, among staged patients whose date of death changes; null if none does. */
export async function earliestDeath(tx: Tx, target: Target): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select min(least(s.deceased_on, t.deceased_on))::text as day from stage_patients s
    left join patient t on t.location_id = ${target.locationId} and t.source = ${target.source} and t.source_id = s.patient_id
    where not s.faulty and s.deceased_on is distinct from t.deceased_on`.execute(tx)
  return rows[0]?.day ?? null
}

/** What staged prescriptions change about the days on which some ended. */
export interface Cessations {
  /** Earliest such day, new or old, ISO; null if none changes. */
  from: string | null
  /** Whose they are and were. */
  patients: readonly number[]
}

/**
 * The cessations that staged prescriptions change: those that appear, go, or move to another day, patient or molecule. Needs the id maps of
 * patient and drug, and drugs already merged.
 * @param dated whether the file has cessations
 */
export async function changedCessations(tx: Tx, target: Target, dated: boolean): Promise<Cessations> {
  const named = await namedBy(tx, stageTable('prescriptions'), idColumn('prescriptions'))
  const { rows } = await sql<{ day: string | null; patients: number[] | null }>`
    with stored as materialized (
      select source_id, patient_id, drug_id, ceased_on from prescription
      where location_id = ${target.locationId} and source = ${target.source} ${named}
    )
    select min(least(t.ceased_on, n.ceased_on))::text as day,
      array_agg(distinct u.id) filter (where least(t.ceased_on, n.ceased_on) is not null and u.id is not null) as patients
    from stage_prescriptions s join map_patient p on p.source_id = s.patient_id join map_drug d on d.source_id = s.drug_id
      join drug x on x.location_id = ${target.locationId} and x.id = d.id
      left join stored t on t.source_id = s.prescription_id
      left join drug o on o.location_id = ${target.locationId} and o.id = t.drug_id
      cross join lateral (select ${dated ? sql`s.ceased_on` : sql`t.ceased_on`} as ceased_on) n
      cross join lateral (values (p.id), (t.patient_id)) u(id)
    where not s.faulty and (t.patient_id, o.molecule_id, t.ceased_on) is distinct from (p.id, x.molecule_id, n.ceased_on)`.execute(
    tx,
  )
  const { day = null, patients = null } = rows[0] ?? {}
  return { from: day, patients: (patients ?? []).map(Number) }
}
