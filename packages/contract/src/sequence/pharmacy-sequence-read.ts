import { SEQUENCE_EVENT_VALUES } from '@pillar/domain/campaign/sequence'
import { COUNTRIES } from '@pillar/domain/time/locale'
import { z } from 'zod'

const METHOD = z.enum(['sms', 'email'])

export const AdminFollowUp = z.object({
  follow_up_id: z.uuid(),
  follow_up_order: z.number(),
  /** Counted from the event, not from the previous follow-up. */
  days_after: z.number(),
  template_id: z.uuid(),
  /** The template's name. */
  template: z.string(),
  template_body: z.string(),
  template_subject: z.string().nullable(),
  sms_template: z.boolean(),
  email_template: z.boolean(),
  /** False: the follow-up falls due but is skipped. */
  template_active: z.boolean(),
})
export type AdminFollowUp = z.output<typeof AdminFollowUp>

/** A sequence of a pharmacy. */
export const AdminPharmacySequence = z.object({
  sequence_id: z.uuid(),
  location_id: z.uuid(),
  location_name: z.string(),
  company_id: z.uuid(),
  company: z.string(),
  /** The company's country, which sets the currency of budget and costs. */
  country: z.enum(COUNTRIES),
  title: z.string(),
  description: z.string(),
  preferred_communication_method: METHOD,
  /** The most that all its messages together may cost; null for no limit. */
  budget: z.number().nullable(),
  start_date: z.iso.date().nullable(),
  end_date: z.iso.date().nullable(),
  active: z.boolean(),
  marketing_consent: z.boolean(),
  health_outreach_consent: z.boolean(),
  sequence_event: z.object({ event_id: z.uuid(), name: z.string(), value: z.enum(SEQUENCE_EVENT_VALUES) }),
  sequence_recommendation: z.object({ sequence_recommendation_id: z.uuid(), title: z.string() }).nullable(),
  follow_ups: z.array(AdminFollowUp),
  /** When it was removed; null while it is listed. */
  removed_at: z.iso.datetime().nullable(),
  version: z.number(),
})
export type AdminPharmacySequence = z.output<typeof AdminPharmacySequence>

/** Money in dollars. */
export const SequenceStats = z.object({
  /** Cost of the messages that were sent. */
  cost: z.number(),
  /** Patients with a message sent or delivered, and how many of them got the event's medicine within 14 days. */
  num_messaged: z.number(),
  num_responded: z.number(),
  /** The number of messages sent or delivered. */
  sms: z.number(),
  email: z.number(),
})

const count = z.number()

/** Messages by state; together they are the whole ledger. */
export const MessageInfo = z.object({
  ...{ email_sent: count, sms_sent: count, email_delivered: count, sms_delivered: count },
  ...{ email_failed: count, sms_failed: count, email_scheduled: count, sms_scheduled: count },
  ...{ email_skipped: count, sms_skipped: count, email_unknown: count, sms_unknown: count },
  cost: count,
})

/** One follow-up of a time line. Its counts, except `next`, add up to everybody who started (domain: `StepCounts`). */
export const TimeLineStep = z.object({
  follow_up_id: z.uuid(),
  follow_up_order: count,
  days_after: count,
  /** Removed from the sequence: its history stays on record, and only decided patients are counted. */
  removed: z.boolean(),
  template: z.string(),
  ...{ responded: count, sent: count, failed: count, unknown: count, queued: count, skipped: count },
  ...{ ended: count, waiting: count, next: count, added_later: count },
  /** Why it was skipped, most frequent first. */
  reasons: z.array(z.object({ reason: z.string(), channel: METHOD.nullable(), count })),
  /** Its messages in the ledger, by channel. There are fewer than people where one message covers two medicines. Cost in dollars. */
  ...{ sms: count, email: count, cost: count },
  /** When the next waiting patient is due. */
  next_due: z.iso.date().nullable(),
  /** When somebody enrolled today would get it; null if no sending hour comes in time. */
  planned_at: z.iso.datetime().nullable(),
})
export type TimeLineStep = z.output<typeof TimeLineStep>
