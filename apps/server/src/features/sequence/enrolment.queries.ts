import {
  BACK_FILL_DAYS,
  dueAt,
  RE_ENROL_DAYS,
  RESPONSE_DAYS,
  type SequenceEvent,
  STARTED_BY_SUPPLY,
} from '@pillar/domain/campaign/sequence'
import { type Day, day as dayOf } from '@pillar/domain/time/day'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { withoutNestedLoops } from '../../db/scope.ts'
import { supplied } from '../metrics/supplied.queries.ts'
import { queueRecount } from '../run/recount-queue.queries.ts'
import { eventsOf } from './facts.queries.ts'
import type { TAKEN_BACK } from './run.queries.ts'

/** Advisory lock namespace of sequences: enrolling and deciding at a pharmacy hold it exclusively. */
const SEQUENCE_SPACE = 7330

/** Held until the transaction ends while enrolling or deciding follow-ups of a pharmacy. Taken before every other lock. */
export async function lockSequences(tx: Tx, locationId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(SEQUENCE_SPACE)}, (${locationId}::bigint % 2147483647)::int)`.execute(
    tx,
  )
}

/** Like `lockSequences`, without waiting. @returns false while another transaction holds it */
export async function tryLockSequences(tx: Tx, locationId: number): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(SEQUENCE_SPACE)}, (${locationId}::bigint % 2147483647)::int) as held`.execute(
    tx,
  )
  return rows[0]!.held
}

export interface RunningSequence {
  id: number
  event: SequenceEvent
}

/** A pharmacy's sequences that enrol on `today` (ISO): active, within their dates, with a follow-up. */
export async function runningSequences(tx: Tx, locationId: number, today: string): Promise<RunningSequence[]> {
  const { rows } = await sql<RunningSequence>`
    select q.id, e.value as event from sequence q join sequence_event e on e.id = q.sequence_event_id
    where q.location_id = ${locationId} and q.active and q.removed_at is null
      and ${today}::date between coalesce(q.start_day, ${today}::date) and coalesce(q.end_day, ${today}::date)
      and exists (select from follow_up u where u.location_id = q.location_id and u.sequence_id = q.id and u.removed_at is null)
    order by q.id`.execute(tx)
  return rows
}

/**
 * Enrols every patient to whom the sequence's event happened, by `s_fact`: at most 7 days ago, and 90 days after the last enrolment in the
 * same sequence for that patient and molecule (domain: `enrols`). An enrolment whose event is gone counts only if it sent something, and goes
 * on where the same event is back. @returns how many
 */
export async function enrol(
  tx: Tx,
  locationId: number,
  sequence: RunningSequence,
  at: { today: string; now: Date },
): Promise<number> {
  // In separate tables, so that the planner knows their size: enrolments may have been added a moment ago.
  await sql`
    create temp table s_event on commit drop as
    select * from (${eventsOf(sequence.event)}) v
    where v.event_day between ${at.today}::date - ${sql.lit(BACK_FILL_DAYS)} and ${at.today}::date`.execute(tx)
  await sql`
    create temp table s_last on commit drop as
    select e.patient_id, e.molecule_id, max(e.event_day) as event_day from enrolment e
    where e.location_id = ${locationId} and e.sequence_id = ${sequence.id} and (e.gone_at is null or exists (
      select from follow_up_message f join message m
        on m.location_id = f.location_id and m.run_id = f.run_id and m.patient_id = f.patient_id and m.channel = f.channel
      where f.location_id = e.location_id and f.enrolment_id = e.id and m.state <> 'skipped'))
    group by 1, 2`.execute(tx)
  await sql`analyze s_event, s_last`.execute(tx)
  const done = await sql`
    insert into enrolment as e (location_id, sequence_id, patient_id, molecule_id, event_day, enrolled_at, next_at)
    select ${locationId}, ${sequence.id}, v.patient_id, v.molecule_id, v.event_day, ${at.now}, ${at.now}
    from s_event v left join s_last l using (patient_id, molecule_id)
    where l.event_day is null or v.event_day = l.event_day or v.event_day - l.event_day >= ${sql.lit(RE_ENROL_DAYS)}
    on conflict (location_id, sequence_id, patient_id, molecule_id, event_day) do update
      set gone_at = null, enrolled_at = excluded.enrolled_at, next_at = excluded.next_at where e.gone_at is not null`.execute(
    tx,
  )
  await sql`drop table s_event, s_last`.execute(tx)
  return Number(done.numAffectedRows ?? 0)
}

/** `planNext` for those who enrolled at `now`. */
export function planEnrolledAt(tx: Tx, locationId: number, timeZone: string, now: Date): Promise<void> {
  return planNext(tx, locationId, timeZone, sql`e.enrolled_at = ${now}`)
}

