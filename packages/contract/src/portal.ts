import { COUNTRIES } from '@pillar/domain/locale'
import { z } from 'zod'
import { read } from './call.ts'

/** What every page needs before anyone signs in: names and contacts of this installation. */
export const portal = {
  info: read({
    path: '/api/portal-info',
    needs: 'public',
    about:
      'Product name, country, support contacts, and whether this installation keeps its mail in the Outbox or shows demo data.',
    example: {},
    input: z.object({}),
    output: z.object({
      product_name: z.string(),
      country: z.enum(COUNTRIES),
      support_phone: z.string(),
      support_email: z.string(),
      support_website: z.string(),
      outbox: z.boolean(),
      demo: z.boolean(),
    }),
  }),
}
