import { coursesOf, measuredAt, standingAt } from '@pillar/domain/measure/person'
import { day as dayOf, formatDay } from '@pillar/domain/time/day'
import { priorSpan } from '@pillar/domain/time/period'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { readRecord } from '../metrics/record.queries.ts'
import { writeGroups } from './campaign-group.queries.ts'
import { pointDays, writePoints } from './campaign-point.queries.ts'
import { eligible } from './touch.queries.ts'

/** Dispensing data is corrected late: campaigns that ended this recently are recalculated. */
const LATE_DAYS = 120

interface ResultLocation {
  id: number
  timeZone: string
  dataTo: string
}

interface Due {
  campaign_id: number
  from_day: string
  end_day: string
  /** The campaign's own end, which may still lie ahead. */
  last_day: string | null
  /** Its goal is adherence or loyalty: its people's standing is then also measured on the days between. */
  state_goal: boolean
  data_from: string | null
}

/**
 * Calculates where the people of a pharmacy's campaigns stand: everybody its runs selected, frozen when they were written. Sums what counts
 * for the campaign from its start to its end or the newest data, and over the same dates a year earlier; adherence and loyalty follow the
 * rules of the financials, at the end and on the day before the start. Then forms the groups in which revenue is compared, from the
 * touches (decision 020). Needs its own transaction, because it makes temporary tables. @returns campaigns calculated
 */
export async function refreshCampaigns(tx: Tx, location: ResultLocation): Promise<number> {
  const due = await dueCampaigns(tx, location)
  if (due.length === 0) return 0
  await sql`set local work_mem = '64MB'`.execute(tx)
  await sql`set local statement_timeout = '120s'`.execute(tx)
  await loadCampaigns(tx, due)
  await loadPeople(tx, location.id)
  await loadLines(tx, location.id)
  await measureStanding(tx, location, due)
  await writeResults(tx, location)
  await writePoints(tx, location.id)
  await writeGroups(tx, location.id)
  return due.length
}

/** Whether a campaign has written messages at the pharmacy since results were last calculated. */
export async function hasNewCampaign(tx: Tx, locationId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from campaign_stat s join campaign c on c.id = s.campaign_id and c.removed_at is null where s.location_id = ${locationId}
      and not exists (select from campaign_result r where r.location_id = s.location_id and r.campaign_id = s.campaign_id) limit 1`.execute(
    tx,
  )
  return rows.length > 0
}

/** The pharmacy's data needed to calculate results; null before its first upload. */
export async function dataOf(tx: Tx, locationId: number): Promise<ResultLocation | null> {
  const row = await tx
    .selectFrom('location')
    .select(['id', 'time_zone as timeZone', 'data_to as dataTo'])
    .where('id', '=', locationId)
    .executeTakeFirst()
  return row?.dataTo ? { ...row, dataTo: row.dataTo } : null
}

async function dueCampaigns(tx: Tx, { id, timeZone, dataTo }: ResultLocation): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select c.id as campaign_id, coalesce(c.start_day, (min(r.starts_at) at time zone ${timeZone})::date) as from_day,
           least(c.end_day, ${dataTo}::date) as end_day, c.end_day as last_day,
           coalesce(c.goal_type in ('adherence', 'loyalty'), false) as state_goal, (select data_from from location where id = ${id}) as data_from
    from campaign c join message_run r on r.campaign_id = c.id join message_batch b on b.run_id = r.id and b.location_id = ${id}
    left join campaign_result o on o.location_id = ${id} and o.campaign_id = c.id
    where c.removed_at is null
      and (o.measured_pairs is null or c.end_day is null or c.end_day > ${dataTo}::date - ${sql.lit(LATE_DAYS)} or o.to_day < c.end_day)
    group by c.id`.execute(tx)
  return rows
}

