import * as z from 'zod/mini'
import { listSearch } from '../../kit/list/list-search.ts'

const day = z.catch(z.optional(z.iso.date()), undefined)

/** What the address bar holds of a log: which kind of act, and between which days. */
export const actSearch = {
  act: z.catch(z.optional(z.enum(['change', 'look', 'sign-in', 'patient', 'platform'])), undefined),
  from: day,
  to: day,
}

/** The same for the page Activity. */
export const activitySearch = z.object({
  ...listSearch,
  ...actSearch,
  by: z.catch(z.optional(z.enum(['support', 'company'])), undefined),
})
export type ActivitySearch = z.output<typeof activitySearch>
