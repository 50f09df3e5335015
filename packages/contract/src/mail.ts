import { z } from 'zod'
import { read } from './wire/call.ts'

/** Available only while no mail server is configured: the emails Pillar would have sent. */
export const mail = {
  list: read({
    path: '/api/outbox',
    needs: 'public',
    about: 'Emails kept in the Outbox while no mail server is configured.',
    example: { page: 1 },
    input: z.object({ page: z.number().int().min(1).default(1) }),
    output: z.object({
      messages: z.array(
        z.object({
          id: z.string(),
          to: z.string(),
          subject: z.string(),
          text: z.string(),
          sent_at: z.iso.datetime(),
        }),
      ),
      current_page: z.number(),
      page_count: z.number(),
      per_page: z.number(),
      total: z.number(),
    }),
  }),
}
