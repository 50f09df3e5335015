import { z } from 'zod'
import { campaignReads } from '../campaign/campaign-read.ts'
import { read, write } from '../wire/call.ts'
import { instantInput } from '../wire/dates.ts'
import { paged, pageField } from '../wire/paging.ts'

/** A patient's reply other than STOP and START. */
export const MessageReply = z.object({
  reply_id: z.uuid(),
  pharmacy_id: z.uuid(),
  pharmacy_name: z.string(),
  /** IANA name: reply times are shown in this time zone. */
  time_zone: z.string(),
  /** The pharmacy's own numbers of patients it may be from; empty if no patient has that phone number. */
  patient_refs: z.array(z.string()),
  /** The last three digits of the sender's number. */
  number_end: z.string(),
  /** Null after its retention period. */
  text: z.string().nullable(),
  /** Whether it may be an opt-out. */
  may_stop: z.boolean(),
  /** Who would be affected by stopping texts to the number: the pharmacy's patients with this number today, and how many already get none. */
  holders: z.object({ patients: z.number(), out: z.number() }),
  received_at: z.iso.datetime(),
  /** The latest text to that number before the reply. */
  answers: z
    .object({
      /** Null if the campaign was deleted. */
      campaign_id: z.uuid().nullable(),
      /** The name of the campaign or sequence, else of the template. */
      name: z.string(),
      sent_at: z.iso.datetime(),
    })
    .nullable(),
  read_at: z.iso.datetime().nullable(),
  read_by: z.string().nullable(),
  /** When head office stopped the pharmacy's texts to the number after this reply; START does not clear it. */
  stopped_at: z.iso.datetime().nullable(),
  stopped_by: z.string().nullable(),
})
export type MessageReply = z.output<typeof MessageReply>

const replies = read({
  path: '/api/messaging/replies',
  needs: 'data_analytics',
  scratch: true,
  about: 'Patients’ replies to texts, other than STOP and START: unread possible opt-outs first, then newest first.',
  example: { unread: true, page: 1 },
  input: z.object({
    /** Leave out replies already read. */
    unread: z.boolean().default(false),
    page: pageField,
  }),
  output: z.object({ replies: z.array(MessageReply), ...paged }),
})

const unreadReplies = read({
  path: '/api/messaging/replies/unread',
  needs: 'data_analytics',
  about: 'How many replies are unread.',
  example: {},
  input: z.object({}),
  output: z.object({ unread: z.number() }),
})

/** What comes back from patients and gateways. */
export const inbound = {
  replies,
  unreadReplies,
  readReply: write({
    path: '/api/messaging/replies/{id}/read',
    needs: 'data_analytics',
    refreshes: () => [replies, unreadReplies],
    about: 'Marks a reply as read by the caller, or as unread again.',
    example: { id: '01980000-0000-7000-8000-00000000000a', read: true },
    input: z.object({ id: z.uuid(), read: z.boolean() }),
    output: z.object({ saved: z.literal(true) }),
  }),
  readReplies: write({
    path: '/api/messaging/replies/read-all',
    needs: 'data_analytics',
    refreshes: () => [replies, unreadReplies],
    example: { until: '2026-11-20T03:14:00Z' },
    about: 'Marks as read every unread reply received up to an instant, except possible opt-outs nobody has acted on.',
    input: z.object({ until: instantInput }),
    output: z.object({ marked: z.number() }),
  }),
  forwardReply: write({
    path: '/api/messaging/replies/{id}/forward',
    needs: 'data_analytics',
    refreshes: () => [replies, unreadReplies],
    example: { id: '01980000-0000-7000-8000-00000000000a' },
    about:
      "Mails a reply to the pharmacy's contact, with the pharmacy's own patient number and no name, and marks it as read.",
    input: z.object({ id: z.uuid() }),
    output: z.object({ sent_to: z.string() }),
  }),
  stopReply: write({
    path: '/api/messaging/replies/{id}/stop',
    needs: 'data_analytics',
    refreshes: () => [replies, unreadReplies, campaignReads.cohort],
    about:
      "Stops the pharmacy's texts to the number of a reply, as STOP does, and marks the reply as read; no confirmation text is sent.",
    example: { id: '01980000-0000-7000-8000-00000000000a' },
    input: z.object({ id: z.uuid() }),
    output: z.object({ stopped: z.literal(true) }),
  }),
}
