import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { withoutNestedLoops } from '../../db/scope.ts'
import { standing } from '../sending/rule/cancelled.queries.ts'
import { messageDay, UNMEASURED } from './message-stat.queries.ts'

/** An opt-out later than this after a message no longer counts as an answer to it. */
const OPT_OUT_DAYS = 30

/**
 * Recounts a pharmacy's messages by campaign: delivered, people reached, cost of what gateways accepted, and opt-outs. An opt-out is a
 * person who ended a channel's messages by reply, link or complaint within 30 days of one of the campaign's on it that was the last they
 * had, not counting failed ones. Test patients are left out. The part of the cost for people whose revenue is unknown is kept separately
 * (decision 020).
 */
export async function recountCampaigns(tx: Tx, locationId: number): Promise<void> {
  await withoutNestedLoops(tx, () =>
    sql`
    with refused as (
      select r.campaign_id, count(distinct e.patient_id) as people
      from consent_entry e
      cross join lateral (
        select m.run_id, m.fake from message m
        where m.location_id = e.location_id and m.patient_id = e.patient_id and m.sent_at <= e.at
          and m.sent_at > e.at - make_interval(days => ${sql.lit(OPT_OUT_DAYS)})
          and m.channel = case e.type when 'stop' then 'sms' else 'email' end and m.state <> 'failed'
        order by m.sent_at desc limit 1
      ) last join message_run r on r.id = last.run_id
      where e.location_id = ${locationId} and e.type in ('stop', 'unsubscribe') and not last.fake
      group by r.campaign_id
    )
    insert into campaign_stat (location_id, campaign_id, sms, email, reach, cost_cents, unread_cents, unmeasured_cents, templates, receipts_to, opt_outs)
    select m.location_id, r.campaign_id, count(*) filter (where m.channel = 'sms' and m.state = 'delivered'),
           count(*) filter (where m.channel = 'email' and m.state = 'delivered'),
           count(distinct m.patient_id) filter (where m.state = 'delivered'),
           coalesce(sum(m.cents) filter (where m.sent_at is not null), 0),
           coalesce(sum(m.cents) filter (where m.sent_at is not null and t.to_day is null), 0),
           coalesce(sum(m.cents) filter (where m.sent_at is not null and ${UNMEASURED}), 0), count(distinct b.template_name),
           max(m.settled_at) filter (where m.state <> 'skipped'), coalesce((select people from refused f where f.campaign_id = r.campaign_id), 0)
    from message m join message_run r on r.id = m.run_id
    join message_batch b on b.location_id = m.location_id and b.id = m.batch_id
    left join touch t on t.location_id = m.location_id and t.run_id = m.run_id and t.patient_id = m.patient_id
    where m.location_id = ${locationId} and r.campaign_id is not null and not m.fake
    group by m.location_id, r.campaign_id
    on conflict (location_id, campaign_id) do update set sms = excluded.sms, email = excluded.email, reach = excluded.reach,
      cost_cents = excluded.cost_cents, unread_cents = excluded.unread_cents, unmeasured_cents = excluded.unmeasured_cents, templates = excluded.templates, receipts_to = excluded.receipts_to,
      opt_outs = excluded.opt_outs`.execute(tx),
  )
  await recountDays(tx, locationId)
}

/** What became of each campaign's messages by day on the pharmacy's clock: those handed over, planned or held back that day. */
async function recountDays(tx: Tx, locationId: number): Promise<void> {
  await sql`delete from campaign_day where location_id = ${locationId}`.execute(tx)
  const { state } = standing()
  await sql`
    insert into campaign_day (location_id, campaign_id, day, delivered, failed, held_back, unsettled)
    select ${locationId}::bigint, r.campaign_id, ${messageDay(locationId)} as day,
      count(*) filter (where m.state = 'delivered'), count(*) filter (where m.state = 'failed'),
      count(*) filter (where ${state} = 'skipped'), count(*) filter (where m.state in ('sent', 'unknown'))
    from message m join message_run r on r.id = m.run_id
    join message_batch b on b.location_id = m.location_id and b.id = m.batch_id
    where m.location_id = ${locationId} and r.campaign_id is not null and not m.fake and ${state} not in ('queued', 'sending')
    group by 2, 3`.execute(tx)
}

