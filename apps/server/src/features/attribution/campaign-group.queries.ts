import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { Group } from './campaign-stat.queries.ts'

/** From this age, in whole years on the day of the message, a person is in the older of the two groups. */
const OLDER = 65

/**
 * The groups of the campaigns in `c_campaign` at one pharmacy: everybody together, and by sex and age. Each person counts once: as treated
 * if any message was handed to a gateway, otherwise as they were in the first run that selected them. Everybody in a run has the same 30
 * days from its start, whatever came after, so that groups stay comparable; changes against a year earlier use only people whose history
 * reaches back that far.
 */
export async function writeGroups(tx: Tx, locationId: number): Promise<void> {
  await sql`
    create temp table c_group on commit drop as
    select distinct on (t.campaign_id, t.patient_id) t.campaign_id, case when t.part in ('messaged', 'attempted') then 'treated' else t.part end as part,
           t.run_cents / 100.0::float8 as dollars, (t.run_cents - t.run_pre_cents) / 100.0::float8 as change, t.whole_year, t.computed_to,
           case p.sex when 'F' then 'women' when 'M' then 'men' else 'sex_unknown' end as sex,
           case when p.date_of_birth is null then 'age_unknown'
                when p.date_of_birth <= t.from_day - make_interval(years => ${sql.lit(OLDER)}) then 'from_65' else 'under_65' end as age
    from touch t join patient p on p.location_id = t.location_id and p.id = t.patient_id
    where t.location_id = ${sql.lit(locationId)} and t.campaign_id in (select campaign_id from c_campaign)
    order by t.campaign_id, t.patient_id, t.part not in ('messaged', 'attempted'), t.run_id`.execute(tx)
  const own = sql`location_id = ${locationId} and campaign_id in (select campaign_id from c_campaign)`
  await sql`delete from campaign_group where ${own}`.execute(tx)
  await sql`delete from campaign_subgroup where ${own}`.execute(tx)
  await sql`
    insert into campaign_group (location_id, campaign_id, part, n, dollars, dollars_squared, change_n, change_dollars, change_squared, change_base)
    select ${locationId}, campaign_id, part, ${MOMENTS}, coalesce(sum(dollars) filter (where whole_year), 0)
    from c_group where computed_to is not null group by 2, 3`.execute(tx)
  await sql`
    insert into campaign_subgroup (location_id, campaign_id, subgroup, part, n, dollars, dollars_squared, change_n, change_dollars, change_squared)
    select ${locationId}, campaign_id, g.subgroup, part, ${MOMENTS}
    from c_group cross join lateral (values (sex), (age)) g(subgroup) where computed_to is not null group by 2, 3, 4`.execute(
    tx,
  )
}

const MOMENTS = sql`count(*), sum(dollars), sum(dollars * dollars), count(*) filter (where whole_year),
  coalesce(sum(change) filter (where whole_year), 0), coalesce(sum(change * change) filter (where whole_year), 0)`

/** Dollars per person in one group of a campaign, of one sex or age (table campaign_subgroup). */
export interface Subgroup extends Omit<Group, 'change_base'> {
  subgroup: 'women' | 'men' | 'sex_unknown' | 'from_65' | 'under_65' | 'age_unknown'
}

/** A campaign's groups by sex and age, over these pharmacies together. */
export async function campaignSubgroups(
  tx: Tx,
  campaignId: number,
  locationIds: readonly number[],
): Promise<Subgroup[]> {
  const { rows } = await sql<Subgroup>`
    select subgroup, part, sum(n)::int as n, sum(dollars) as dollars, sum(dollars_squared) as dollars_squared, sum(change_n)::int as change_n,
           sum(change_dollars) as change_dollars, sum(change_squared) as change_squared
    from campaign_subgroup where campaign_id = ${campaignId} and location_id = any(${[...locationIds]}::bigint[])
    group by 1, 2`.execute(tx)
  return rows
}