/** `c_campaign`: each campaign's days, and what counts for it. Days are whole numbers as in the metrics tables. */
async function loadCampaigns(tx: Tx, due: readonly Due[]): Promise<void> {
  const spans = due.map((one) => {
    const from = dayOf(one.from_day)
    // A campaign that has not started, or ended before it began, has no sums; its people have a standing nevertheless.
    const to = dayOf(one.end_day)
    const base = to >= from ? priorSpan(from, to) : null
    const known = base !== null && one.data_from !== null && dayOf(one.data_from) <= base.from
    const last = one.last_day === null ? null : dayOf(one.last_day)
    const whole = known && last !== null && last >= from ? priorSpan(from, last).to : null
    return { id: one.campaign_id, from, to, base: known ? base : null, whole }
  })
  const ids = spans.map((one) => one.id)
  await sql`
    create temp table c_campaign on commit drop as
    select s.*, e.molecules, e.drug_types
    from unnest(${ids}::bigint[], ${spans.map((s) => s.from)}::int[], ${spans.map((s) => s.to)}::int[],
      ${spans.map((s) => s.base?.from ?? null)}::int[], ${spans.map((s) => s.base?.to ?? null)}::int[], ${spans.map((s) => s.whole)}::int[])
      as s(campaign_id, from_day, to_day, base_from, base_to, whole_to)
    join (${eligible(sql`select unnest(${ids}::bigint[])`)}) e using (campaign_id)`.execute(tx)
}

/** `c_person`: everybody a campaign's runs selected, held back or not, except test patients. */
async function loadPeople(tx: Tx, locationId: number): Promise<void> {
  await sql`
    create temp table c_person on commit drop as
    select distinct r.campaign_id, m.patient_id from message m join message_run r on r.id = m.run_id
    where m.location_id = ${locationId} and r.campaign_id in (select campaign_id from c_campaign) and not m.fake`.execute(
    tx,
  )
  await sql`analyze c_person`.execute(tx)
}

/** `c_line`: what these people were dispensed since the first day that counts for any of the campaigns. */
async function loadLines(tx: Tx, id: number): Promise<void> {
  await sql`
    create temp table c_line on commit drop as
    with d as materialized (
      select d.id, d.molecule_id, m.drug_type_id from drug d join molecule m on m.id = d.molecule_id where d.location_id = ${id}
    ), person as materialized (select distinct patient_id from c_person),
    since as materialized (select ${sql.lit(formatDay(0))}::date + least(min(from_day), min(base_from)) as day from c_campaign)
    select l.patient_id, l.dispensed_on - ${sql.lit(formatDay(0))}::date as day, l.patient_price_cents::bigint + l.government_cents as cents,
           l.patient_price_cents::bigint + l.government_cents >= 0 as supplied, d.molecule_id, d.drug_type_id
    from script l join d on d.id = l.drug_id
    where l.location_id = ${id} and not l.reversed and not l.deferred and l.patient_id in (select patient_id from person)
      and l.dispensed_on >= (select day from since)`.execute(tx)
  await sql`analyze c_line`.execute(tx)
}

/** The days on which the standing of a campaign's people is measured: before the start, at the end, and in between if that is its goal. */
function standingDays({ from_day, end_day, state_goal }: Due): number[] {
  const [from, to] = [dayOf(from_day), dayOf(end_day)]
  return [from - 1, to, ...(state_goal ? pointDays(from, to) : [])]
}

/**
 * The number of people whose standing is calculated at a time: others get their turn in between, and memory holds only part of a large
 * pharmacy.
 */
const TURN = 200

/** `c_standing`: measured pairs with their observed and covered days, slots here and leaked, for every person on every requested day. */
async function measureStanding(tx: Tx, { id, dataTo }: ResultLocation, due: readonly Due[]): Promise<void> {
  const last = dayOf(dataTo)
  const days = [...new Set(due.flatMap(standingDays))].filter((day) => day <= last)
  const people = sql`and s.patient_id in (select patient_id from c_person)`
  const { record, around, people: known } = await readRecord(tx, id, { only: people })
  await sql`
    create temp table c_standing (at_day int, patient_id bigint, pairs int, observed int, covered int, here int, leaked int) on commit drop`.execute(
    tx,
  )
  for (let from = 0; from < known.length; from += TURN) {
    const standing = known.slice(from, from + TURN).flatMap((person, n) => {
      const courses = coursesOf(record, around, from + n)
      return days.map((day) => ({
        ...{ id: person.id, day },
        ...standingAt(record, from + n, measuredAt(courses, day), day),
      }))
    })
    const seen = standing.filter((one) => one.pairs + one.here + one.leaked > 0)
    const list = (name: keyof (typeof seen)[number]) => seen.map((one) => one[name])
    await sql`
      insert into c_standing
      select * from unnest(${list('day')}::int[], ${list('id')}::bigint[], ${list('pairs')}::int[], ${list('observed')}::int[],
        ${list('covered')}::int[], ${list('here')}::int[], ${list('leaked')}::int[])`.execute(tx)
  }
  await sql`analyze c_standing`.execute(tx)
}

