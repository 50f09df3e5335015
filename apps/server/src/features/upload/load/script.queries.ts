import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { insertRows } from '../../../db/distribute/insert-rows.ts'
import { supplied } from '../../metrics/supplied.queries.ts'
import {
  BASIS_OF_DRUG,
  DAYS_OF_DRUG,
  daysBasis,
  daysSupply,
  ruledOut,
  statedNumber,
  supplyNumber,
} from './derive.queries.ts'
import { counted, createIdMap, hasRows, namedBy, type Target } from './load.queries.ts'
import { stageTable } from './stage.ts'

const COLUMNS = [
  'dispensed_on',
  'patient_id',
  'prescriber_id',
  'drug_id',
  'prescription_id',
  'units',
  'supply_number',
  'repeats_authorised',
  'repeats_left',
  'days_supply',
  'days_basis',
  'patient_type',
  'deferred',
  'owing',
  'reversed',
  'patient_price_cents',
  'government_cents',
  'cost_cents',
  'directions',
  'prescription_ref',
  'prescriber_ref',
] as const

/** Creates the id map of the prescriptions that staged scripts name. */
export async function createPrescriptionMap(tx: Tx, target: Target): Promise<void> {
  const named = await namedBy(tx, stageTable('scripts'), 'prescription_id')
  await createIdMap(tx, target, 'prescription', sql`, patient_id, drug_id, prescribed_on, repeats_authorised`, named)
}

export interface ScriptsMerged {
  inserted: number
  changed: number
  deleted: number
  /** No script of this source was stored before. */
  first: boolean
}

/**
 * Merges the staged scripts: resolves ids, calculates days' supply and supply numbers, writes new or changed rows. Needs the id maps of
 * patient, prescriber, drug (with packs) and prescription, and `touched_line`, to which it adds its changes.
 * @param replace for the full record of a date range: stored scripts in it that were not sent are deleted
 */
export async function mergeScripts(
  tx: Tx,
  target: Target,
  replace: { from: string | null; to: string | null } | null,
): Promise<ScriptsMerged> {
  const first = !(await hasRows(tx, target, 'script'))
  if (first) {
    const inserted = await insertScripts(tx, target, sql`(${resolvedScripts()}) r`, sql``)
    return { inserted, changed: 0, deleted: 0, first }
  }
  const changed = await findChanges(tx, target)
  const deleted = replace ? await deleteAbsent(tx, target, replace) : 0
  await insertScripts(tx, target, sql`changed_script`, REPLACE)
  return { ...changed, deleted, first }
}

/** The staged scripts in stored form: ids, days' supply and supply numbers resolved. */
function resolvedScripts(): RawBuilder<unknown> {
  const repeats = sql`coalesce(s.repeats_authorised, x.repeats_authorised)`
  const stated = sql`s.supply_number >= 1`
  const fromSource = sql`s.days_supply > 0`
  const fromDirections = sql`s.units > 0 and s.daily_units is not null`
  return sql`
    select s.script_id as source_id, s.dispensed_on, p.id as patient_id, b.id as prescriber_id, d.id as drug_id, x.id as prescription_id,
           s.units::numeric(10, 2) as units,
           (case when ${stated} then ${statedNumber(sql`s.supply_number`, repeats)} else ${supplyNumber(repeats, sql`s.repeats_left`)} end)::smallint as supply_number,
           s.repeats_authorised::smallint as repeats_authorised,
           (case when ${stated} then ${ruledOut(sql`s.supply_number`, repeats)} else s.repeats_left end)::smallint as repeats_left,
           (case when ${fromSource} then ${daysSupply(sql`s.days_supply`)}
                 when ${fromDirections} then ${daysSupply(sql`s.units::float8 / s.daily_units`)}
                 else ${DAYS_OF_DRUG(sql`s.units`)} end)::smallint as days_supply,
           (case when ${fromSource} then ${daysBasis('source')} when ${fromDirections} then ${daysBasis('directions')} else ${BASIS_OF_DRUG} end)::smallint as days_basis,
           coalesce(s.patient_type, 0)::smallint as patient_type, coalesce(s.deferred, false) as deferred,
           coalesce(s.owing, false) as owing, coalesce(s.reversed, false) as reversed,
           coalesce(s.patient_price, 0) as patient_price_cents, coalesce(s.government_amount, 0) as government_cents,
           s.cost as cost_cents, s.directions,
           case when x.id is null then s.prescription_id end as prescription_ref,
           case when b.id is null then s.prescriber_id end as prescriber_ref
    from stage_scripts s
    join map_patient p on p.source_id = s.patient_id
    join map_drug d on d.source_id = s.drug_id
    left join map_prescriber b on b.source_id = s.prescriber_id
    left join map_prescription x on x.source_id = s.prescription_id
    where not s.faulty`
}

