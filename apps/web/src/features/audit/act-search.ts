import * as z from 'zod/mini'
import { listSearch } from '../../kit/list/list-search.ts'
import { dayField, known } from '../../shared/search-field.ts'

/** What the address bar holds of a log: which kind of act, and between which days. */
export const actSearch = {
  act: known(z.enum(['change', 'look', 'sign-in', 'patient', 'platform'])),
  from: dayField,
  to: dayField,
}

/** The same for the page Activity. */
export const activitySearch = z.object({
  ...listSearch,
  ...actSearch,
  by: known(z.enum(['support', 'company'])),
})
export type ActivitySearch = z.output<typeof activitySearch>