async function writeResults(tx: Tx, { id, dataTo }: ResultLocation): Promise<void> {
  const last = dayOf(dataTo)
  await sql`
    insert into campaign_result (location_id, campaign_id, from_day, to_day, people, cents, scripts, visits, base_cents, base_scripts,
      base_visits, whole_base_cents, whole_base_scripts, whole_base_visits, measured_pairs, observed_days, covered_days, here_slots, leaked_slots, base_measured_pairs, base_observed_days,
      base_covered_days, base_here_slots, base_leaked_slots, attributed_people, attributed_cents, expected_cents, computed_to)
    with summed as (
      select c.campaign_id, ${sumsOf('c.from_day', 'c.to_day', '')}, ${sumsOf('c.base_from', 'c.base_to', 'base_')},
             ${sumsOf('c.base_from', 'c.whole_to', 'whole_base_')}
      from c_campaign c join c_person p using (campaign_id) join c_line l on l.patient_id = p.patient_id
        and ((c.molecules is null and c.drug_types is null) or l.molecule_id = any(c.molecules) or l.drug_type_id = any(c.drug_types))
      group by c.campaign_id
    ), stood as (
      select c.campaign_id, ${standingOf('c.to_day', '')}, ${standingOf('c.from_day - 1', 'base_')}
      from c_campaign c join c_person p using (campaign_id) join c_standing s on s.patient_id = p.patient_id group by c.campaign_id
    ), counted as (select campaign_id, count(*) as people from c_person group by 1),
    earned as (
      select t.campaign_id, count(*) as people, sum(t.cents) as cents,
             sum(t.year_before_cents * (t.to_day - t.from_day + 1) / 365.0)::bigint as expected
      from touch t where t.location_id = ${id} and t.part = 'messaged' and t.to_day >= t.from_day and t.whole_year group by 1
    )
    select ${id}, c.campaign_id, ${formatDay(0)}::date + c.from_day, ${formatDay(0)}::date + c.to_day, n.people,
      ${given('c.to_day >= c.from_day', 'u', ['cents', 'scripts', 'visits'])},
      ${given('c.base_from is not null', 'u', ['base_cents', 'base_scripts', 'base_visits'])},
      ${given('c.whole_to is not null', 'u', WHOLE)},
      ${given('true', 's', ['pairs', 'observed', 'covered', 'here', 'leaked'])},
      ${given(`c.from_day - 1 <= ${last}`, 's', ['base_pairs', 'base_observed', 'base_covered', 'base_here', 'base_leaked'])},
      coalesce(e.people, 0), coalesce(e.cents, 0), coalesce(e.expected, 0), ${dataTo}::date
    from c_campaign c join counted n using (campaign_id) left join summed u using (campaign_id) left join stood s using (campaign_id)
    left join earned e using (campaign_id)
    on conflict (location_id, campaign_id) do update set ${sql.raw(
      [...RESULT_COLUMNS, 'from_day', 'to_day', 'people', 'computed_to']
        .map((name) => `${name} = excluded.${name}`)
        .join(', '),
    )}`.execute(tx)
}

const SUMS = [
  'cents',
  'scripts',
  'visits',
  'measured_pairs',
  'observed_days',
  'covered_days',
  'here_slots',
  'leaked_slots',
]
const WHOLE = ['whole_base_cents', 'whole_base_scripts', 'whole_base_visits']
const RESULT_COLUMNS = [
  ...SUMS,
  ...WHOLE,
  ...SUMS.map((name) => `base_${name}`),
  ...['attributed_people', 'attributed_cents', 'expected_cents'],
]

const sumsOf = (from: string, to: string, prefix: string) =>
  sql.raw(`sum(l.cents) filter (where l.day between ${from} and ${to}) as ${prefix}cents,
    count(*) filter (where l.supplied and l.day between ${from} and ${to}) as ${prefix}scripts,
    count(distinct (l.patient_id, l.day)) filter (where l.supplied and l.day between ${from} and ${to}) as ${prefix}visits`)

const standingOf = (day: string, prefix: string) =>
  sql.raw(
    ['pairs', 'observed', 'covered', 'here', 'leaked']
      .map((name) => `sum(s.${name}) filter (where s.at_day = ${day}) as ${prefix}${name}`)
      .join(', '),
  )

const given = (when: string, table: string, names: readonly string[]) =>
  sql.raw(names.map((name) => `case when ${when} then coalesce(${table}.${name}, 0) end`).join(', '))