const REPLACE = sql`on conflict (location_id, source, source_id) do update
  set ${sql.join(COLUMNS.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`))}`

/** With nothing stored yet, an insert without a conflict clause saves a quarter; the pharmacy's lock keeps others out. @returns rows written */
async function insertScripts(
  tx: Tx,
  target: Target,
  from: RawBuilder<unknown>,
  conflict: RawBuilder<unknown>,
): Promise<number> {
  const columns = sql.join(COLUMNS.map((column) => sql.ref(column)))
  return insertRows(
    tx,
    sql`insert into script (location_id, source, source_id, ${columns})
    select ${target.locationId}::bigint, ${target.source}::text, source_id, ${columns} from ${from} ${conflict}`,
  )
}

/** Rows that are new or changed, as `changed_script`, and the lines they touch, as `touched_line`. */
async function findChanges(tx: Tx, target: Target): Promise<{ inserted: number; changed: number }> {
  const of = (table: string) => sql`(${sql.join(COLUMNS.map((column) => sql.ref(`${table}.${column}`)))})`
  await sql`create temp table resolved_script on commit drop as ${resolvedScripts()}`.execute(tx)
  await sql`analyze resolved_script`.execute(tx)
  const named = await namedBy(tx, 'resolved_script', 'source_id')
  await sql`
    create temp table changed_script on commit drop as
    with sent as materialized (select source_id as id from resolved_script), stored as materialized (
      select source_id, ${sql.join(COLUMNS.map((column) => sql.ref(column)))} from script join sent on sent.id = source_id
      where location_id = ${target.locationId} and source = ${target.source} ${named}
    )
    select n.*, o.source_id is null as is_new, o.dispensed_on as old_dispensed_on, o.patient_id as old_patient_id,
           o.prescription_id as old_prescription_id, o.supply_number as old_supply_number, o.days_supply as old_days_supply
    from resolved_script n left join stored o on o.source_id = n.source_id
    where o.source_id is null or ${of('n')} is distinct from ${of('o')}`.execute(tx)
  await sql`
    insert into touched_line
    select patient_id, prescription_id, dispensed_on, supply_number, days_supply from changed_script
    union all
    select old_patient_id, old_prescription_id, old_dispensed_on, old_supply_number, old_days_supply
    from changed_script where not is_new`.execute(tx)
  const { rows } = await sql<{ inserted: number; changed: number }>`
    select count(*) filter (where is_new)::int as inserted, count(*) filter (where not is_new)::int as changed
    from changed_script`.execute(tx)
  return rows[0] ?? { inserted: 0, changed: 0 }
}

async function deleteAbsent(
  tx: Tx,
  target: Target,
  range: { from: string | null; to: string | null },
): Promise<number> {
  const done = await sql<{ deleted: number }>`
    with span as materialized (
      select coalesce(${range.from}::date, min(dispensed_on)) as low, coalesce(${range.to}::date, max(dispensed_on)) as high
      from stage_scripts where not faulty
    ), sent as materialized (select script_id from stage_scripts), gone as (
      delete from script o using span
      where o.location_id = ${target.locationId} and o.source = ${target.source} and o.dispensed_on between span.low and span.high
        and not exists (select from sent s where s.script_id = o.source_id)
      returning o.patient_id, o.prescription_id, o.dispensed_on, o.supply_number, o.days_supply
    ), noted as (insert into touched_line select * from gone returning 1)
    select count(*)::int as deleted from noted`.execute(tx)
  return done.rows[0]?.deleted ?? 0
}

/**
 * Sets the patient type of these patients, or of all if null, from their latest supply that names one; of several on that day the highest.
 * Null for a patient without such a supply.
 */
export async function refreshPatientTypes(tx: Tx, target: Target, patients: readonly number[] | null): Promise<void> {
  const among = (id: string) => (patients ? sql`and ${sql.ref(id)} = any(${[...patients]}::bigint[])` : sql``)
  const [whose, which] = [among('patient_id'), among('id')]
  await sql`
    with n as materialized (
      select patient_id, (max((dispensed_on - date '1970-01-01') * 32 + patient_type) & 31)::smallint as type
      from script s where location_id = ${target.locationId} and patient_type > 0 and ${supplied} ${whose} group by 1
    )
    update patient p set patient_type = latest.type
    from (
      select w.id, n.type from (select id from patient where location_id = ${target.locationId} ${which}) w
      left join n on n.patient_id = w.id
    ) latest
    where p.location_id = ${target.locationId} and p.id = latest.id and p.patient_type is distinct from latest.type`.execute(
    tx,
  )
}

/** Writes the staged stock figures, one row per drug. @returns rows written */
export async function mergeStock(tx: Tx, target: Target): Promise<number> {
  const done = await sql`
    insert into stock as t (location_id, source, drug_id, on_hand, counted_on)
    select ${target.locationId}::bigint, ${target.source}::text, d.id, s.on_hand::numeric(12, 2), s.counted_on
    from stage_stock s join map_drug d on d.source_id = s.drug_id where not s.faulty
    on conflict (location_id, drug_id) do update set on_hand = excluded.on_hand, counted_on = excluded.counted_on
    where (t.on_hand, t.counted_on) is distinct from (excluded.on_hand, excluded.counted_on)`.execute(tx)
  return Number(done.numAffectedRows ?? 0)
}

/** If more days than this lie between a record's first script and the next, the first looks misdated. */
const LONELY_DAYS = 60

/**
 * The first day with scripts of a pharmacy and the days until the next, if more than 60: one misdated line moves the first day of the data.
 * Null otherwise.
 */
export async function lonelyFirst(
  tx: Tx,
  locationId: number,
  first: string,
): Promise<{ day: string; days: number } | null> {
  const after = (more: RawBuilder<unknown>) =>
    sql`from script where location_id = ${locationId} and ${counted} and dispensed_on > ${first}::date ${more}`
  // There is nearly always one soon, and this stops at it.
  const soon =
    await sql`select 1 ${after(sql`and dispensed_on <= ${first}::date + ${sql.lit(LONELY_DAYS)} limit 1`)}`.execute(tx)
  if (soon.rows.length > 0) return null
  const { rows } = await sql<{ days: number | null }>`
    select min(dispensed_on) - ${first}::date as days ${after(sql``)}`.execute(tx)
  const days = rows[0]?.days ?? null
  return days === null ? null : { day: first, days }
}
