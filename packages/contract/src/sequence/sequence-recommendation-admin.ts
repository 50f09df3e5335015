import {
  MOST_FOLLOW_UPS,
  SEQUENCE_DESCRIPTION_LIMIT,
  SEQUENCE_TITLE_LIMIT,
} from '@pillar/domain/campaign/sequence-draft'
import { z } from 'zod'
import { read, write } from '../wire/call.ts'
import { listInput, listOf } from '../wire/list.ts'
import { sequenceEvent } from './sequence-admin.ts'

/** A sequence recommended to every pharmacy. */
export const AdminSequenceRecommendation = z.object({
  sequence_recommendation_id: z.uuid(),
  title: z.string(),
  description: z.string(),
  sequence_event_id: z.uuid(),
  /** The event's name. */
  sequence_event: z.string(),
  /** The recommended templates of its follow-ups, in order. */
  template_ids: z.array(z.uuid()),
  templates: z.array(
    z.object({
      template_id: z.uuid(),
      template_name: z.string(),
      follow_up_order: z.number(),
      /** Counted from the event, not from the previous follow-up. */
      days_after: z.number(),
      sms_template: z.boolean(),
      email_template: z.boolean(),
    }),
  ),
  marketing_consent: z.boolean(),
  health_outreach_consent: z.boolean(),
  /** Pharmacy sequences made from it, and how many are active. */
  sequences: z.number(),
  active_sequences: z.number(),
  published_at: z.iso.datetime(),
  /** When it was withdrawn; null while it is recommended. */
  removed_at: z.iso.datetime().nullable(),
  version: z.number(),
})
export type AdminSequenceRecommendation = z.output<typeof AdminSequenceRecommendation>

const id = z.uuid()
const RECOMMENDATION = '0192c0de-0004-7000-8000-000000000001'
const fields = {
  title: z.string().max(SEQUENCE_TITLE_LIMIT).default(''),
  description: z.string().max(SEQUENCE_DESCRIPTION_LIMIT).default(''),
  sequence_event_id: z.uuid().nullish(),
  /** Recommended templates in follow-up order. */
  template_ids: z.array(z.uuid()).max(MOST_FOLLOW_UPS).default([]),
  /** Days after the event for each of `template_ids`. Left out: unchanged, and each new one comes 7 days after the one before. */
  days_after: z.array(z.number()).max(MOST_FOLLOW_UPS).nullish(),
  marketing_consent: z.boolean().default(false),
  health_outreach_consent: z.boolean().default(true),
}
const example = {
  title: 'Starting a new medicine',
  description: 'Asks after three days how it is going.',
  sequence_event_id: '01980000-0000-7000-8000-000000000001',
  template_ids: ['0192c0de-0001-7000-8000-000000000013'],
  days_after: [3],
}

const list = read({
  path: '/api/sequence-recommendation/admin/list',
  needs: 'sr_login',
  reach: 'platform',
  about: 'Sequences recommended to every pharmacy.',
  example: { page: 1, search_term: 'medicine' },
  input: listInput(['title', 'sequence_event', 'published_at'], {
    /** Show withdrawn ones instead. */
    removed: z.boolean().default(false),
  }),
  output: listOf(AdminSequenceRecommendation, 'sequence_recommendations'),
})

const info = read({
  path: '/api/sequence-recommendation/admin/{id}/info',
  needs: 'sr_login',
  reach: 'platform',
  about: 'One recommended sequence.',
  example: { id: RECOMMENDATION },
  input: z.object({ id }),
  output: AdminSequenceRecommendation,
})

const stale = () => [list, info, sequenceEvent.list]

/** Recommended sequences in the support console. */
export const sequenceRecommendation = {
  list,
  info,
  create: write({
    path: '/api/sequence-recommendation/admin/create',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    refreshes: stale,
    about: 'Recommends a sequence to every pharmacy.',
    example,
    input: z.object(fields),
    output: z.object({ id }),
  }),
  edit: write({
    path: '/api/sequence-recommendation/admin/{id}/edit',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    refreshes: stale,
    about: 'Changes a recommended sequence. Pharmacy sequences made from it stay as they are.',
    example: { id: RECOMMENDATION, ...example, version: 1 },
    input: z.object({ id, ...fields, version: z.number().int().nullish() }),
    output: z.object({ id, version: z.number() }),
  }),
  remove: write({
    path: '/api/sequence-recommendation/admin/{id}/delete',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'delete',
    refreshes: stale,
    about: 'Withdraws a recommended sequence. Pharmacy sequences made from it go on. It can be restored for 30 days.',
    example: { id: RECOMMENDATION },
    input: z.object({ id }),
    output: z.object({ removed: z.literal(true), sequences: z.number() }),
  }),
  restore: write({
    path: '/api/sequence-recommendation/admin/{id}/restore',
    needs: 'sr_login',
    reach: 'platform',
    refreshes: stale,
    about: 'Restores a recommended sequence withdrawn within the last 30 days.',
    example: { id: RECOMMENDATION },
    input: z.object({ id }),
    output: z.object({ restored: z.literal(true) }),
  }),
}
