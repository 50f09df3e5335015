import * as z from 'zod/mini'
import { known, textField } from '../../../shared/search-field.ts'

export const TABS = ['drug-types', 'patients', 'persistence', 'campaigns', 'uploads'] as const
export type Tab = (typeof TABS)[number]

const text = textField(20)

/** What the address of a pharmacy's page contains. */
export const pharmacySearch = z.object({
  period: text,
  tab: known(z.enum(TABS)),
  picture: known(z.literal('trend')),
})
export type PharmacySearch = z.output<typeof pharmacySearch>
