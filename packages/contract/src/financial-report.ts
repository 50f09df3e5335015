import { z } from 'zod'
import { periodFields } from './period.ts'
import { read } from './wire/call.ts'

/** A one-page report on the whole company or one pharmacy. */
export const financialReport = {
  pdf: read({
    path: '/api/financial-report/pdf',
    needs: 'data_analytics',
    heavy: true,
    scratch: true,
    answer: 'pdf',
    about:
      'One A4 page with the headline figures of the company or one pharmacy, their trends, best and worst, and targets.',
    example: { pharmacy_id: null, year: 2026, month: 10 },
    input: z.object({
      /** The pharmacy it is about; null for the whole company. */
      pharmacy_id: z.uuid().nullable(),
      ...periodFields,
    }),
    output: z.object({ filename: z.string(), base64: z.string() }),
  }),
}
