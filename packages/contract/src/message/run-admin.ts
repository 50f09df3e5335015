import { REASON_LIMITS } from '@pillar/domain/message/batch-status'
import { LEAST_LETTERS, saysWhy } from '@pillar/domain/text/reason'
import { COUNTRIES } from '@pillar/domain/time/locale'
import { z } from 'zod'
import { read, write } from '../wire/call.ts'
import { dayInput, instantInput } from '../wire/dates.ts'
import { listOf } from '../wire/list.ts'
import { pageField, searchField } from '../wire/paging.ts'

const count = z.number()
const uuid = z.uuid()

/** What one run sent from one pharmacy on one channel with one template. */
export const MessageBatch = z.object({
  batch_id: uuid,
  message_date: z.iso.datetime(),
  company_id: uuid,
  company_name: z.string(),
  /** The company's country, which sets the currency of its costs. */
  country: z.enum(COUNTRIES),
  location_id: uuid,
  location_name: z.string(),
  time_zone: z.string(),
  /** PENDING is shown as SCHEDULED; STOPPED when the unsent rest was stopped. */
  status: z.enum(['PENDING', 'SENT', 'DELIVERED', 'FAILED', 'SKIPPED', 'UNKNOWN', 'STOPPED']),
  communication_type: z.enum(['sms', 'email']),
  campaign_id: uuid.nullable(),
  campaign_name: z.string().nullable(),
  trial_id: uuid.nullable(),
  trial_name: z.string().nullable(),
  sequence_id: uuid.nullable(),
  sequence_title: z.string().nullable(),
  follow_up_id: uuid.nullable(),
  follow_up_order: count.nullable(),
  /** Everybody the run selected, including those held back. */
  num_patients: count,
  num_queued: count,
  num_sending: count,
  num_sent: count,
  num_delivered: count,
  num_failed: count,
  num_skipped: count,
  num_unknown: count,
  /** How many of the patients are fake patients. */
  fake_patients: count,
  parts: count,
  /** Dollars (or pounds) of the messages a gateway accepted. */
  cost: count,
  user_name: z.string().nullable(),
  message_context: z.string(),
  template_name: z.string(),
  /** Always null in this list: `read` returns the text once support gives a reason. */
  subject: z.null(),
  body: z.null(),
})
export type MessageBatch = z.output<typeof MessageBatch>

const PausedGateway = z.object({
  communication_type: z.enum(['sms', 'email']),
  /** The gateway's own reason, without personal data. */
  reason: z.string(),
  refused_since: z.iso.datetime(),
  /** The time of the last attempt. */
  refused_at: z.iso.datetime(),
})
export type PausedGateway = z.output<typeof PausedGateway>

const dateField = z.union([dayInput, instantInput]).nullish()
const BATCH = '01980000-0000-7000-8000-000000000009'
const PHARMACY = '01980000-0000-7000-8000-00000000000b'

const info = read({
  path: '/api/admin/messaging-info',
  needs: 'sr_login',
  reach: 'platform',
  about:
    'Message batches of all companies, newest first, with counts and cost and without any text. Days are the pharmacy’s.',
  example: { page: 1, start_date: '2026-10-01', end_date: '2026-10-31' },
  input: z.object({
    page: pageField,
    /** Part of a pharmacy, company, campaign, sequence or template name, or a complete batch id. */
    search_term: searchField,
    start_date: dateField,
    end_date: dateField,
    location_id: uuid.nullish(),
    campaign_id: uuid.nullish(),
    trial_id: uuid.nullish(),
    sequence_id: uuid.nullish(),
    follow_up_id: uuid.nullish(),
  }),
  output: listOf(MessageBatch, 'message_batches').extend({
    /** Gateways that refuse messages for now; their messages wait. */
    paused_gateways: z.array(PausedGateway),
  }),
})

const Why = z.object({ reason: z.string(), text: z.string(), count })

/** One message as the patient reads it, without the recipient. */
const Message = z.object({
  status: z.enum(['PENDING', 'SENT', 'DELIVERED', 'FAILED', 'SKIPPED', 'UNKNOWN']),
  /** Why it was held back or failed. */
  why: z.string().nullable(),
  fake_patient: z.boolean(),
  subject: z.string().nullable(),
  /** Null for a message that was held back. */
  body: z.string().nullable(),
  parts: count,
  cost: count,
  sent_at: z.iso.datetime().nullable(),
})
export type BatchMessage = z.output<typeof Message>

/** The pharmacy of the batch, and the reason for touching its patients’ messages: a sentence or a ticket. */
const withReason = {
  batch_id: uuid,
  location_id: uuid,
  reason: z
    .string()
    .trim()
    .min(LEAST_LETTERS)
    .max(REASON_LIMITS.most)
    .refine(saysWhy, `Please enter a reason of at least ${LEAST_LETTERS} letters or digits, such as a ticket number.`),
}
const inside = {
  location: ({ location_id }: { location_id: string }) => location_id,
  reason: ({ reason }: { reason: string }) => reason,
}

/** Message batches in the support console. */
export const runAdmin = {
  info,
  read: write({
    path: '/api/admin/messaging-info/{batch_id}/read',
    again: true,
    needs: 'sr_login',
    reach: inside,
    about:
      'The texts of a batch, 20 per page, and why other messages were held back. The company’s own log keeps the reason and how many were read.',
    example: { batch_id: BATCH, location_id: PHARMACY, reason: 'Ticket 1182: text arrived twice', page: 1 },
    input: z.object({ ...withReason, page: pageField }),
    output: z.object({
      /** The template as it was when the run began, including its merge fields. */
      template_name: z.string(),
      subject: z.string().nullable(),
      body: z.string(),
      user_name: z.string().nullable(),
      /** Of texts; null for emails. */
      sender: z.string().nullable(),
      num_patients: count,
      cost: count,
      held_back: z.array(Why),
      failed: z.array(Why),
      /** Messages that can still be stopped. */
      num_queued: count,
      ...listOf(Message, 'messages').shape,
    }),
  }),
  stop: write({
    path: '/api/admin/messaging-info/{batch_id}/stop',
    again: true,
    needs: 'sr_login',
    reach: inside,
    refreshes: () => [info],
    about:
      'Stops a batch’s unsent messages. For a campaign, everything left at that pharmacy stops, and its head office can resume it; other messages are cancelled.',
    example: { batch_id: BATCH, location_id: PHARMACY, reason: 'Ticket 1183: wrong phone number in the text' },
    input: z.object(withReason),
    output: z.object({ stopped: z.literal(true), left: count, resumable: z.boolean() }),
  }),
}
