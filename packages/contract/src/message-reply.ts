import { z } from 'zod'
import { read, write } from './call.ts'
import { campaignReads } from './campaign-read.ts'
import { paged, pageField } from './paging.ts'

/** What a patient answered, other than STOP and START. */
export const MessageReply = z.object({
  reply_id: z.uuid(),
  pharmacy_id: z.uuid(),
  pharmacy_name: z.string(),
  /** IANA name: times of the reply are told by this clock. */
  time_zone: z.string(),
  /** The pharmacy's own numbers of the patients it may be from; empty for a number that no patient has. */
  patient_refs: z.array(z.string()),
  /** The last three digits of the number it came from. */
  number_end: z.string(),
  /** Null once its time is over. */
  text: z.string().nullable(),
  /** It may be a wish to get no more texts. */
  may_stop: z.boolean(),
  /** Whom stopping texts to the number concerns: the pharmacy's patients with it today, and how many of them get none already. */
  holders: z.object({ patients: z.number(), out: z.number() }),
  received_at: z.iso.datetime(),
  /** The last text to that number before it. */
  answers: z
    .object({
      /** Of a campaign that is not deleted. */
      campaign_id: z.uuid().nullable(),
      /** The campaign's or sequence's, else the template's. */
      name: z.string(),
      sent_at: z.iso.datetime(),
    })
    .nullable(),
  read_at: z.iso.datetime().nullable(),
  read_by: z.string().nullable(),
  /** When head office stopped the pharmacy's texts to the number over this reply; it stays when START reopens them. */
  stopped_at: z.iso.datetime().nullable(),
  stopped_by: z.string().nullable(),
})
export type MessageReply = z.output<typeof MessageReply>

const replies = read({
  path: '/api/messaging/replies',
  needs: 'data_analytics',
  scratch: true,
  about: 'What patients answered to texts, other than STOP and START, newest first.',
  example: { unread: true, page: 1 },
  input: z.object({
    /** Leave out what somebody has read. */
    unread: z.boolean().default(false),
    page: pageField,
  }),
  output: z.object({ replies: z.array(MessageReply), ...paged }),
})

const unreadReplies = read({
  path: '/api/messaging/replies/unread',
  needs: 'data_analytics',
  about: 'How many replies of patients nobody has read.',
  example: {},
  input: z.object({}),
  output: z.object({ unread: z.number() }),
})

/** Calls about replies; part of the group `message`. */
export const replyCalls = {
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
  stopReply: write({
    path: '/api/messaging/replies/{id}/stop',
    needs: 'data_analytics',
    refreshes: () => [replies, unreadReplies, campaignReads.cohort],
    about:
      "Ends the pharmacy's texts to the number of a reply, as STOP does, and marks the reply as read; no text confirms it.",
    example: { id: '01980000-0000-7000-8000-00000000000a' },
    input: z.object({ id: z.uuid() }),
    output: z.object({ stopped: z.literal(true) }),
  }),
}
