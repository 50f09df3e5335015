import * as z from 'zod/mini'
import { listSearch } from '../../kit/list/list-search.ts'
import { dayField } from '../../shared/search-field.ts'

const { find: _, ...shown } = listSearch

/** What the address bar holds of the referrals: page, order and days, and never what was searched, which is a name as a rule. */
export const referralSearch = z.object({ ...shown, from: dayField, to: dayField })
export type ReferralSearch = z.output<typeof referralSearch>
