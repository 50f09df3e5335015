import type pg from 'pg'

export interface StatsSize {
  pharmacies: number
  messages: number
}

/** Campaigns, one per quarter of 2024 to 2026. */
export const CAMPAIGNS = 12
const DAYS = 90

/**
 * Fills a company's pharmacies with messages of three years: a campaign per quarter, each sent to everybody of every pharmacy over its 90
 * days and settled; of 100 messages 80 delivered, 5 failed, 15 skipped, one in five an email. People reached have touches with money.
 * @returns the campaigns' uuids
 */
export async function fillMessages(owner: pg.Client, companyId: number, size: StatsSize): Promise<string[]> {
  const each = Math.max(1, Math.round(size.messages / size.pharmacies / CAMPAIGNS))
  await owner.query(
    `insert into patient (location_id, source, source_id, first_name, last_name)
     select l.id, 'canonical', 'bench-' || n, 'Ines', 'Moran' from location l cross join generate_series(1, $2::int) n where l.company_id = $1`,
    [companyId, each],
  )
  const campaigns = await owner.query<{ uuid: string }>(
    `insert into campaign (uuid, company_id, name, goal_type, measure_by, goal, start_day, created_at)
     select gen_random_uuid(), $1, 'Bench campaign ' || n, 'scripts', 'percentage', 5, date '2024-01-01' + (n - 1) * 91, now() - make_interval(days => 2000 - n)
     from generate_series(1, $2::int) n returning uuid`,
    [companyId, CAMPAIGNS],
  )
  await owner.query(
    `insert into campaign_location (campaign_id, company_id, location_id)
     select c.id, c.company_id, l.id from campaign c join location l on l.company_id = c.company_id where c.company_id = $1`,
    [companyId],
  )
  await owner.query(
    `insert into message_run (uuid, company_id, context, campaign_id, state, starts_at, ended_at)
     select gen_random_uuid(), company_id, 'campaign', id, 'done', start_day + time '00:00' at time zone 'UTC', start_day + interval '91 days'
     from campaign where company_id = $1`,
    [companyId],
  )
  await owner.query(
    `insert into message_batch (location_id, uuid, run_id, company_id, channel, context, template_name, message_kind, body)
     select l.id, gen_random_uuid(), r.id, r.company_id, 'sms', 'campaign', 'Repeat due', 'health_outreach', 'Hi' from message_run r
     join location l on l.company_id = r.company_id where r.company_id = $1`,
    [companyId],
  )
  await owner.query(
    `insert into message (location_id, run_id, batch_id, patient_id, channel, state, reason, parts, cents, planned_at, sent_at, settled_at, created_at)
     select b.location_id, b.run_id, b.id, p.id, case when h.n % 5 = 0 then 'email' else 'sms' end, s.state,
            case s.state when 'failed' then 'Number not in service' when 'skipped' then 'no_contact' end,
            case when h.n % 5 = 0 then 0 else 1 + h.n % 3 end, case when h.n % 5 = 0 then 0 else 12 * (1 + h.n % 3) end,
            at.t, case when s.state <> 'skipped' then at.t end, case when s.state <> 'skipped' then at.t + interval '1 minute' end, at.t
     from message_batch b join message_run r on r.id = b.run_id join patient p on p.location_id = b.location_id
     cross join lateral (select abs(hashint8(p.id * 131 + b.id)) as n) h
     cross join lateral (select case when h.n % 100 < 80 then 'delivered' when h.n % 100 < 85 then 'failed' else 'skipped' end as state) s
     cross join lateral (select r.starts_at + make_interval(mins => h.n % (${DAYS} * 1440)) as t) at
     where b.company_id = $1`,
    [companyId],
  )
  await owner.query(
    `insert into touch (location_id, run_id, patient_id, campaign_id, part, from_day, to_day, cents, year_before_cents, run_cents, run_pre_cents, whole_year, computed_to)
     select m.location_id, m.run_id, m.patient_id, r.campaign_id, case when m.state = 'skipped' then 'not_messaged' else 'messaged' end,
            m.created_at::date, m.created_at::date + 29, m.id % 9000, m.id % 70000, m.id % 9000, m.id % 7000, true, date '2026-12-31'
     from message m join message_run r on r.id = m.run_id where r.company_id = $1 and m.state in ('delivered', 'skipped')`,
    [companyId],
  )
  for (const table of ['message', 'touch', 'message_batch', 'message_run', 'patient'])
    await owner.query(`vacuum analyze ${table}`)
  return campaigns.rows.map((row) => row.uuid)
}

export interface LiveCount {
  sms: number
  email: number
  reach: number
  cents: number
}

/**
 * The expected totals of the portal, counted from the messages themselves: both the rival and the check. Days by Melbourne's clock, `to`
 * exclusive.
 */
export async function countLive(owner: pg.Client, companyId: number, from: string, to: string): Promise<LiveCount> {
  const { rows } = await owner.query<LiveCount>(
    `select sum(sms)::int as sms, sum(email)::int as email, sum(reach)::int as reach, sum(cents)::float8 as cents from (
       select count(*) filter (where channel = 'sms' and state = 'delivered') as sms,
              count(*) filter (where channel = 'email' and state = 'delivered') as email,
              count(distinct patient_id) filter (where state = 'delivered') as reach, sum(cents) filter (where sent_at is not null) as cents
       from message m join location l on l.id = m.location_id
       where l.company_id = $1 and coalesce(m.sent_at, m.planned_at, m.created_at) >= $2::date::timestamp at time zone 'Australia/Melbourne'
         and coalesce(m.sent_at, m.planned_at, m.created_at) < $3::date::timestamp at time zone 'Australia/Melbourne'
       group by m.location_id) each`,
    [companyId, from, to],
  )
  return rows[0]!
}
