import { CHANNELS, CONSENT_KINDS } from '@pillar/domain/consent/consent'
import { REASON_LIMITS } from '@pillar/domain/message/batch-status'
import { LEAST_LETTERS, saysWhy } from '@pillar/domain/text/reason'
import { z } from 'zod'
import { write } from '../wire/call.ts'
import { dayInput } from '../wire/dates.ts'

const PHARMACY = '01980000-0000-7000-8000-00000000000b'
const entryId = z.uuid().nullable()

/** What a patient had agreed to on a given day, for a complaint or a regulator. */
export const consentAdmin = {
  asOf: write({
    path: '/api/location/{id}/consent-as-of',
    again: true,
    needs: 'sr_login',
    reach: {
      location: (input: { id: string }) => input.id,
      reason: (input: { reason: string }) => input.reason,
    },
    stepUp: 'save',
    about:
      'What a patient of a pharmacy had agreed to at the end of a day by the pharmacy’s clock, with the date, source and wording of each choice; all entries up to then, and what was sent to the patient in the 30 days before. Test patients and erased people are not found. The company’s own log keeps the reason.',
    example: {
      id: PHARMACY,
      number: '104417',
      last_name: 'Moran',
      day: '2026-03-03',
      reason: 'Ticket 1190: complaint about a text',
    },
    input: z.object({
      id: z.uuid(),
      /** The patient's number in the dispensing system of that pharmacy. */
      number: z.string().trim().min(1, 'Please enter the number of the patient.').max(200),
      last_name: z.string().trim().min(1, 'Please enter the last name.').max(200),
      /** Not after today by the pharmacy's clock. For today, the answer covers the day so far. */
      day: dayInput,
      reason: z
        .string()
        .trim()
        .min(LEAST_LETTERS)
        .max(REASON_LIMITS.most)
        .refine(
          saysWhy,
          `Please enter a reason of at least ${LEAST_LETTERS} letters or digits, such as a ticket number.`,
        ),
    }),
    output: z.object({
      /** The end of the day, or now. */
      as_of: z.iso.datetime(),
      time_zone: z.string(),
      /** SMS and email, each for health outreach and marketing. */
      choices: z.array(
        z.object({
          channel: z.enum(CHANNELS),
          kind: z.enum(CONSENT_KINDS),
          choice: z.enum(['in', 'out', 'unknown']),
          /** The entry whose words apply; null while unknown. */
          entry: entryId,
          /** The entry that began the present choice. For a START after a STOP, the words are those of the form before. */
          since: entryId,
        }),
      ),
      /** All entries up to then, newest first. */
      entries: z.array(
        z.object({
          id: z.uuid(),
          /** For an opt-out in the dispensing system: when the first upload containing it was loaded. */
          at: z.iso.datetime(),
          /** What the entry did, in words. */
          says: z.string(),
          /** Where it came from, in words. */
          source: z.string(),
          /** What the person read and agreed to, or wrote; null without any wording. */
          wording: z.string().nullable(),
        }),
      ),
      /** Handed to a gateway in the 30 days up to then, newest first. */
      messages: z.array(
        z.object({
          at: z.iso.datetime(),
          channel: z.enum(CHANNELS),
          status: z.enum(['SENT', 'DELIVERED', 'FAILED', 'UNKNOWN']),
          /** The campaign's name, or what else sent it, such as 'Sequence'. */
          sent_by: z.string(),
          template: z.string(),
          /** Its purpose and why it was allowed; null for messages older than this record. */
          rule: z.string().nullable(),
          /** The entry that allowed it; null if it was allowed because the patient had said nothing. */
          entry: entryId,
        }),
      ),
    }),
  }),
}
