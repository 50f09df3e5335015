import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { Channel } from '../../sending/lease.queries.ts'
import { standing } from '../../sending/rule/cancelled.queries.ts'

/** The outcome of a follow-up for those who started its sequence; see the domain's `StepCounts`. */
export type Outcome =
  | 'responded'
  | 'sent'
  | 'failed'
  | 'unknown'
  | 'queued'
  | 'skipped'
  | 'ended'
  | 'waiting'
  | 'added_later'

export interface OutcomeRow {
  follow_up_id: number
  outcome: Outcome
  reason: string | null
  channel: Channel | null
  people: number
  /** The number of people for whom it is the next follow-up. */
  next: number
  /** The first day it is due for waiting people, ISO. */
  next_due: string | null
}

/** Leaves out enrolments `e` whose event is gone before anything was decided: they never began. */
const began = (locationId: number) => sql`(e.gone_at is null or e.id in (
  select f.enrolment_id from follow_up_message f where f.location_id = ${locationId}))`

/**
 * Enrolments of a sequence at each of its follow-ups, by outcome. For a removed follow-up, counts only decided ones. Test patients are left
 * out.
 */
export async function countOutcomes(tx: Tx, locationId: number, id: number): Promise<OutcomeRow[]> {
  const { state, reason } = standing()
  const { rows } = await sql<OutcomeRow>`
    with at_step as (
      select u.id as follow_up_id, u.removed_at, e.event_day + u.days_after as due_day, coalesce(f.reason, case when f.enrolment_id is null and e.gone_at is not null then 'event_gone' end) as decided, f.channel, ${reason} as held,
        case
          when f.enrolment_id is null and e.goal_day is not null then 'ended'
          when f.enrolment_id is null and e.gone_at is not null then 'skipped'
          when f.enrolment_id is null and e.next_at is null then 'added_later'
          when f.enrolment_id is null then 'waiting'
          when f.reason is not null or ${state} = 'skipped' then 'skipped'
          when m.state in ('queued', 'sending') then 'queued'
          when m.state = 'failed' then 'failed'
          when m.state in ('sent', 'delivered') and f.responded_day is not null then 'responded'
          when m.state in ('sent', 'delivered') then 'sent'
          else 'unknown' end as outcome,
        row_number() over (partition by e.id, f.enrolment_id is null and u.removed_at is null
          order by u.days_after, u.follow_up_order) as turn
      from enrolment e
      join patient p on p.location_id = e.location_id and p.id = e.patient_id and not p.fake
      join follow_up u on u.location_id = e.location_id and u.sequence_id = e.sequence_id
      left join follow_up_message f on f.location_id = e.location_id and f.enrolment_id = e.id and f.follow_up_id = u.id
      left join message m on m.location_id = f.location_id and m.run_id = f.run_id and m.patient_id = f.patient_id and m.channel = f.channel
      left join message_batch b on b.location_id = m.location_id and b.id = m.batch_id
      left join message_run r on r.id = m.run_id
      where e.location_id = ${locationId} and e.sequence_id = ${id} and ${began(locationId)} and (u.removed_at is null or f.enrolment_id is not null)
    )
    select follow_up_id, outcome, channel, case when outcome = 'skipped' then coalesce(decided, held, '') end as reason, count(*) as people,
      count(*) filter (where outcome = 'waiting' and turn = 1) as next, (min(due_day) filter (where outcome = 'waiting'))::text as next_due
    from at_step group by 1, 2, 3, 4 order by people desc, outcome, reason, channel`.execute(tx)
  return rows
}

export interface LedgerRow {
  follow_up_id: number
  channel: Channel
  state: 'queued' | 'sending' | 'sent' | 'delivered' | 'failed' | 'skipped' | 'unknown'
  messages: number
  /** Cents of sent messages, and of sent messages plus those on their way. */
  cents: number
  bound_cents: number
  last_sent_at: Date | null
}

/** Messages of a sequence in the ledger, by follow-up, channel and state. Test patients are left out. */
export async function countMessages(tx: Tx, locationId: number, id: number): Promise<LedgerRow[]> {
  const { state } = standing()
  const { rows } = await sql<LedgerRow>`
    select r.follow_up_id, m.channel, ${state} as state, count(*) as messages,
      coalesce(sum(m.cents) filter (where m.sent_at is not null), 0) as cents,
      coalesce(sum(m.cents) filter (where m.sent_at is not null or ${state} in ('queued', 'sending', 'unknown')), 0) as bound_cents,
      max(m.sent_at) as last_sent_at
    from message_run r join message m on m.location_id = ${locationId} and m.run_id = r.id and not m.fake
      join message_batch b on b.location_id = m.location_id and b.id = m.batch_id
    where r.sequence_id = ${id} group by 1, 2, 3`.execute(tx)
  return rows
}

export interface SequencePeople {
  started: number
  in_progress: number
  completed: number
  ended: number
  /** ISO. */
  first_event: string | null
  last_event: string | null
  num_messaged: number
  num_responded: number
}

/** How far those who started a sequence have come, and how many patients had a message and responded. Test patients are left out. */
export async function countPeople(tx: Tx, locationId: number, id: number): Promise<SequencePeople> {
  const { rows } = await sql<SequencePeople>`
    with e as (
      select e.id, e.event_day, e.goal_day, e.next_at from enrolment e
      join patient p on p.location_id = e.location_id and p.id = e.patient_id and not p.fake
      where e.location_id = ${locationId} and e.sequence_id = ${id} and ${began(locationId)}),
    went as (
      select f.patient_id, f.responded_day from follow_up_message f
      join message m on m.location_id = f.location_id and m.run_id = f.run_id and m.patient_id = f.patient_id and m.channel = f.channel
      where f.location_id = ${locationId} and f.sequence_id = ${id} and m.state in ('sent', 'delivered') and not m.fake)
    select count(*) as started, count(*) filter (where goal_day is null and next_at is not null) as in_progress,
      count(*) filter (where goal_day is null and next_at is null) as completed, count(*) filter (where goal_day is not null) as ended,
      min(event_day)::text as first_event, max(event_day)::text as last_event,
      (select count(distinct patient_id) from went) as num_messaged,
      (select count(distinct patient_id) filter (where responded_day is not null) from went) as num_responded
    from e`.execute(tx)
  if (!rows[0]) throw new Error('an aggregate answers one row')
  return rows[0]
}

export interface StepRow {
  id: number
  follow_up_id: string
  follow_up_order: number
  days_after: number
  removed: boolean
  template: string
}

/** The follow-ups of a sequence, including removed ones, in order of their days. */
export async function stepsOf(tx: Tx, locationId: number, id: number): Promise<StepRow[]> {
  const { rows } = await sql<StepRow>`
    select u.id, u.uuid as follow_up_id, u.follow_up_order, u.days_after, u.removed_at is not null as removed, coalesce(t.name, '') as template
    from follow_up u left join template t on t.id = u.template_id
    where u.location_id = ${locationId} and u.sequence_id = ${id}
    order by u.days_after, u.follow_up_order, u.id`.execute(tx)
  return rows
}
