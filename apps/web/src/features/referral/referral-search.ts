import * as z from 'zod/mini'
import { listSearch } from '../../kit/list/list-search.ts'

const day = z.catch(z.optional(z.iso.date()), undefined)
const { find: _, ...shown } = listSearch

/** What the address bar holds of the referrals: page, order and days, and never what was searched, which is a name as a rule. */
export const referralSearch = z.object({ ...shown, from: day, to: day })
export type ReferralSearch = z.output<typeof referralSearch>
