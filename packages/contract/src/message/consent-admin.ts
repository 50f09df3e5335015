import { CHANNELS, CONSENT_KINDS } from '@pillar/domain/consent/consent'
import { REASON_LIMITS } from '@pillar/domain/message/batch-status'
import { LEAST_LETTERS, saysWhy } from '@pillar/domain/text/reason'
import { z } from 'zod'
import { write } from '../wire/call.ts'
import { dayInput } from '../wire/dates.ts'

const PHARMACY = '01980000-0000-7000-8000-00000000000b'
const entryId = z.uuid().nullable()

/** What a patient had agreed to on a day, for a complaint or a regulator. */
export const consentAdmin = {
  asOf: write({
    path: '/api/location/{id}/consent-as-of',
    tellsOnce: true,
    needs: 'sr_login',
    reach: {
      location: (input: { id: string }) => input.id,
      reason: (input: { reason: string }) => input.reason,
    },
    stepUp: 'save',
    about:
      'What a patient of a pharmacy had agreed to at the end of a day by the pharmacy’s clock, since when, from where and in which words; all entries until then, and what was sent to the patient in the 30 days before. Test patients and people who were erased are not found. The company’s own log keeps the reason.',
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
      /** Not after today by the pharmacy's clock; of today, what is known by now. */
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
      /** The last moment of the day, or now. */
      as_of: z.iso.datetime(),
      time_zone: z.string(),
      /** SMS and email, each for health outreach and marketing. */
      choices: z.array(
        z.object({
          channel: z.enum(CHANNELS),
          kind: z.enum(CONSENT_KINDS),
          choice: z.enum(['in', 'out', 'unknown']),
          /** The entry whose words count; null while unknown. */
          entry: entryId,
          /** The entry since which the choice has been this one: the START after a STOP, whose words are those of the form before. */
          since: entryId,
        }),
      ),
      /** All until then, newest first. */
      entries: z.array(
        z.object({
          id: z.uuid(),
          /** Of an opt-out in the dispensing system: when the upload that first had it was loaded. */
          at: z.iso.datetime(),
          /** What it did, in words. */
          says: z.string(),
          /** From where, in words. */
          source: z.string(),
          /** What the person read and agreed to, or wrote; null where there were no words. */
          wording: z.string().nullable(),
        }),
      ),
      /** Handed to a gateway in the 30 days up to then, newest first. */
      messages: z.array(
        z.object({
          at: z.iso.datetime(),
          channel: z.enum(CHANNELS),
          status: z.enum(['SENT', 'DELIVERED', 'FAILED', 'UNKNOWN']),
          /** Its purpose and why it was allowed; null for one of before this was kept. */
          rule: z.string().nullable(),
          /** The entry that allowed it; null where silence did. */
          entry: entryId,
        }),
      ),
    }),
  }),
}
