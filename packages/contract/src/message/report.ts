import { z } from 'zod'
import { read, write } from '../wire/call.ts'
import { dayInput, instantInput } from '../wire/dates.ts'
import { needed } from '../wire/needed.ts'

const dateField = z.union([dayInput, instantInput])

const NONE = 'Please select at least one pharmacy.'

export const report = {
  contacts: read({
    path: '/api/message-history-report/pharmacies',
    needs: 'data_analytics',
    about: 'Pharmacies and the contact each message history report is mailed to; null where none is set.',
    example: {},
    input: z.object({}),
    output: z.object({
      pharmacies: z.array(
        z.object({
          pharmacy_id: z.uuid(),
          pharmacy_name: z.string(),
          state: z.string().nullable(),
          contact: z.object({ name: z.string(), email: z.string() }).nullable(),
        }),
      ),
    }),
  }),
  messageHistory: write({
    path: '/api/message-history-report',
    needs: 'data_analytics',
    about:
      'Makes each pharmacy’s message history in the background and mails its contact a link that works once within 24 hours.',
    example: { from: '2026-10-01', to: '2026-10-31', ids: ['01980000-0000-7000-8000-00000000000b'] },
    input: z.object({
      from: dateField,
      to: dateField,
      ids: z.array(z.uuid(), needed(NONE)).min(1).max(10_000),
    }),
    output: z.object({ message: z.string() }),
  }),
}
