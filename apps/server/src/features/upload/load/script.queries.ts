import {
  ASSUMED_DAYS,
  DAYS_BASES,
  type DaysBasis,
  MAX_DAYS_SUPPLY,
  MIN_DAYS_SUPPLY,
} from '@pillar/domain/dispensing/days-supply'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { hasRows, type Target } from './load.queries.ts'

const COLUMNS = [
  'dispensed_on',
  'patient_id',
  'prescriber_id',
  'drug_id',
  'prescription_id',
  'units',
  'supply_number',
  'repeats_authorised',
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
] as const

const basis = (name: DaysBasis) => sql.lit(DAYS_BASES.indexOf(name) + 1)

/**
 * Packs of a drug as the days' supply rule wants them: days one pack lasts, where known, and units in it. For createIdMap.
 * Packs of 28 and 30 count as that many days when the drug says nothing (domain: days-supply.ts).
 */
export const drugPacks = sql`,
  (case when default_days > 0 then default_days when pack_size in (28, 30) then pack_size end)::float8 as pack_days,
  nullif(pack_size, 0)::float8 as pack_size`

export interface ScriptsMerged {
  inserted: number
  changed: number
  deleted: number
  /** Earliest day whose figures can change, ISO; null when everything is new or nothing changed. */
  changedFrom: string | null
  /** No script of this source was stored before. */
  first: boolean
}

/**
 * Merges the staged scripts: resolves ids, calculates days' supply and supply numbers, writes new or changed rows.
 * Needs the id maps of patient, prescriber, drug (with packs) and prescription.
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
    return { inserted, changed: 0, deleted: 0, changedFrom: null, first }
  }
  const changed = await findChanges(tx, target)
  const deleted = replace ? await deleteAbsent(tx, target, replace) : 0
  await insertScripts(tx, target, sql`changed_script`, REPLACE)
  return { ...changed, deleted, changedFrom: await earliestTouched(tx, target), first }
}

/** The staged scripts as they are stored: ids, days' supply and supply numbers resolved. */
function resolvedScripts(): RawBuilder<unknown> {
  const clamp = (days: ReturnType<typeof sql>) =>
    sql`least(${sql.lit(MAX_DAYS_SUPPLY)}, greatest(${sql.lit(MIN_DAYS_SUPPLY)}, floor(${days} + 0.5)))::smallint`
  return sql`
    select s.script_id as source_id, s.dispensed_on, p.id as patient_id, b.id as prescriber_id, d.id as drug_id, x.id as prescription_id,
           s.units::numeric(10, 2) as units,
           (case when s.supply_number >= 1 then s.supply_number
                 when coalesce(s.repeats_authorised, x.repeats_authorised) >= s.repeats_left
                 then coalesce(s.repeats_authorised, x.repeats_authorised) - s.repeats_left + 1 end)::smallint as supply_number,
           s.repeats_authorised::smallint as repeats_authorised,
           (case when s.days_supply > 0 then ${clamp(sql`s.days_supply`)}
                 when s.units > 0 and s.daily_units is not null then ${clamp(sql`s.units::float8 / s.daily_units`)}
                 when d.pack_days is not null
                 then ${clamp(sql`d.pack_days * coalesce(nullif(s.units, 0)::float8 / d.pack_size, 1)`)}
                 else ${sql.lit(ASSUMED_DAYS)} end)::smallint as days_supply,
           (case when s.days_supply > 0 then ${basis('source')}
                 when s.units > 0 and s.daily_units is not null then ${basis('directions')}
                 when d.pack_days is not null then ${basis('default')} else ${basis('thirty')} end)::smallint as days_basis,
           coalesce(s.patient_type, 0)::smallint as patient_type, coalesce(s.deferred, false) as deferred,
           coalesce(s.owing, false) as owing, coalesce(s.reversed, false) as reversed,
           coalesce(s.patient_price, 0) as patient_price_cents, coalesce(s.government_amount, 0) as government_cents,
           s.cost as cost_cents, s.directions
    from stage_scripts s
    join map_patient p on p.source_id = s.patient_id
    join map_drug d on d.source_id = s.drug_id
    left join map_prescriber b on b.source_id = s.prescriber_id
    left join map_prescription x on x.source_id = s.prescription_id
    where not s.faulty`
}

