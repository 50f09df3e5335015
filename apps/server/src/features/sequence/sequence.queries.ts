import { Refusal } from '@pillar/contract'
import { type FollowUp, followUpProblem, type SequenceEvent } from '@pillar/domain/campaign/sequence'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Tx } from '../../db/database.ts'
import { refuseTaken } from '../../db/taken.ts'

export interface NewSequence {
  uuid?: string
  title: string
  description?: string
  /** Its starting event: the first one of that value, or one by its internal id. */
  event: SequenceEvent | { id: number }
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

/** The first event with this value, or null: several may have it, under different names, and support may change that of the last one. */
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
      sequence_event_id: typeof sequence.event === 'string' ? idOfEvent(sequence.event) : sequence.event.id,
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

/** Refuses a title that another sequence of the pharmacy has. @throws Refusal conflict */
export const refuseTakenTitle = <T>(title: string, write: () => Promise<T>) =>
  refuseTaken(
    { sequence_title: `This pharmacy already has a sequence called "${title}". Please enter another title.` },
    write,
  )
