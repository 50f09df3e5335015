import { formatDay } from '@pillar/domain/time/day'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { GoalSums } from './campaign-stat.queries.ts'

/** A campaign is measured every week for its first twelve, then every four weeks: about twenty points a year. */
const WEEK = 7
const WEEKS = 12
const LATER = 28

/** The days between start and end (day numbers) on which a campaign is measured; the same for every pharmacy, however far its data reach. */
export function pointDays(from: number, to: number): number[] {
  const days: number[] = []
  for (let day = from + WEEK - 1; day < to; day += days.length < WEEKS ? WEEK : LATER) days.push(day)
  return days
}

/**
 * Writes where the campaigns of `c_campaign` stood on those days at one pharmacy: running sums of each day's dispensing and of the same
 * days a year before, and their people's standing as far as it was measured (`c_standing`). Needs the temporary tables of refreshCampaigns.
 */
export async function writePoints(tx: Tx, locationId: number): Promise<void> {
  const { rows } = await sql<{ id: number; from: number; to: number }>`
    select campaign_id as id, from_day as from, to_day as to from c_campaign`.execute(tx)
  const points = rows.flatMap(({ id, from, to }) => pointDays(from, to).map((day) => ({ id, day })))
  await sql`delete from campaign_point where location_id = ${locationId} and campaign_id in (select campaign_id from c_campaign)`.execute(
    tx,
  )
  if (points.length === 0) return
  await sql`
    insert into campaign_point (location_id, campaign_id, day, cents, scripts, visits, base_cents, base_scripts, base_visits,
      measured_pairs, observed_days, covered_days, here_slots, leaked_slots)
    with point as (
      select * from unnest(${points.map(({ id }) => id)}::bigint[], ${points.map(({ day }) => day)}::int[]) as p(campaign_id, day)
    ), daily as (
      -- Days of the year before are counted as this year's: both sums run on together.
      select c.campaign_id, l.day + y.shift as day, y.base, sum(l.cents) as cents,
             count(*) filter (where l.supplied) as scripts, count(distinct l.patient_id) filter (where l.supplied) as visits
      from c_campaign c join c_person p using (campaign_id) join c_line l on l.patient_id = p.patient_id
        and ((c.molecules is null and c.drug_types is null) or l.molecule_id = any(c.molecules) or l.drug_type_id = any(c.drug_types))
      cross join lateral (values (false, 0, c.from_day, c.to_day), (true, c.from_day - c.base_from, c.base_from, c.base_to)) y(base, shift, first, last)
      where l.day between y.first and y.last
      group by 1, 2, 3
    ), summed as (
      select p.campaign_id, p.day, ${sums('not d.base', '')}, ${sums('d.base', 'base_')}
      from point p left join daily d on d.campaign_id = p.campaign_id and d.day <= p.day group by 1, 2
    ), stood as (
      select p.campaign_id, p.day, sum(s.pairs) as pairs, sum(s.observed) as observed, sum(s.covered) as covered, sum(s.here) as here, sum(s.leaked) as leaked
      from point p join c_person e using (campaign_id) join c_standing s on s.patient_id = e.patient_id and s.at_day = p.day group by 1, 2
    )
    select ${locationId}::bigint, u.campaign_id, ${formatDay(0)}::date + u.day, u.cents, u.scripts, u.visits,
      case when c.base_from is not null then u.base_cents end, case when c.base_from is not null then u.base_scripts end,
      case when c.base_from is not null then u.base_visits end, s.pairs, s.observed, s.covered, s.here, s.leaked
    from summed u join c_campaign c using (campaign_id) left join stood s using (campaign_id, day)`.execute(tx)
}

const sums = (which: string, prefix: string) =>
  sql.raw(
    ['cents', 'scripts', 'visits']
      .map((name) => `coalesce(sum(d.${name}) filter (where ${which}), 0) as ${prefix}${name}`)
      .join(', '),
  )

/** A campaign's standing at one pharmacy on one day (ISO); its sums as in GoalSums. */
export interface GoalPoint extends GoalSums {
  location_id: number
  day: string
}

/** The points of a campaign at these pharmacies by day; adherence and loyalty before the start come from its results. */
export async function campaignPoints(tx: Tx, campaignId: number, locationIds: readonly number[]): Promise<GoalPoint[]> {
  const { rows } = await sql<GoalPoint>`
    select p.*, p.day::text as day, p.day::text as to_day, true as started, r.base_measured_pairs, r.base_observed_days, r.base_covered_days, r.base_here_slots, r.base_leaked_slots,
           null as whole_base_cents, null as whole_base_scripts, null as whole_base_visits
    from campaign_point p join campaign_result r on r.location_id = p.location_id and r.campaign_id = p.campaign_id
    where p.campaign_id = ${campaignId} and p.location_id = any(${[...locationIds]}::bigint[]) order by p.day`.execute(
    tx,
  )
  return rows
}

/** What became of a campaign's messages on one day (ISO), over all its pharmacies. */
export interface DeliveryDay {
  day: string
  delivered: number
  failed: number
  held_back: number
  unsettled: number
}

/** The days on which a campaign's messages were sent or held back at these pharmacies, in order. */
export async function campaignDays(tx: Tx, campaignId: number, locationIds: readonly number[]): Promise<DeliveryDay[]> {
  const { rows } = await sql<DeliveryDay>`
    select day::text as day, sum(delivered)::int as delivered, sum(failed)::int as failed, sum(held_back)::int as held_back, sum(unsettled)::int as unsettled
    from campaign_day where campaign_id = ${campaignId} and location_id = any(${[...locationIds]}::bigint[])
    group by 1 order by 1`.execute(tx)
  return rows
}
