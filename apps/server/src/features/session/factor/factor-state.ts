import { type FactorState, factorState } from '@pillar/domain/access/second-factor'
import type { Caller, Services } from '../../../api/context.ts'
import type { Env } from '../../../env.ts'

/** Whether support and S8 people must have a second factor: as SECOND_FACTOR says, by default all except those of the demo network. */
export const isFactorRequired = ({ SECOND_FACTOR }: Pick<Env, 'SECOND_FACTOR'>, demo: boolean): boolean =>
  SECOND_FACTOR ? SECOND_FACTOR === 'required' : !demo

/** The state of a caller's second factor in this session. */
export function factorOf(
  caller: Pick<Caller, 'flags' | 'factor' | 'demo'>,
  { env }: Pick<Services, 'env'>,
): FactorState {
  const flags = { sr_login: caller.flags.has('sr_login'), ecdr: caller.flags.has('ecdr') }
  return factorState({ flags, ...caller.factor, required: isFactorRequired(env, caller.demo) })
}
