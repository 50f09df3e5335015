import { ATTENTION_KINDS } from '@pillar/domain/s8/attention'
import { BALANCE_CHECKS } from '@pillar/domain/s8/entry'
import * as z from 'zod/mini'
import { listSearch } from '../../kit/list/list-search.ts'
import { dayField, known } from '../../shared/search-field.ts'

const either = known(z.boolean())

/** S8 Management in the address bar: the pharmacy, the register, and their filters. */
export const s8Search = z.object({
  ...listSearch,
  pharmacy: known(z.uuid()),
  view: known(z.enum(['attention', 'drug', 'print'])),
  kind: known(z.enum(ATTENTION_KINDS)),
  tags: known(z.array(z.enum(['otp', 'custom', 'cannabis']))),
  states: known(z.array(z.enum(['counted', 'overdue', 'never']))),
  stock: either,
  active: either,
  from: dayField,
  to: dayField,
  balance: known(z.enum(BALANCE_CHECKS)),
  signed: known(z.enum(['yes', 'no'])),
  product: known(z.union([z.string(), z.number()])),
})
export type S8Search = z.output<typeof s8Search>

/** The states shown in the stock register at first. */
export const STATES_AT_FIRST = ['counted', 'overdue'] as const
