import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { supplied } from '../../metrics/supplied.queries.ts'

/** Creates `touched_line`, which records every change to a stored script, before and after. */
export async function createTouched(tx: Tx): Promise<void> {
  await sql`
    create temp table touched_line (
      patient_id bigint, prescription_id bigint, dispensed_on date, supply_number smallint, days_supply smallint
    ) on commit drop`.execute(tx)
}

/** The first and last day of the touched lines, ISO; both null if there are none. */
export async function touchedDays(tx: Tx): Promise<{ from: string | null; to: string | null }> {
  const { rows } = await sql<{ from: string | null; to: string | null }>`
    select min(dispensed_on)::text as from, max(dispensed_on)::text as to from touched_line`.execute(tx)
  return rows[0] ?? { from: null, to: null }
}

/** Ids of the patients whose lines were touched. */
export async function touchedPatients(tx: Tx): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select distinct patient_id as id from touched_line`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * The earliest day that the touched lines of these patients can affect, ISO; null if none was touched. Leaked slots are dated between a line and the previous
 * one on its prescription, so a line with a previous one affects nothing earlier. The first line of a prescription dates the slots before
 * it by stepping back its days' supply; if the first line changes, the whole prescription is checked. If a source gives one prescription to
 * two people, each has separate slots. Lines without a supply number, reversed, deferred or refunds have no slots beside them.
 */
export async function earliestTouched(tx: Tx, locationId: number, patients: readonly number[]): Promise<string | null> {
  const { rows } = await sql<{ earliest: string | null }>`
    with touched as materialized (
      select distinct prescription_id as id from touched_line where prescription_id is not null
    ), line as materialized (
      select prescription_id, patient_id, dispensed_on, supply_number, days_supply from script s
      where location_id = ${locationId} and patient_id = any(${[...patients]}::bigint[]) and supply_number >= 1 and ${supplied}
        and prescription_id in (select id from touched)
    ), numbered as (
      select prescription_id, patient_id, dispensed_on, days_supply, supply_number as k, false as touched from line
      union all
      select prescription_id, patient_id, dispensed_on, days_supply, supply_number, true from touched_line
      where prescription_id is not null and supply_number >= 1
    ), placed as (
      -- the neighbours, each as supply number and day in one, so that one aggregate finds the nearest number's earliest day
      select *, max(array[k, date '1970-01-01' - dispensed_on]) filter (where not touched) over lower as before_line,
             min(array[k, dispensed_on - date '1970-01-01']) filter (where not touched) over higher as after_line,
             row_number() over (partition by prescription_id, patient_id order by k, touched) as place,
             count(*) filter (where touched) over (partition by prescription_id, patient_id) as touches
      from numbered
      window lower as (partition by prescription_id, patient_id order by k range between unbounded preceding and 1 preceding),
             higher as (partition by prescription_id, patient_id order by k range between 1 following and unbounded following)
    ), started as (
      select distinct prescription_id, patient_id from placed where touched and before_line is null
    )
    select least(
      (select min(dispensed_on) from touched_line),
      -- next to the one before it and with none after it, a line has no slot on either side
      (select min(least(date '1970-01-01' - before_line[2], date '1970-01-01' + after_line[2])) from placed
       where touched and not coalesce(before_line[1] = k - 1 and after_line is null, false)),
      -- who is or was first: a touched line, or the first of the others
      (select min(dispensed_on - (k - 1) * days_supply) from placed join started using (prescription_id, patient_id)
       where touched or place <= 2 * touches + 1)
    )::text as earliest`.execute(tx)
  return rows[0]?.earliest ?? null
}
