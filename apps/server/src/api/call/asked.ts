import type { Call } from '@pillar/contract'
import type { Context } from '../context.ts'

export type AnyHandler = (input: unknown, context: Context) => Promise<unknown>

/** A call in progress, admitted and parsed. */
export interface Asked {
  /** Its name in the contract, such as 'campaign.list'. */
  name: string
  call: Call
  handler: AnyHandler
  input: unknown
}
