import { z } from 'zod'
import { read, write } from '../wire/call.ts'
import { dayInput, instantInput } from '../wire/dates.ts'
import { needed } from '../wire/needed.ts'

const dateField = z.union([dayInput, instantInput])
const PHARMACY = '01980000-0000-7000-8000-00000000000b'
const NONE = 'Please select at least one pharmacy.'
const EMAIL = 'Please choose who gets the report by email.'
const email = z.string(needed(EMAIL)).trim().min(1).max(254)

const recipients = read({
  path: '/api/admin/report-recipients',
  needs: 'sr_login',
  reach: 'platform',
  about: 'The people who may be mailed a pharmacy’s reports: those of its own company who can sign in.',
  example: { id: PHARMACY },
  input: z.object({ id: z.uuid() }),
  output: z.object({
    recipients: z.array(
      z.object({
        name: z.string(),
        email: z.string(),
        /** The pharmacy's owner, who gets its scheduled reports. */
        contact: z.boolean(),
      }),
    ),
  }),
})

/** Reports that support requests and Pillar mails to somebody at the pharmacy’s own company. */
export const reportAdmin = {
  recipients,
  messageHistory: write({
    path: '/api/admin/message-history-report',
    needs: 'sr_login',
    reach: 'platform',
    about:
      'Makes a pharmacy’s message history in the background and mails somebody of its company a link that works once within 24 hours.',
    example: { from: '2026-10-01', to: '2026-10-31', id: PHARMACY, email: 'jo@saltbush.example' },
    input: z.object({ from: dateField, to: dateField, id: z.uuid(), email }),
    output: z.object({ message: z.string() }),
  }),
  doubleDispensing: write({
    path: '/api/admin/double-dispensing-report',
    needs: 'sr_login',
    reach: 'platform',
    subject: ({ ids }) => ids,
    about:
      'Makes each pharmacy’s 60 Day Dispensing Report in the background and mails somebody of its company a link that works once within 24 hours.',
    example: { ids: [PHARMACY], email: 'jo@saltbush.example' },
    input: z.object({ ids: z.array(z.uuid(), needed(NONE)).min(1).max(1000), email }),
    output: z.object({ message: z.string() }),
  }),
}
