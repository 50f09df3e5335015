import { type RawBuilder, sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import { withoutNestedLoops } from '../../db/scope.ts'
import { standing } from '../sending/rule/cancelled.queries.ts'

/** Statistics follow the messages with this delay: while thousands go out, recounting each pharmacy every second helps nobody. */
const WAIT_SECONDS = 5

/** Queues a pharmacy's statistics for a recount. Called in the transaction that counted the messages. */
export async function queueStatRecount(tx: Tx, locationId: number): Promise<void> {
  await sql`
    insert into stat_recount_queue (location_id, company_id) select id, company_id from location where id = ${locationId}
    on conflict (location_id) do nothing`.execute(tx)
}

/** How long the count of a pharmacy's messages waits for that of its statistics, while the messages of other pharmacies wait behind it. */
const LONGEST_WAIT = '2s'

/**
 * The same, if they are not being counted, which at a large pharmacy takes up to two minutes.
 * @throws the database's error 55P03 if they are
 */
export async function queueStatRecountSoon(tx: Tx, locationId: number): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(LONGEST_WAIT)}`.execute(tx)
  await queueStatRecount(tx, locationId)
  await sql`set local lock_timeout = 0`.execute(tx)
}

/** Pharmacies whose statistics are due, longest waiting first. */
export async function statRecountQueue(system: Database): Promise<{ locationId: number; companyId: number }[]> {
  const { rows } = await sql<{ locationId: number; companyId: number }>`
    select location_id as "locationId", company_id as "companyId" from stat_recount_queue
    where since < now() - make_interval(secs => ${sql.lit(WAIT_SECONDS)}) order by since limit 50`.execute(system)
  return rows
}

/** Takes a pharmacy out of the queue. @returns false if another worker has taken it or is about to: two counting at once would collide */
export async function takeStatRecount(tx: Tx, locationId: number): Promise<boolean> {
  const { rows } = await sql`
    select location_id from stat_recount_queue where location_id = ${locationId} for update skip locked`.execute(tx)
  if (rows.length === 0) return false
  await sql`delete from stat_recount_queue where location_id = ${locationId}`.execute(tx)
  return true
}

/** A message's own day by the pharmacy's clock: handed over, or planned, or held back. */
export const messageDay = (locationId: number): RawBuilder<string> =>
  sql`(coalesce(m.sent_at, m.planned_at, m.created_at) at time zone (select time_zone from location where id = ${locationId}))::date`
/** Its month, as year * 100 + month. */
const monthOf = (locationId: number) => sql`to_char(${messageDay(locationId)}, 'YYYYMM')::int`

/** For a message's touch `t`, which does not exist before the next upload: the data do not reach the message, or not a year before it. */
export const UNMEASURED = sql.raw('(t.to_day is null or not t.whole_year)')

/** The periods a `month` belongs to: its year, itself, its quarter. */
const PERIODS = sql`cross join lateral (values (month / 100 * 100), (month), (month / 100 * 100 + 20 + (month % 100 + 2) / 3)) p(period)`

/**
 * Rebuilds a pharmacy's statistics for every calendar year, quarter and month that has messages. Test patients are left out. Revenue covers
 * the people first reached in the period (`touch`): what they were dispensed, and what their own past year suggested. People whose past
 * year is not in the data are left out, and the cost of their messages is kept separately (decision 020).
 */
export async function recountStats(tx: Tx, locationId: number): Promise<void> {
  // As after an upload: years of messages at a large pharmacy take longer than a request may.
  await sql`set local statement_timeout = '120s'`.execute(tx)
  await sql`delete from stat_recount_queue where location_id = ${locationId}`.execute(tx)
  await recountDays(tx, locationId)
  const { state } = standing()
  await withoutNestedLoops(tx, () =>
    sql`
    with dated as materialized (
      select m.patient_id, m.channel, ${state} as state, m.reason, m.parts, m.cents, m.sent_at is not null as sent, m.settled_at, r.context,
             ${monthOf(locationId)} as month, r.context in ('campaign', 'sequence') and ${UNMEASURED} as unmeasured
      from message m join message_run r on r.id = m.run_id
      join message_batch b on b.location_id = m.location_id and b.id = m.batch_id
      left join touch t on t.location_id = m.location_id and t.run_id = m.run_id and t.patient_id = m.patient_id
      where m.location_id = ${locationId} and not m.fake
    ), earned as (
      select p.period, count(distinct t.patient_id) as people, sum(t.cents)::bigint as cents,
             sum(t.year_before_cents * (t.to_day - t.from_day + 1) / 365.0)::bigint as expected
      from touch t
      cross join lateral (select to_char(t.from_day, 'YYYYMM')::int as month) at ${PERIODS}
      where t.location_id = ${locationId} and t.part = 'messaged' and t.to_day >= t.from_day and t.whole_year
      group by 1
    ), why as (
      select period, jsonb_agg(jsonb_build_object('text', reason, 'count', n) order by n desc, reason) as failures
      from (
        select period, reason, sum(n) as n
        from (select month, coalesce(reason, 'No reason given') as reason, count(*) as n from dated where state = 'failed' group by 1, 2) f
        ${PERIODS} group by 1, 2
      ) f group by 1
    ), reached as (
      -- Months are summed below, but a person reached in two months of a year is one of that year.
      select period, count(*) as reach, count(*) filter (where texted) as sms_people, count(*) filter (where mailed) as email_people from (
        select period, patient_id, bool_or(texted) as texted, bool_or(mailed) as mailed
        from (select month, patient_id, bool_or(channel = 'sms') as texted, bool_or(channel = 'email') as mailed
          from dated where state = 'delivered' group by 1, 2) d ${PERIODS} group by 1, 2
      ) each group by 1
    ), monthly as (
      select month,
        count(*) filter (where channel = 'sms' and state = 'delivered') as sms,
        count(*) filter (where channel = 'email' and state = 'delivered') as email,
        coalesce(sum(parts) filter (where channel = 'sms' and sent), 0) as sms_parts,
        coalesce(sum(cents) filter (where sent), 0) as cost_cents, coalesce(sum(cents) filter (where sent and unmeasured), 0) as unmeasured_cents,
        count(*) filter (where context = 'campaign' and state = 'delivered') as campaign_messages,
        count(*) filter (where context = 'trial' and state = 'delivered') as trial_messages,
        count(*) filter (where context in ('sequence', 'communication') and state = 'delivered') as normal_messages,
        count(*) filter (where state in ('queued', 'sending')) as queued, count(*) filter (where state = 'sent') as sent,
        count(*) filter (where state = 'failed') as failed, count(*) filter (where state = 'skipped') as skipped,
        count(*) filter (where state = 'unknown') as unknown, max(settled_at) filter (where state <> 'skipped') as receipts_to
      from dated group by 1
    ), summed as (
      select period, ${sql.join(SUMMED.map((column) => sql`sum(${sql.ref(column)}) as ${sql.ref(column)}`))}, max(receipts_to) as receipts_to
      from monthly ${PERIODS} group by 1
    ), gone as (
      delete from message_stat where location_id = ${locationId} and period not in (select period from summed)
    )
    insert into message_stat (location_id, period, sms, email, reach, sms_people, email_people, sms_parts, cost_cents, unmeasured_cents, campaign_messages, trial_messages,
      normal_messages, queued, sent, failed, skipped, unknown, receipts_to, revenue_cents, expected_cents, earned_people, failures)
    select ${locationId}, s.period, s.sms, s.email, coalesce(d.reach, 0), coalesce(d.sms_people, 0),
      coalesce(d.email_people, 0), s.sms_parts, s.cost_cents, s.unmeasured_cents, s.campaign_messages, s.trial_messages,
      s.normal_messages, s.queued, s.sent, s.failed, s.skipped, s.unknown, s.receipts_to,
      e.cents, e.expected, coalesce(e.people, 0), coalesce(w.failures, '[]')
    from summed s left join reached d using (period) left join earned e using (period) left join why w using (period)
    on conflict (location_id, period) do update set ${sql.join(
      COLUMNS.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`),
    )}`.execute(tx),
  )
}

