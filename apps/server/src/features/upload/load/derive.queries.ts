import {
  ASSUMED_DAYS,
  DAYS_BASES,
  type DaysBasis,
  MAX_DAYS_SUPPLY,
  MIN_DAYS_SUPPLY,
  SIXTY_DAYS,
} from '@pillar/domain/dispensing/days-supply'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import { currentLists, sixtyOnly } from '../../sixty-day/list.queries.ts'
import type { Target } from './load.queries.ts'

/** The stored number of a basis of days' supply. */
export const daysBasis = (name: DaysBasis) => sql.lit(DAYS_BASES.indexOf(name) + 1)

/**
 * Packs of a drug as the days' supply rule needs them: the days one pack lasts, if known, the units in it, and whether it is an item for 60
 * days about which nothing else is known. For createIdMap. Packs of 28 and 30 count as that many days if the drug says nothing (domain:
 * days-supply.ts).
 */
export const drugPacks = sql`,
  (case when default_days > 0 then default_days when pack_size in (28, 30) then pack_size end)::float8 as pack_days,
  nullif(pack_size, 0)::float8 as pack_size,
  sixty_day and coalesce(default_days, 0) <= 0 as sixty`

/** Days as stored: to the nearest day, within the bounds. */
export const daysSupply = (days: RawBuilder<unknown>) =>
  sql`least(${sql.lit(MAX_DAYS_SUPPLY)}, greatest(${sql.lit(MIN_DAYS_SUPPLY)}, floor(${days} + 0.5)))::smallint`

/** Days' supply from the drug `d` of the id map, if neither the source nor the directions give it. */
export const DAYS_OF_DRUG = (units: RawBuilder<unknown>) => sql`
  case when d.sixty and (d.pack_days is null or coalesce(${units}, 0) <= 0) then ${sql.lit(SIXTY_DAYS)}
       when d.pack_days is not null then ${daysSupply(sql`coalesce(d.pack_days * nullif(${units}, 0)::float8 / d.pack_size, d.pack_days)`)}
       else ${sql.lit(ASSUMED_DAYS)} end`

/** The source of those days. */
export const BASIS_OF_DRUG = sql`
  case when d.pack_days is not null or d.sixty then ${daysBasis('default')} else ${daysBasis('thirty')} end`

/** The supply number from the repeats authorised and those left after the supply; null if they contradict each other. */
export const supplyNumber = (authorised: RawBuilder<unknown>, left: RawBuilder<unknown>) =>
  sql`case when ${authorised} >= ${left} then ${authorised} - ${left} + 1 end`

/**
 * The supply number that a script states, or null where the repeats authorised rule it out: a number above them plus one is no slot of the
 * prescription, so it says nothing about supplies elsewhere.
 */
export const statedNumber = (stated: RawBuilder<unknown>, authorised: RawBuilder<unknown>) =>
  sql`case when ${stated} <= coalesce(${authorised}, ${stated}) + 1 then ${stated} end`

/**
 * What `repeats_left` keeps of a script that states its supply number: nothing, or the number as a negative one while it is ruled out, so
 * that it counts again once the repeats are corrected.
 */
export const ruledOut = (stated: RawBuilder<unknown>, authorised: RawBuilder<unknown>) =>
  sql`case when ${stated} > ${authorised} + 1 then -${stated} end`

/** The supply number that a stored script `o` stated; null if it did not. */
const stored = sql`(case when o.repeats_left < 0 then -o.repeats_left when o.repeats_left is null then o.supply_number end)`

/** Changes by an upload on which stored scripts depend. */
export interface Restated {
  /** Whether prescriptions or prescribers arrived that earlier scripts may have named. */
  arrived: boolean
  /** Ids of stored drugs whose pack or 60-day status changed. */
  drugs: readonly number[]
  /** Ids of stored prescriptions whose authorised repeats changed. */
  prescriptions: readonly number[]
}

