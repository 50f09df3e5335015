import * as z from 'zod/mini'

export const TABS = ['drug-types', 'patients', 'persistence', 'campaigns', 'uploads'] as const
export type Tab = (typeof TABS)[number]

// The router reads a value of digits alone as a number; a hand-written address may hold either.
const text = z.catch(z.optional(z.union([z.string().check(z.maxLength(20)), z.number()])), undefined)

/** What the address of a pharmacy's page holds. A value it does not know is dropped: an old link still opens. */
export const pharmacySearch = z.object({
  period: text,
  tab: z.catch(z.optional(z.enum(TABS)), undefined),
  picture: z.catch(z.optional(z.literal('trend')), undefined),
})
export type PharmacySearch = z.output<typeof pharmacySearch>
