import { ATTENTION_KINDS } from '@pillar/domain/s8/attention'
import { BALANCE_CHECKS } from '@pillar/domain/s8/entry'
import * as z from 'zod/mini'
import { listSearch } from '../../kit/list/list-search.ts'

const day = z.catch(z.optional(z.iso.date()), undefined)
const either = z.catch(z.optional(z.boolean()), undefined)

/** What the address bar holds of S8 Management: which pharmacy, which of its registers, and their filters. */
export const s8Search = z.object({
  ...listSearch,
  pharmacy: z.catch(z.optional(z.uuid()), undefined),
  view: z.catch(z.optional(z.enum(['attention', 'drug', 'print'])), undefined),
  kind: z.catch(z.optional(z.enum(ATTENTION_KINDS)), undefined),
  tags: z.catch(z.optional(z.array(z.enum(['otp', 'custom', 'cannabis']))), undefined),
  states: z.catch(z.optional(z.array(z.enum(['counted', 'overdue', 'never']))), undefined),
  stock: either,
  active: either,
  from: day,
  to: day,
  balance: z.catch(z.optional(z.enum(BALANCE_CHECKS)), undefined),
  signed: z.catch(z.optional(z.enum(['yes', 'no'])), undefined),
  product: z.catch(z.optional(z.union([z.string(), z.number()])), undefined),
})
export type S8Search = z.output<typeof s8Search>

/** The states that the stock register begins with. */
export const STATES_AT_FIRST = ['counted', 'overdue'] as const
