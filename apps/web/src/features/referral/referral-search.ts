import * as z from 'zod/mini'
import { listSearch } from '../../kit/list/list-search.ts'
import { dayField } from '../../shared/search-field.ts'

const { find: _, ...shown } = listSearch

/** The referrals list in the address bar: page, order and days, but never the search term, which is usually a name. */
export const referralSearch = z.object({ ...shown, from: dayField, to: dayField })
export type ReferralSearch = z.output<typeof referralSearch>
