import type { FollowUpReason } from '@pillar/domain/campaign/sequence'
import type { SkipReason } from '@pillar/domain/cohort/held-back'
import { smsCents } from '@pillar/domain/message/sms-text'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Tx } from '../../db/database.ts'
import { insertBatch } from '../run/run-write.queries.ts'
import type { Channel } from '../sending/lease.queries.ts'
import { standing } from '../sending/rule/cancelled.queries.ts'
import type { CampaignText } from '../template/text.queries.ts'

/** The run of a follow-up for its due day (ISO), or null if there is none yet. */
export async function findRun(tx: Tx, followUpId: number, dueDay: string): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from message_run where follow_up_id = ${followUpId} and due_day = ${dueDay}`.execute(tx)
  return rows[0]?.id ?? null
}

/** Creates the run of a follow-up for its due day. Nothing is sent after `endsAt`. @returns its id */
export async function insertRun(
  tx: Tx,
  run: { companyId: number; sequenceId: number; followUpId: number; dueDay: string; now: Date; endsAt: Date },
): Promise<number> {
  const { id } = await tx
    .insertInto('message_run')
    .values({
      uuid: uuidv7(),
      company_id: run.companyId,
      context: 'sequence',
      sequence_id: run.sequenceId,
      follow_up_id: run.followUpId,
      due_day: run.dueDay,
      state: 'holding',
      created_at: run.now,
      starts_at: run.now,
      ends_at: run.endsAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Why a queued message is taken back: it goes after all if another medicine falls due for the patient that day. */
export const TAKEN_BACK = ['goal_reached', 'event_gone'] as const

/** A message of a run. */
export interface RunMessage {
  id: number
  batch_id: number
  patient_id: number
  channel: Channel
  state: string
  reason: SkipReason | null
  contact: string | null
  parts: number
}

/** Patients who have a message in a run already, and the numbers and addresses taken by those that will be sent. */
export async function messagesOfRun(tx: Tx, locationId: number, runId: number): Promise<RunMessage[]> {
  const { state, reason } = standing()
  const { rows } = await sql<RunMessage>`
    select m.id, m.batch_id, m.patient_id, m.channel, ${state} as state, ${reason} as reason, m.contact, m.parts
    from message m join message_run r on r.id = m.run_id join message_batch b on b.location_id = m.location_id and b.id = m.batch_id
    where m.location_id = ${locationId} and m.run_id = ${runId}`.execute(tx)
  return rows
}

/**
 * Requeues messages that were taken back, unchanged, for another medicine of the same day; without a
 * sending hour in time they are skipped. Those of a stopped batch stay unchanged. @returns how many are queued
 */
export async function queueAgain(
  tx: Tx,
  locationId: number,
  messages: readonly Pick<RunMessage, 'id' | 'parts'>[],
  { plannedAt, now }: { plannedAt: Date | null; now: Date },
): Promise<number> {
  if (messages.length === 0) return 0
  const goes = plannedAt !== null
  const done = await sql`
    update message m set state = ${goes ? 'queued' : 'skipped'}, reason = ${goes ? null : 'quiet_hours'}, planned_at = ${plannedAt},
      settled_at = ${goes ? null : now}, cents = case when ${goes} and m.channel = 'sms' then n.cents else 0 end
    from message_batch b, unnest(${messages.map(({ id }) => id)}::bigint[], ${messages.map(({ parts }) => smsCents(parts))}::int[]) as n(id, cents)
    where m.location_id = ${locationId} and m.id = n.id and m.state = 'skipped' and m.reason = any(${[...TAKEN_BACK]}::text[])
      and b.location_id = ${locationId} and b.id = m.batch_id and b.stopped_at is null`.execute(tx)
  return goes ? Number(done.numAffectedRows ?? 0) : 0
}

/**
 * A run's batch for a channel with the present text: each text has its own batch, and a batch keeps its text. A stopped batch accepts
 * nothing more, and a stop waits for messages being added now.
 */
export async function batchOf(
  tx: Tx,
  batch: {
    runId: number
    companyId: number
    locationId: number
    channel: Channel
    text: CampaignText
    smsSender: string | null
    now: Date
  },
): Promise<number> {
  const { text, channel } = batch
  const { rows } = await sql<{ id: number }>`
    select id from message_batch where location_id = ${batch.locationId} and run_id = ${batch.runId} and channel = ${channel}
      and template_id = ${text.id} and body = ${text.body} and message_kind = ${text.message_kind} and stopped_at is null
      and subject is not distinct from ${channel === 'email' ? text.subject : null}::text for update`.execute(tx)
  return rows[0]?.id ?? insertBatch(tx, { ...batch, context: 'sequence', userName: null })
}

/**
 * Lets senders look at a batch from `plannedAt` on, unless it was stopped, because its run could then not end. Call it after writing its
 * messages.
 */
export async function wakeBatch(tx: Tx, locationId: number, batchId: number, plannedAt: Date): Promise<void> {
  await sql`update message_batch set next_at = least(next_at, ${plannedAt}::timestamptz)
            where location_id = ${locationId} and id = ${batchId} and stopped_at is null`.execute(tx)
}

/** The decision on an enrolment's follow-up: the message of a run, or the reason why there is none. */
export interface Decision {
  enrolmentId: number
  followUpId: number
  sequenceId: number
  patientId: number
  dueAt: Date
  runId: number | null
  channel: Channel | null
  reason: FollowUpReason | null
}

/** Stores decisions. A follow-up decided before stays unchanged. @returns the new ones, as `enrolment:follow-up` */
export async function insertDecisions(
  tx: Tx,
  locationId: number,
  decisions: readonly Decision[],
  now: Date,
): Promise<Set<string>> {
  if (decisions.length === 0) return new Set()
  const column = <K extends keyof Decision>(key: K) => decisions.map((one) => one[key])
  const { rows } = await sql<{ key: string }>`
    insert into follow_up_message (location_id, enrolment_id, follow_up_id, sequence_id, patient_id, due_at, decided_at, run_id, channel, reason)
    select ${locationId}, d.enrolment_id, d.follow_up_id, d.sequence_id, d.patient_id, d.due_at, ${now}, d.run_id, d.channel, d.reason
    from unnest(${column('enrolmentId')}::bigint[], ${column('followUpId')}::bigint[], ${column('sequenceId')}::bigint[],
      ${column('patientId')}::bigint[], ${column('dueAt')}::timestamptz[], ${column('runId')}::bigint[], ${column('channel')}::text[],
      ${column('reason')}::text[]) as d(enrolment_id, follow_up_id, sequence_id, patient_id, due_at, run_id, channel, reason)
    on conflict do nothing returning enrolment_id || ':' || follow_up_id as key`.execute(tx)
  return new Set(rows.map((row) => row.key))
}

/** Cents spent by each sequence of a pharmacy, and committed to messages on their way. */
export async function spentCents(
  tx: Tx,
  locationId: number,
  sequenceIds: readonly number[],
): Promise<Map<number, number>> {
  if (sequenceIds.length === 0) return new Map()
  const { rows } = await sql<{ id: number; cents: number }>`
    select r.sequence_id as id, sum(m.cents) as cents from message_run r
    join message m on m.location_id = ${locationId} and m.run_id = r.id join message_batch b on b.location_id = m.location_id and b.id = m.batch_id
    where r.sequence_id = any(${[...sequenceIds]}::bigint[]) and (m.sent_at is not null or ${standing().state} in ('queued', 'sending', 'unknown'))
    group by 1`.execute(tx)
  return new Map(rows.map((row) => [row.id, row.cents]))
}