/** `planNext` for these enrolments, by internal id. */
export function planEnrolments(tx: Tx, locationId: number, timeZone: string, ids: readonly number[]): Promise<void> {
  return withoutNestedLoops(tx, () => planNext(tx, locationId, timeZone, sql`e.id = any(${ids}::bigint[])`))
}

/** Whether enrolments `e` are followed up: their goal is not reached, and the record still shows their event. */
export const followed = sql`(e.goal_day is null and e.gone_at is null)`

/** Sets when the next follow-up of enrolments `e` is due: 10:00 by the pharmacy's clock; null if none is left. */
async function planNext(tx: Tx, locationId: number, timeZone: string, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    create temp table s_next on commit drop as
    select e.id, min(e.event_day + u.days_after) filter (where m.enrolment_id is null and ${followed}) as due_day
    from enrolment e
    left join follow_up u on u.location_id = e.location_id and u.sequence_id = e.sequence_id and u.removed_at is null
    left join follow_up_message m on m.location_id = e.location_id and m.enrolment_id = e.id and m.follow_up_id = u.id
    where e.location_id = ${locationId} and ${which} group by e.id`.execute(tx)
  await sql`analyze s_next`.execute(tx)
  const { rows } = await sql<{ due_day: string }>`
    select distinct due_day from s_next where due_day is not null`.execute(tx)
  const days = rows.map((row) => row.due_day)
  const instants = days.map((text) => dueAt(timeZone, dayOf(text), { follow_up_order: 1, days_after: 0 }))
  await sql`
    update enrolment t set next_at = d.due_at
    from s_next n left join unnest(${days}::date[], ${instants}::timestamptz[]) d(due_day, due_at) on d.due_day = n.due_day
    where t.location_id = ${locationId} and t.id = n.id and t.next_at is distinct from d.due_at`.execute(tx)
  await sql`drop table s_next`.execute(tx)
}

/**
 * The beginning of a statement, `supply`: supplies known on `today` (ISO) that may be goals and responses, for the patients of a temporary
 * table and since its first `day`.
 */
const withSupplies = (locationId: number, of: { table: string; day: string }, today: string) => sql`
  with d as materialized (select id, molecule_id from drug where location_id = ${locationId}),
  person as materialized (select distinct patient_id from ${sql.table(of.table)}),
  since as materialized (select min(${sql.ref(of.day)}) as day from ${sql.table(of.table)}),
  supply as materialized (
    select s.patient_id, d.molecule_id, s.dispensed_on as day from script s join d on d.id = s.drug_id
    where s.location_id = ${locationId} and s.dispensed_on between (select day from since) and ${today}::date and ${supplied}
      and s.patient_id in (select patient_id from person)
  )`

/** Enrolments with an unsent message in the ledger. */
const withQueued = (locationId: number) => sql`
  select f.enrolment_id from message_batch b
  join message m on m.location_id = b.location_id and m.batch_id = b.id and m.state = 'queued'
  join follow_up_message f on f.location_id = m.location_id and f.run_id = m.run_id and f.patient_id = m.patient_id
  where b.location_id = ${locationId} and b.context = 'sequence' and b.next_at is not null`

/** Enrolments `e` with a coming follow-up or an unsent message. */
const isOpen = (locationId: number) => sql`(e.next_at is not null or e.id in (${withQueued(locationId)}))`

/**
 * Finds enrolments with a coming or still queued follow-up (or among these, by id) that have reached their goal (domain: `goalReached`; any
 * supply for events of the patient). Nothing more of them becomes due, and their queued messages are taken back out of the ledger, skipped
 * `goal_reached`. @returns enrolments that ended
 */
export async function endReached(
  tx: Tx,
  locationId: number,
  at: { today: string; now: Date },
  ids?: readonly number[],
): Promise<number> {
  const which = ids ? sql`e.id = any(${[...ids]}::bigint[])` : isOpen(locationId)
  // A separate table, so that the planner knows its size: enrolments may have been added a moment ago.
  await sql`
    create temp table s_open on commit drop as
    select e.id, e.patient_id, e.molecule_id, e.event_day from enrolment e
    where e.location_id = ${locationId} and ${followed} and ${which}`.execute(tx)
  await sql`analyze s_open`.execute(tx)
  const { rows } = await sql<{ id: number }>`
    ${withSupplies(locationId, { table: 's_open', day: 'event_day' }, at.today)}
    update enrolment t set goal_day = g.day, next_at = null
    from (
      select e.id, min(s.day) as day from s_open e join supply s
        on s.patient_id = e.patient_id and s.day > e.event_day and e.molecule_id in (0, s.molecule_id)
      group by e.id
    ) g
    where t.location_id = ${locationId} and t.id = g.id
    returning t.id`.execute(tx)
  await sql`drop table s_open`.execute(tx)
  const reached = rows.map((row) => row.id)
  await takeBack(tx, locationId, reached, 'goal_reached', at.now)
  return rows.length
}

/**
 * Finds enrolments of a sequence, with a coming or still queued follow-up, whose event the record no longer shows, by `s_fact`: its script was
 * reversed or is somebody else's, a supply came late, the medicine was ceased, or days were corrected so that the event is still to come.
 * Nothing more of them becomes due, and their queued messages are taken back, skipped `event_gone`.
 */
export async function endGone(
  tx: Tx,
  locationId: number,
  sequence: RunningSequence,
  at: { today: string; now: Date },
): Promise<void> {
  // In separate tables, so that the planner knows their size.
  await sql`create temp table s_event on commit drop as select * from (${eventsOf(sequence.event)}) v`.execute(tx)
  await sql`
    create temp table s_open on commit drop as
    select e.id, e.patient_id, e.molecule_id from enrolment e
    where e.location_id = ${locationId} and e.sequence_id = ${sequence.id} and ${followed} and ${isOpen(locationId)}`.execute(
    tx,
  )
  await sql`analyze s_event, s_open`.execute(tx)
  const { rows } = await sql<{ id: number }>`
    update enrolment t set gone_at = ${at.now}, next_at = null
    from s_open o join s_person p on p.id = o.patient_id
    left join s_event v on v.patient_id = o.patient_id and v.molecule_id = o.molecule_id
    where t.location_id = ${locationId} and t.id = o.id and (v.event_day is null or v.event_day > ${at.today}::date)
    returning t.id`.execute(tx)
  await sql`drop table s_event, s_open`.execute(tx)
  const gone = rows.map((row) => row.id)
  await takeBack(tx, locationId, gone, 'event_gone', at.now)
}

/** Queued messages of these enrolments are skipped, unless another one that they cover is still followed up. */
async function takeBack(
  tx: Tx,
  locationId: number,
  ids: readonly number[],
  reason: (typeof TAKEN_BACK)[number],
  now: Date,
): Promise<void> {
  if (ids.length === 0) return
  const done = await sql`
    update message m set state = 'skipped', reason = ${reason}, cents = 0, settled_at = ${now}
    where m.location_id = ${locationId} and m.state = 'queued' and (m.run_id, m.patient_id, m.channel) in (
        select f.run_id, f.patient_id, f.channel from follow_up_message f
        where f.location_id = ${locationId} and f.enrolment_id = any(${[...ids]}::bigint[]) and f.run_id is not null)
      and not exists (
        select from follow_up_message f join enrolment e on e.location_id = f.location_id and e.id = f.enrolment_id
        where f.location_id = ${locationId} and f.run_id = m.run_id and f.patient_id = m.patient_id and f.channel = m.channel
          and ${followed})`.execute(tx)
  if ((done.numAffectedRows ?? 0n) > 0n) await queueRecount(tx, [locationId])
}

/**
 * Records who was dispensed the event's molecule within 14 days of a message sent on `since` or later, other than the supply that started
 * it (domain: `responded`).
 */
export async function noteResponses(
  tx: Tx,
  locationId: number,
  timeZone: string,
  today: string,
  since: Day,
): Promise<void> {
  await sql`
    create temp table s_sent on commit drop as
    select f.enrolment_id, f.follow_up_id, f.patient_id, e.molecule_id, (m.sent_at at time zone ${timeZone})::date as day,
           case when v.value = any(${[...STARTED_BY_SUPPLY]}::text[]) then e.event_day end as started
    from message_run r
    join follow_up_message f on f.location_id = ${locationId} and f.run_id = r.id
    join enrolment e on e.location_id = f.location_id and e.id = f.enrolment_id
    join message m on m.location_id = f.location_id and m.run_id = f.run_id and m.patient_id = f.patient_id and m.channel = f.channel
    join sequence q on q.location_id = f.location_id and q.id = r.sequence_id join sequence_event v on v.id = q.sequence_event_id
    where r.sequence_id in (select id from sequence where location_id = ${locationId})
      and (m.sent_at at time zone ${timeZone})::date >= date '1970-01-01' + ${since}::int`.execute(tx)
  await sql`analyze s_sent`.execute(tx)
  await sql`
    ${withSupplies(locationId, { table: 's_sent', day: 'day' }, today)}
    update follow_up_message t set responded_day = r.day
    from (
      select f.enrolment_id, f.follow_up_id, min(s.day) as day from s_sent f left join supply s
        on s.patient_id = f.patient_id and f.molecule_id in (0, s.molecule_id)
        and s.day between f.day and f.day + ${sql.lit(RESPONSE_DAYS)} and s.day is distinct from f.started
      group by 1, 2
    ) r
    where t.location_id = ${locationId} and t.enrolment_id = r.enrolment_id and t.follow_up_id = r.follow_up_id
      and t.responded_day is distinct from r.day`.execute(tx)
}