const REPLACE = sql`on conflict (location_id, source, source_id) do update
  set ${sql.join(COLUMNS.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`))}`

/** With nothing stored yet, an insert without a conflict clause saves a quarter; the pharmacy's lock keeps others out. */
async function insertScripts(
  tx: Tx,
  target: Target,
  from: RawBuilder<unknown>,
  conflict: RawBuilder<unknown>,
): Promise<number> {
  const columns = sql.join(COLUMNS.map((column) => sql.ref(column)))
  const done = await sql`
    insert into script (location_id, source, source_id, ${columns})
    select ${target.locationId}::bigint, ${target.source}::text, source_id, ${columns} from ${from} ${conflict}`.execute(
    tx,
  )
  return Number(done.numAffectedRows ?? 0)
}

/** Rows that are new or changed, as `changed_script`, and the lines they touch, as `touched_line`. */
async function findChanges(tx: Tx, target: Target): Promise<{ inserted: number; changed: number }> {
  const of = (table: string) => sql`(${sql.join(COLUMNS.map((column) => sql.ref(`${table}.${column}`)))})`
  await sql`create temp table resolved_script on commit drop as ${resolvedScripts()}`.execute(tx)
  await sql`analyze resolved_script`.execute(tx)
  await sql`
    create temp table changed_script on commit drop as
    select n.*, o.source_id is null as is_new, o.dispensed_on as old_dispensed_on, o.patient_id as old_patient_id,
           o.prescription_id as old_prescription_id, o.supply_number as old_supply_number, o.days_supply as old_days_supply
    from resolved_script n
    left join script o on o.location_id = ${target.locationId} and o.source = ${target.source} and o.source_id = n.source_id
    where o.source_id is null or ${of('n')} is distinct from ${of('o')}`.execute(tx)
  await sql`
    create temp table touched_line on commit drop as
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
    with span as (
      select coalesce(${range.from}::date, min(dispensed_on)) as low, coalesce(${range.to}::date, max(dispensed_on)) as high
      from stage_scripts where not faulty
    ), gone as (
      delete from script o using span
      where o.location_id = ${target.locationId} and o.source = ${target.source} and o.dispensed_on between span.low and span.high
        and not exists (select from stage_scripts s where s.script_id = o.source_id)
      returning o.patient_id, o.prescription_id, o.dispensed_on, o.supply_number, o.days_supply
    ), noted as (insert into touched_line select * from gone returning 1)
    select count(*)::int as deleted from noted`.execute(tx)
  return done.rows[0]?.deleted ?? 0
}

/**
 * The earliest day that the touched lines can affect. Leaked slots are dated between a line and the previous one
 * on its prescription, so a line with a previous one affects nothing earlier. The first line of a prescription dates the
 * slots before it by stepping back its days' supply; when the first line changes, the whole prescription is checked.
 */
async function earliestTouched(tx: Tx, target: Target): Promise<string | null> {
  const { rows } = await sql<{ earliest: string | null }>`
    with line as materialized (
      select prescription_id, dispensed_on, supply_number, days_supply from script
      where location_id = ${target.locationId}
        and prescription_id in (select prescription_id from touched_line where prescription_id is not null)
    ), numbered as (
      select prescription_id, dispensed_on, days_supply, coalesce(supply_number, 0) as k, false as touched from line
      union all
      select prescription_id, dispensed_on, days_supply, coalesce(supply_number, 0), true from touched_line
    ), placed as (
      -- the neighbours, each as supply number and day in one, so that one aggregate finds the nearest number's earliest day
      select *, max(array[k, date '1970-01-01' - dispensed_on]) filter (where k >= 1 and not touched) over lower as before_line,
             min(array[k, dispensed_on - date '1970-01-01']) filter (where not touched) over higher as after_line,
             row_number() over (partition by prescription_id order by k, touched) as place,
             count(*) filter (where touched) over (partition by prescription_id) as touches
      from numbered
      window lower as (partition by prescription_id order by k range between unbounded preceding and 1 preceding),
             higher as (partition by prescription_id order by k range between 1 following and unbounded following)
    ), started as (
      select distinct prescription_id from placed where touched and before_line is null
    )
    select least(
      -- next to the one before it and with none after it, a line has no slot on either side
      (select min(case when before_line[1] = k - 1 and after_line is null then dispensed_on
                       else least(dispensed_on, date '1970-01-01' - before_line[2], date '1970-01-01' + after_line[2]) end)
       from placed where touched),
      -- who is or was first: a touched line, or the first of the others
      (select min(dispensed_on - greatest(k - 1, 0) * days_supply) from placed join started using (prescription_id)
       where touched or place <= 2 * touches + 1)
    )::text as earliest`.execute(tx)
  return rows[0]?.earliest ?? null
}

/** Sets the patient type of the given patients from their latest supply that names one. */
export async function refreshPatientTypes(tx: Tx, target: Target, all: boolean): Promise<void> {
  const whose = all ? sql`` : sql`and patient_id in (select patient_id from touched_line)`
  await sql`
    update patient p set patient_type = latest.type
    from (
      select patient_id, (max((dispensed_on - date '1970-01-01') * 32 + patient_type) % 32)::smallint as type
      from script where location_id = ${target.locationId} and patient_type > 0 and not reversed ${whose} group by 1
    ) latest
    where p.location_id = ${target.locationId} and p.id = latest.patient_id and p.patient_type is distinct from latest.type`.execute(
    tx,
  )
}

/** Writes the staged stock figures: one row a drug. @returns rows written */
export async function mergeStock(tx: Tx, target: Target): Promise<number> {
  const done = await sql`
    insert into stock as t (location_id, source, drug_id, on_hand, counted_on)
    select ${target.locationId}::bigint, ${target.source}::text, d.id, s.on_hand::numeric(12, 2), s.counted_on
    from stage_stock s join map_drug d on d.source_id = s.drug_id where not s.faulty
    on conflict (location_id, drug_id) do update set on_hand = excluded.on_hand, counted_on = excluded.counted_on
    where (t.on_hand, t.counted_on) is distinct from (excluded.on_hand, excluded.counted_on)`.execute(tx)
  return Number(done.numAffectedRows ?? 0)
}

/** First and last day of supply stored of a pharmacy, ISO; null without scripts. */
export async function storedRange(tx: Tx, locationId: number): Promise<{ from: string; to: string } | null> {
  const { rows } = await sql<{ from: string | null; to: string | null }>`
    select min(dispensed_on)::text as from, max(dispensed_on)::text as to from script where location_id = ${locationId}`.execute(
    tx,
  )
  const range = rows[0]
  return range?.from && range.to ? { from: range.from, to: range.to } : null
}
