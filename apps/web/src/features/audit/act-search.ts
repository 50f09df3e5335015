import * as z from 'zod/mini'
import { listSearch } from '../../kit/list/list-search.ts'
import { dayField, known } from '../../shared/search-field.ts'

/** A log's filters in the address bar: the kind of act, and the days. */
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
