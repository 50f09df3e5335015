import { COUNTRIES } from '@pillar/domain/time/locale'
import { z } from 'zod'
import { read, write } from './wire/call.ts'

/** The most stack frames accepted per error. */
const MOST_FRAMES = 30

/** What every page needs before anyone signs in: this installation's names and contacts. */
export const portal = {
  info: read({
    path: '/api/portal-info',
    needs: 'public',
    about:
      'Product name, country, support contacts, and whether this installation sends emails, keeps them in the Outbox, or shows demo data.',
    example: {},
    input: z.object({}),
    output: z.object({
      product_name: z.string(),
      country: z.enum(COUNTRIES),
      support_phone: z.string(),
      support_email: z.string(),
      support_website: z.string(),
      /** Whether kept emails are shown in the Outbox. */
      outbox: z.boolean(),
      /** Whether emails leave; without a mail server they are kept. A server of an older version does not say. */
      sends_email: z.boolean().default(true),
      demo: z.boolean(),
    }),
  }),
  reportError: write({
    path: '/api/report-error',
    needs: 'public',
    about: 'Reports an uncaught error on a screen: its name and source positions, never its message. Throttled.',
    example: {
      name: 'TypeError',
      page: '/campaigns',
      frames: [{ file: 'index.js', line: 1, column: 4_212, function: 'render' }],
    },
    input: z.object({
      name: z.string().max(100),
      /** Path of the screen's route, such as /campaigns; without parameters. */
      page: z.string().max(100),
      frames: z
        .array(
          z.object({
            file: z.string().max(200),
            line: z.number().int().min(0).max(10_000_000),
            column: z.number().int().min(0).max(10_000_000),
            function: z.string().max(200),
          }),
        )
        .max(MOST_FRAMES),
    }),
    output: z.object({ taken: z.literal(true) }),
  }),
}