/** Records which stored drugs are items for 60 days by the present list; none outside Australia. @returns ids of those that changed */
export async function markSixtyDay(tx: Tx, { locationId, source }: Target): Promise<number[]> {
  const { rows: places } = await sql<{
    country: string
  }>`select country from location where id = ${locationId}`.execute(tx)
  const items = places[0]?.country === 'AU' ? (await currentLists(tx)).items : []
  const sixty = items.map(({ sixtyDayCode }) => sixtyDayCode)
  const { rows } = await sql<{ id: number }>`
    update drug d set sixty_day = not d.sixty_day
    where d.location_id = ${locationId} and d.source = ${source} and d.sixty_day <> ${sixtyOnly({ sixty })}
    returning d.id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Fills in the prescriber of stored prescriptions that were sent before their prescriber. Needs map_prescriber. */
export async function resolvePrescriptions(tx: Tx, target: Target): Promise<void> {
  await sql`
    with b as materialized (select source_id, id from map_prescriber)
    update prescription t set prescriber_id = b.id, prescriber_ref = null from b
    where t.location_id = ${target.locationId} and t.source = ${target.source} and t.prescriber_ref = b.source_id`.execute(
    tx,
  )
}

/**
 * Derives stored scripts again: those sent before their prescription or prescriber, and those of restated drugs and prescriptions. Needs
 * the id maps of drug and prescriber; adds its changes to `touched_line`. @returns scripts changed
 */
export async function deriveAgain(tx: Tx, target: Target, restated: Restated): Promise<number> {
  const affected = await affectedScripts(tx, target, restated)
  if (affected.length === 0) return 0
  const prescription = sql`coalesce(o.prescription_id, x.id)`
  const repeats = sql`coalesce(o.repeats_authorised, y.repeats_authorised)`
  await sql`
    create temp table derived_script on commit drop as
    with o as materialized (
      select source_id, patient_id, dispensed_on, drug_id, units, prescription_id, prescriber_id, prescription_ref, prescriber_ref,
        repeats_authorised, repeats_left, supply_number, days_supply, days_basis
      from script o where o.location_id = ${target.locationId} and o.source = ${target.source} and (${sql.join(affected, sql` or `)})
    ), r as materialized (
      select source_id, id, repeats_authorised from prescription where location_id = ${target.locationId} and source = ${target.source}
    )
    select * from (
      select o.source_id, o.patient_id, o.dispensed_on, o.prescription_id as old_prescription_id, o.prescriber_id as old_prescriber_id,
             o.supply_number as old_supply_number, o.days_supply as old_days_supply, o.days_basis as old_days_basis,
             ${prescription} as prescription_id, coalesce(o.prescriber_id, b.id) as prescriber_id,
             (case when ${stored} is null then ${supplyNumber(repeats, sql`o.repeats_left`)} else ${statedNumber(stored, repeats)} end)::smallint as supply_number,
             (case when ${stored} is null then o.repeats_left else ${ruledOut(stored, repeats)} end)::smallint as repeats_left,
             (case when ${byDrug} then ${DAYS_OF_DRUG(sql`o.units`)} else o.days_supply end)::smallint as days_supply,
             (case when ${byDrug} then ${BASIS_OF_DRUG} else o.days_basis end)::smallint as days_basis
      from o
      join map_drug d on d.id = o.drug_id
      left join r x on x.source_id = o.prescription_ref
      left join r y on y.id = ${prescription}
      left join map_prescriber b on b.source_id = o.prescriber_ref
    ) n
    where (old_prescription_id, old_prescriber_id, old_supply_number, old_days_supply, old_days_basis)
      is distinct from (prescription_id, prescriber_id, supply_number, days_supply, days_basis)`.execute(tx)
  return writeDerived(tx, target)
}

/** A script whose days' supply comes from its drug. */
const byDrug = sql`o.days_basis in (${daysBasis('default')}, ${daysBasis('thirty')})`

/** Conditions for the stored scripts `o` that may have to be derived again; empty if there can be none. */
async function affectedScripts(
  tx: Tx,
  target: Target,
  { arrived, drugs, prescriptions }: Restated,
): Promise<RawBuilder<unknown>[]> {
  const affected: RawBuilder<unknown>[] = []
  if (arrived && (await hasUnresolved(tx, target))) affected.push(UNRESOLVED)
  if (drugs.length > 0) affected.push(sql`(${byDrug} and o.drug_id = any(${[...drugs]}::bigint[]))`)
  if (prescriptions.length > 0)
    affected.push(
      sql`(coalesce(o.repeats_left, o.supply_number) is not null and o.prescription_id = any(${[...prescriptions]}::bigint[]))`,
    )
  return affected
}

const UNRESOLVED = sql`(o.prescription_ref is not null or o.prescriber_ref is not null)`

async function hasUnresolved(tx: Tx, target: Target): Promise<boolean> {
  const { rows } = await sql`
    select 1 from script o where o.location_id = ${target.locationId} and ${UNRESOLVED} limit 1`.execute(tx)
  return rows.length > 0
}

async function writeDerived(tx: Tx, target: Target): Promise<number> {
  await sql`analyze derived_script`.execute(tx)
  await sql`
    insert into touched_line
    select n.patient_id, l.prescription_id, n.dispensed_on, l.supply_number, l.days_supply
    from derived_script n cross join lateral (values
      (n.old_prescription_id, n.old_supply_number, n.old_days_supply), (n.prescription_id, n.supply_number, n.days_supply)
    ) l(prescription_id, supply_number, days_supply)
    where (n.old_prescription_id, n.old_supply_number, n.old_days_supply, n.old_days_basis)
      is distinct from (n.prescription_id, n.supply_number, n.days_supply, n.days_basis)`.execute(tx)
  const done = await sql`
    with n as materialized (select source_id, prescription_id, prescriber_id, supply_number, repeats_left, days_supply, days_basis from derived_script)
    update script o set prescription_id = n.prescription_id, prescriber_id = n.prescriber_id, supply_number = n.supply_number,
      repeats_left = n.repeats_left, days_supply = n.days_supply, days_basis = n.days_basis,
      prescription_ref = case when n.prescription_id is null then o.prescription_ref end,
      prescriber_ref = case when n.prescriber_id is null then o.prescriber_ref end
    from n
    where o.location_id = ${target.locationId} and o.source = ${target.source} and o.source_id = n.source_id`.execute(
    tx,
  )
  return Number(done.numAffectedRows ?? 0)
}