/** The days on which a pharmacy had anything delivered or paid for. */
async function recountDays(tx: Tx, locationId: number): Promise<void> {
  await sql`delete from message_stat_day where location_id = ${locationId}`.execute(tx)
  await sql`
    insert into message_stat_day (location_id, day, sms, email, cost_cents)
    select ${locationId}::bigint, ${messageDay(locationId)} as day,
      count(*) filter (where m.channel = 'sms' and m.state = 'delivered'), count(*) filter (where m.channel = 'email' and m.state = 'delivered'),
      coalesce(sum(m.cents) filter (where m.sent_at is not null), 0)
    from message m where m.location_id = ${locationId} and not m.fake and m.sent_at is not null group by 2`.execute(tx)
}

const SUMMED = [
  ...['sms', 'email', 'sms_parts', 'cost_cents', 'unmeasured_cents'],
  ...['campaign_messages', 'trial_messages', 'normal_messages'],
  ...['queued', 'sent', 'failed', 'skipped', 'unknown'],
] as const

/** Counts a screen shows: 0 if a pharmacy has none. */
const SHOWN = ['sms', 'email', 'reach', ...SUMMED.slice(2)] as const

const COLUMNS = [
  ...SHOWN,
  ...['sms_people', 'email_people', 'receipts_to', 'revenue_cents', 'expected_cents', 'earned_people', 'failures'],
] as const

