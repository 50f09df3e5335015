import { type RawBuilder, sql } from 'kysely'
import { supplied } from '../../metrics/supplied.queries.ts'
import { eligible, type SixtyDayCodes, sixtyOnly } from '../../sixty-day/list.queries.ts'

export interface FactsAsOf {
  locationId: number
  /** Last day of the pharmacy's data. */
  dataTo: string
  /** What may be dispensed for 60 days; empty outside Australia. */
  sixtyDay: SixtyDayCodes
  thirtyDayMost: number
  /** Kilometres from the pharmacy, by postcode as written. */
  distances: readonly { postcode: string; km: number }[]
}

/** Facts that come from supplies, by column of patient_fact. */
export const SUPPLY = [
  'last_script_on',
  'molecules',
  'double_dispensing',
  'drug_type_ids',
  'molecule_ids',
  'true_until',
]

/** Days of supplies to read: the year adherence measures, and the year before, from which they carry over. */
const CARRIED_DAYS = 730
/** A medicine counts as taken until so many days after it has run out. */
const LAPSE_DAYS = 30

/** A pharmacy's drugs with what facts take from them. */
export const drugsOf = ({ locationId, sixtyDay }: FactsAsOf) => sql`
  select d.id as drug_id, d.molecule_id, m.drug_type_id, ${eligible(sixtyDay)} as eligible, ${sixtyOnly(sixtyDay)} as sixty
  from drug d join molecule m on m.id = d.molecule_id where d.location_id = ${locationId}`

/**
 * Common table expressions that end with `taken`: what active patients take, and the last day on which that is so if nothing more is
 * supplied. @param whose a further condition on the scripts `s`
 */
export function takenOf(asOf: FactsAsOf, whose: RawBuilder<unknown>): RawBuilder<unknown> {
  const to = sql`${asOf.dataTo}::date`
  const yearAgo = sql`(${to} - interval '12 months')::date`
  const taking = (runOut: RawBuilder<unknown>) => sql`${runOut} >= ${to} - ${sql.lit(LAPSE_DAYS)}`
  // A supply of this day is no longer read after so many days.
  const read = (on: RawBuilder<unknown>) => sql`${on} + ${sql.lit(CARRIED_DAYS - 1)}`
  return sql`
    kind as materialized (${drugsOf(asOf)}),
    ceased as materialized (
      select r.id, r.patient_id, r.ceased_on from prescription r where r.location_id = ${asOf.locationId} and r.ceased_on is not null
    ),
    supply as (
      select s.patient_id, k.molecule_id, k.drug_type_id, k.eligible, k.sixty, s.dispensed_on, s.days_supply, c.ceased_on,
             (c.ceased_on <= ${to}) is not true as goes_on
      from script s join kind k on k.drug_id = s.drug_id
      left join ceased c on c.id = s.prescription_id and c.patient_id = s.patient_id
      where s.location_id = ${asOf.locationId} and ${supplied} ${whose}
        and s.dispensed_on > ${to} - ${sql.lit(CARRIED_DAYS)} and s.dispensed_on <= ${to}
    ),
    pair as materialized (
      select patient_id, molecule_id, max(drug_type_id) as drug_type_id, max(dispensed_on) as last_on,
             max(dispensed_on) filter (where eligible) as eligible_on,
             -- each supply by itself; all of them together, beginning with the last: it runs out no sooner and no later
             max(dispensed_on + days_supply) - 1 as soonest, max(dispensed_on) + sum(days_supply)::int - 1 as latest,
             -- whether the prescription of the latest supply has not been ended, of several that day one of them
             max((dispensed_on - date '1970-01-01') * 2 + goes_on::int) % 2 = 1 as goes_on,
             -- the next day on which one of them ends
             min(ceased_on) filter (where goes_on) as ends_on,
             -- the days of the latest supply, of several that day the longest
             max((dispensed_on - date '1970-01-01') * 1000 + case when sixty then greatest(days_supply, 60) else days_supply end) % 1000 as last_days
      from supply group by 1, 2
    ),
    doubtful as materialized (
      select patient_id, molecule_id from pair where not ${taking(sql`soonest`)} and ${taking(sql`latest`)}
    ),
    -- Few pairs need their supplies one after the other, which takes a sort: from the day of a supply on, that and all later ones last at least their days.
    carried as (
      select patient_id, molecule_id, max(array[dispensed_on + days_from - date '1970-01-01', dispensed_on - date '1970-01-01']) as longest from (
        select patient_id, molecule_id, dispensed_on,
               (sum(days_supply) over (partition by patient_id, molecule_id order by dispensed_on desc))::int as days_from
        from doubtful join supply using (patient_id, molecule_id)
      ) s group by 1, 2
    ),
    course as (
      select p.*, coalesce(date '1970-01-01' + c.longest[1] - 1, p.soonest) as run_out, date '1970-01-01' + c.longest[2] as carried_from
      from pair p left join carried c using (patient_id, molecule_id)
    ),
    taken as (
      select patient_id, max(last_on) as last_script_on, count(*) filter (where ${taking(sql`run_out`)}) as molecules,
             bool_or(eligible_on is not null and goes_on and ${taking(sql`run_out`)} and last_days <= ${asOf.thirtyDayMost}) as double_dispensing,
             array_agg(distinct drug_type_id) filter (where last_on > ${yearAgo}) as drug_type_ids,
             array_agg(molecule_id order by molecule_id) filter (where last_on > ${yearAgo}) as molecule_ids,
             min(least(
               case when ${taking(sql`run_out`)} then
                 least(run_out + ${sql.lit(LAPSE_DAYS)}, ${read(sql`carried_from`)}, ${read(sql`eligible_on`)}, ends_on - 1) end,
               case when last_on > ${yearAgo} then (last_on + interval '12 months')::date - 1 end)) as true_until
      from course group by patient_id having max(last_on) > ${yearAgo}
    )`
}
