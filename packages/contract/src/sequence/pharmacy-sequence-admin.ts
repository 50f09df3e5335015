import { SEQUENCE_EVENT_VALUES } from '@pillar/domain/campaign/sequence'
import {
  MOST_FOLLOW_UPS,
  SEQUENCE_DESCRIPTION_LIMIT,
  SEQUENCE_TITLE_LIMIT,
} from '@pillar/domain/campaign/sequence-draft'
import { z } from 'zod'
import { dateField } from '../campaign/cohort.ts'
import { read, write } from '../wire/call.ts'
import { listInput, listOf } from '../wire/list.ts'
import { AdminPharmacySequence, MessageInfo, SequenceStats, TimeLineStep } from './pharmacy-sequence-read.ts'
import { sequenceEvent } from './sequence-admin.ts'
import { sequenceRecommendation } from './sequence-recommendation-admin.ts'

const id = z.uuid()
const location_id = z.uuid()
const day = z.iso.date()
const SEQUENCE = '0192d3b0-0004-7000-8000-000000000001'
const PHARMACY = '01980000-0000-7000-8000-000000000005'
const atPharmacy = { location: (input: { location_id: string }) => input.location_id }

const followUp = z.object({
  /** An existing follow-up; left out for a new one. Follow-ups of the sequence that are not named here are removed, and their history stays. */
  follow_up_id: z.uuid().nullish(),
  /** Left out: its position in the list. */
  follow_up_order: z.number().int().min(1).max(1000).nullish(),
  days_after: z.number(),
  /** A template of the pharmacy's company. Left out: the follow-up keeps its template. */
  template_id: z.uuid().nullish(),
})
const fields = {
  title: z.string().max(SEQUENCE_TITLE_LIMIT).optional(),
  description: z.string().max(SEQUENCE_DESCRIPTION_LIMIT).optional(),
  preferred_communication_method: z.enum(['sms', 'email']).optional(),
  sequence_event_id: z.uuid().optional(),
  /** In dollars; null for no limit. */
  budget: z.number().nullish(),
  active: z.boolean().optional(),
  start_date: dateField,
  end_date: dateField,
  marketing_consent: z.boolean().optional(),
  health_outreach_consent: z.boolean().optional(),
  follow_ups: z.array(followUp).max(MOST_FOLLOW_UPS).optional(),
}

const search = read({
  path: '/api/sequence/admin/search',
  needs: 'sr_login',
  reach: 'platform',
  about: 'Sequences of pharmacies, grouped by pharmacy and searched by title, pharmacy or company name.',
  example: { page: 1, search_term: 'medicine' },
  input: listInput(['location_name', 'company'], {
    active: z.boolean().nullish(),
    event: z.enum(SEQUENCE_EVENT_VALUES).nullish(),
    /** Show removed ones instead. */
    removed: z.boolean().default(false),
  }),
  output: listOf(
    z.object({
      location_id: z.uuid(),
      location_name: z.string(),
      company_id: z.uuid(),
      company: z.string(),
      sequences: z.array(AdminPharmacySequence),
    }),
  ),
})

const info = read({
  path: '/api/sequence/admin/{id}/info',
  needs: 'sr_login',
  reach: 'platform',
  about: 'One sequence of a pharmacy.',
  example: { id: SEQUENCE },
  input: z.object({ id }),
  output: AdminPharmacySequence,
})

const stats = read({
  path: '/api/sequence/admin/{id}/stats',
  needs: 'sr_login',
  reach: atPharmacy,
  about: 'Results of a pharmacy’s sequence at each follow-up, added up from the message ledger. Counts only.',
  example: { id: SEQUENCE, location_id: PHARMACY },
  input: z.object({ id, location_id }),
  output: z.object({
    sequence_stats: SequenceStats,
    message_info: MessageInfo,
    last_message_sent: z.iso.datetime().nullable(),
    /** What sent messages cost and what those on their way may cost, in dollars. */
    budget_used: z.number(),
    /** Everybody who started: in progress, completed, or ended by a supply. A patient counts once for each medicine. */
    started: z.number(),
    in_progress: z.number(),
    completed: z.number(),
    ended: z.number(),
    first_event: day.nullable(),
    last_event: day.nullable(),
    steps: z.array(TimeLineStep),
    time_zone: z.string(),
    /** Today by the pharmacy's clock, which is the event day of anybody who enrols now. */
    today: day,
    counted_at: z.iso.datetime(),
  }),
})

/** Includes the calls that count how many pharmacies have a sequence. */
const stale = () => [search, info, stats, sequenceEvent.list, sequenceRecommendation.list]

/** Pharmacy sequences in the support console. */
export const sequenceAdmin = {
  search,
  info,
  stats,
  create: write({
    path: '/api/sequence/admin/create',
    needs: 'sr_login',
    reach: atPharmacy,
    stepUp: 'save',
    subject: ({ location_id: place }) => place,
    refreshes: stale,
    about:
      'Gives a pharmacy a sequence: a recommended one with the company’s own copies of its templates, or one of its own.',
    example: { location_id: PHARMACY, sequence_recommendation_id: '0192c0de-0004-7000-8000-000000000001' },
    input: z.object({ location_id, sequence_recommendation_id: z.uuid().nullish(), ...fields }),
    output: z.object({ id }),
  }),
  edit: write({
    path: '/api/sequence/admin/{id}/edit',
    needs: 'sr_login',
    reach: atPharmacy,
    stepUp: 'save',
    refreshes: stale,
    about:
      'Changes a sequence of a pharmacy; fields left out stay unchanged. Deactivating cancels its unsent messages, activating activates its templates.',
    example: { id: SEQUENCE, location_id: PHARMACY, title: 'Starting a new medicine', active: true, version: 1 },
    input: z.object({
      id,
      location_id,
      ...fields,
      /** The recommended sequence it was made from; null for none. */
      sequence_recommendation_id: z.uuid().nullish(),
      version: z.number().int().nullish(),
    }),
    output: z.object({
      id,
      version: z.number(),
      /** The number of unsent messages that were cancelled. */ cancelled: z.number(),
    }),
  }),
  remove: write({
    path: '/api/sequence/admin/{id}/delete',
    needs: 'sr_login',
    reach: atPharmacy,
    stepUp: 'delete',
    refreshes: stale,
    about:
      'Removes a sequence of a pharmacy and cancels its unsent messages. It can be restored, inactive, for 30 days.',
    example: { id: SEQUENCE, location_id: PHARMACY },
    input: z.object({ id, location_id }),
    output: z.object({ removed: z.literal(true), cancelled: z.number() }),
  }),
  restore: write({
    path: '/api/sequence/admin/{id}/restore',
    needs: 'sr_login',
    reach: atPharmacy,
    refreshes: stale,
    about: 'Restores a sequence removed within the last 30 days, inactive.',
    example: { id: SEQUENCE, location_id: PHARMACY },
    input: z.object({ id, location_id }),
    output: z.object({ restored: z.literal(true) }),
  }),
}