/** A campaign's totals at one pharmacy; values not there yet are null or 0. Money in cents, days ISO. */
export interface CampaignRow extends GoalSums {
  location_id: number
  uuid: string
  name: string
  data_to: string | null
  sms: number
  email: number
  reach: number
  cost_cents: number
  /** The part of the cost for messages the data do not reach yet. */
  unread_cents: number
  /** The same part, plus messages to people without a year of data before. */
  unmeasured_cents: number
  templates: number
  opt_outs: number
  receipts_to: Date | null
  attributed_people: number
  attributed_cents: number
  expected_cents: number
  groups: Group[]
}

/** Sums a goal is measured by (table campaign_result). */
export interface GoalSums {
  /** The last day counted, ISO; null if none yet. */
  to_day: string | null
  /** Whether any message was sent there. */
  started: boolean
  cents: number | null
  scripts: number | null
  visits: number | null
  base_cents: number | null
  base_scripts: number | null
  base_visits: number | null
  measured_pairs: number | null
  observed_days: number | null
  covered_days: number | null
  here_slots: number | null
  leaked_slots: number | null
  base_measured_pairs: number | null
  base_observed_days: number | null
  base_covered_days: number | null
  base_here_slots: number | null
  base_leaked_slots: number | null
  /** Over all of the previous year's days up to the campaign's end; null without an end. */
  whole_base_cents: number | null
  whole_base_scripts: number | null
  whole_base_visits: number | null
}

/** Dollars per person in one group (table campaign_group). */
export interface Group {
  part: 'treated' | 'held_out' | 'not_messaged'
  n: number
  dollars: number
  dollars_squared: number
  change_n: number
  change_dollars: number
  change_squared: number
  change_base: number
}

const GOAL_COLUMNS = sql.raw(
  ['cents', 'scripts', 'visits', 'measured_pairs', 'observed_days', 'covered_days', 'here_slots', 'leaked_slots']
    .map((name) => `r.${name}, r.base_${name}`)
    .concat('r.whole_base_cents', 'r.whole_base_scripts', 'r.whole_base_visits', 'r.to_day')
    .join(', '),
)

/** Whether any message has been handed to a gateway. */
const STARTED = sql`exists (select from campaign_day d where d.location_id = r.location_id and d.campaign_id = r.campaign_id
  and d.delivered + d.failed + d.unsettled > 0) as started`

/** One row for each pharmacy a campaign covers or has messaged at, by name. */
export async function campaignRows(tx: Tx, campaignId: number): Promise<CampaignRow[]> {
  const { rows } = await sql<CampaignRow>`
    select l.id as location_id, l.uuid, l.name, l.data_to, coalesce(s.sms, 0) as sms, coalesce(s.email, 0) as email,
           coalesce(s.reach, 0) as reach, coalesce(s.cost_cents, 0) as cost_cents, coalesce(s.unread_cents, 0) as unread_cents,
           coalesce(s.unmeasured_cents, 0) as unmeasured_cents, coalesce(s.opt_outs, 0) as opt_outs, s.receipts_to,
           coalesce(s.templates, (select count(*)::int from campaign_template where campaign_id = ${campaignId})) as templates,
           ${GOAL_COLUMNS}, ${STARTED}, coalesce(r.attributed_people, 0) as attributed_people,
           coalesce(r.attributed_cents, 0) as attributed_cents, coalesce(r.expected_cents, 0) as expected_cents,
           coalesce((select json_agg(g) from campaign_group g where g.location_id = l.id and g.campaign_id = ${campaignId}), '[]') as groups
    from location l
    left join campaign_stat s on s.location_id = l.id and s.campaign_id = ${campaignId}
    left join campaign_result r on r.location_id = l.id and r.campaign_id = ${campaignId}
    where l.removed_at is null and l.id in (
      select location_id from campaign_location where campaign_id = ${campaignId}
      union select location_id from campaign_stat where campaign_id = ${campaignId})
    order by l.name, l.id`.execute(tx)
  return rows
}

/** The sums of these campaigns, one row for each pharmacy that has any. */
export async function goalRows(
  tx: Tx,
  campaignIds: readonly number[],
): Promise<(GoalSums & { campaign_id: number })[]> {
  const { rows } = await sql<GoalSums & { campaign_id: number }>`
    select r.campaign_id, ${GOAL_COLUMNS}, ${STARTED} from campaign_result r join location l on l.id = r.location_id and l.removed_at is null
    where r.campaign_id = any(${[...campaignIds]}::bigint[])`.execute(tx)
  return rows
}
