import { Refusal } from '@pillar/contract'
import { LIVE_RUN_STATES } from '@pillar/domain/run-state'
import { type FollowUp, followUpProblem, type SequenceEvent } from '@pillar/domain/sequence'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Tx } from '../../db/database.ts'
import { lockRun } from '../message/run.queries.ts'
import { skipQueuedOfRun } from '../message/skip.queries.ts'
import { lockSequences } from './enrolment.queries.ts'

export interface NewSequence {
  uuid?: string
  title: string
  description?: string
  event: SequenceEvent
  recommendationId?: number | null
  preferred: 'sms' | 'email'
  /** Null for no limit. */
  budgetCents?: number | null
  /** ISO. */
  startDay?: string | null
  endDay?: string | null
  active: boolean
  marketingConsent?: boolean
  healthOutreachConsent?: boolean
  followUps: readonly (FollowUp & { templateId: number })[]
}

/** The first event that starts with this: several may, under different names. */
export const idOfEvent = (value: SequenceEvent) =>
  sql<number>`(select id from sequence_event where value = ${value} and removed_at is null order by id limit 1)`

/** Adds a sequence of a pharmacy with its follow-ups. @returns its internal id @throws Refusal invalid for follow-ups that make no sense */
export async function insertSequence(tx: Tx, locationId: number, sequence: NewSequence, now: Date): Promise<number> {
  const problem = followUpProblem(sequence.followUps)
  if (problem !== '') throw new Refusal('invalid', problem)
  const { id } = await tx
    .insertInto('sequence')
    .values({
      location_id: locationId,
      uuid: sequence.uuid ?? uuidv7(),
      title: sequence.title,
      description: sequence.description ?? '',
      sequence_event_id: idOfEvent(sequence.event),
      sequence_recommendation_id: sequence.recommendationId ?? null,
      preferred_communication_method: sequence.preferred,
      budget_cents: sequence.budgetCents ?? null,
      start_day: sequence.startDay ?? null,
      end_day: sequence.endDay ?? null,
      active: sequence.active,
      marketing_consent: sequence.marketingConsent ?? false,
      health_outreach_consent: sequence.healthOutreachConsent ?? true,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('follow_up')
    .values(
      sequence.followUps.map(({ follow_up_order, days_after, templateId }) => ({
        location_id: locationId,
        uuid: uuidv7(),
        sequence_id: id,
        follow_up_order,
        days_after,
        template_id: templateId,
      })),
    )
    .execute()
  return id
}

/**
 * Switches a sequence of a pharmacy on or off. Off, nobody enrols, what is queued is skipped `stopped`, and nothing of it is handed over
 * once the transaction has committed; follow-ups that become due meanwhile are skipped `inactive`. @returns messages kept back
 */
export async function setSequenceActive(
  tx: Tx,
  locationId: number,
  id: number,
  active: boolean,
  now: Date,
): Promise<number> {
  await lockSequences(tx, locationId)
  await tx
    .updateTable('sequence')
    .set({ active, updated_at: now })
    .where('location_id', '=', locationId)
    .where('id', '=', id)
    .execute()
  if (active) return 0
  const runs = await tx
    .selectFrom('message_run')
    .select('id')
    .where('sequence_id', '=', id)
    .where('state', 'in', LIVE_RUN_STATES)
    .orderBy('id')
    .execute()
  let kept = 0
  for (const run of runs) {
    await lockRun(tx, run.id)
    await tx.updateTable('message_run').set({ state: 'done', ended_at: now }).where('id', '=', run.id).execute()
    kept += await skipQueuedOfRun(tx, run.id, 'stopped', now)
  }
  return kept
}

/** What a sequence came to, test patients never being in one. */
export interface SequenceStats {
  /** Cents of messages a gateway took. */
  cents: number
  /** Patients with a message sent or delivered, and those of them dispensed the event's molecule within 14 days. */
  num_messaged: number
  num_responded: number
  /** Messages sent or delivered. */
  sms: number
  email: number
  sms_sent: number
  sms_delivered: number
  sms_failed: number
  sms_scheduled: number
  email_sent: number
  email_delivered: number
  email_failed: number
  email_scheduled: number
  last_message_sent: Date | null
}

/** What each of these sequences of a pharmacy came to, by internal id; one without messages has zeros. */
export async function sequenceStats(
  tx: Tx,
  locationId: number,
  sequenceIds: readonly number[],
): Promise<Map<number, SequenceStats>> {
  const count = (channel: 'sms' | 'email', states: readonly string[]) =>
    sql`count(m.id) filter (where m.channel = ${sql.lit(channel)} and m.state = any(${[...states]}::text[]))`
  const went = ['sent', 'delivered']
  const { rows } = await sql<SequenceStats & { id: number }>`
    select q.id,
      coalesce(sum(m.cents) filter (where m.sent_at is not null), 0) as cents,
      count(distinct m.patient_id) filter (where m.state = any(${went}::text[])) as num_messaged,
      (select count(distinct f.patient_id) from follow_up_message f
       where f.location_id = q.location_id and f.sequence_id = q.id and f.responded_day is not null) as num_responded,
      ${count('sms', went)} as sms, ${count('email', went)} as email,
      ${count('sms', ['sent'])} as sms_sent, ${count('sms', ['delivered'])} as sms_delivered,
      ${count('sms', ['failed'])} as sms_failed, ${count('sms', ['queued', 'sending'])} as sms_scheduled,
      ${count('email', ['sent'])} as email_sent, ${count('email', ['delivered'])} as email_delivered,
      ${count('email', ['failed'])} as email_failed, ${count('email', ['queued', 'sending'])} as email_scheduled,
      max(m.sent_at) as last_message_sent
    from sequence q
    left join message_run r on r.sequence_id = q.id
    left join message m on m.location_id = q.location_id and m.run_id = r.id and not m.fake
    where q.location_id = ${locationId} and q.id = any(${[...sequenceIds]}::bigint[])
    group by q.location_id, q.id`.execute(tx)
  return new Map(rows.map(({ id, ...stats }) => [id, stats]))
}