/** One pharmacy's statistics in a period, or nulls if it has none. Money in cents. */
export interface StatRow {
  id: number
  uuid: string
  name: string
  data_to: string | null
  sms: number
  email: number
  reach: number
  sms_parts: number
  cost_cents: number
  /** The part of the cost for messages to people whose revenue is not counted. */
  unmeasured_cents: number
  campaign_messages: number
  trial_messages: number
  normal_messages: number
  queued: number
  sent: number
  failed: number
  skipped: number
  unknown: number
  revenue_cents: number | null
  expected_cents: number | null
  /** People the revenue is based on. */
  earned_people: number
  failures: { text: string; count: number }[]
  receipts_to: Date | null
}

/** A pharmacy's messages of a year earlier. */
export interface EarlierStats {
  id: number
  sms: number
  email: number
  /** Null for part of a period: people do not add up over days. */
  reach: number | null
  cost_cents: number
}

/**
 * What the given pharmacies sent between two days (ISO text) of the year before; `period` is the stored period if the days cover all of it,
 * otherwise null. Leaves out pharmacies whose first message is later than `from`: there is nothing to compare with.
 */
export async function earlierStats(
  tx: Tx,
  locationIds: readonly number[],
  { from, to, period }: { from: string; to: string; period: number | null },
): Promise<EarlierStats[]> {
  const { rows } = await sql<EarlierStats>`
    select d.location_id as id, coalesce(sum(d.sms) filter (where d.day >= ${from}::date), 0) as sms,
      coalesce(sum(d.email) filter (where d.day >= ${from}::date), 0) as email,
      case when ${period}::int is not null then coalesce(max(s.reach), 0) end as reach,
      coalesce(sum(d.cost_cents) filter (where d.day >= ${from}::date), 0) as cost_cents
    from message_stat_day d left join message_stat s on s.location_id = d.location_id and s.period = ${period}::int
    where d.location_id = any(${[...locationIds]}::bigint[]) and d.day <= ${to}::date
    group by d.location_id having min(d.day) <= ${from}::date`.execute(tx)
  return rows
}

/** Statistics of the given pharmacies in one period, by name; zeros for pharmacies without messages. */
export async function listStats(tx: Tx, locationIds: readonly number[], period: number): Promise<StatRow[]> {
  const counts = SHOWN.map((column) => sql`coalesce(${sql.ref(`s.${column}`)}, 0) as ${sql.ref(column)}`)
  const { rows } = await sql<StatRow>`
    select l.id, l.uuid, l.name, l.data_to, ${sql.join(counts)}, s.revenue_cents, s.expected_cents, coalesce(s.earned_people, 0) as earned_people,
           coalesce(s.failures, '[]') as failures, s.receipts_to
    from location l left join message_stat s on s.location_id = l.id and s.period = ${period}
    where l.id = any(${[...locationIds]}::bigint[]) and l.removed_at is null order by l.name`.execute(tx)
  return rows
}
