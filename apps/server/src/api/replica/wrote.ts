import type { Call } from '@pillar/contract'
import type { Context } from '../context.ts'
import { reasonOf } from '../log.ts'
import { EVERYONE } from './position.queries.ts'

/**
 * A call's answer. For a write, the replica first learns whose figures it may be too old for, so that everyone who gets the answer, and
 * their colleagues, read at least what was written.
 */
export async function tellingReplica<T>(call: Call, context: Context, answer: Promise<T>): Promise<T> {
  const { replica, log } = context.services
  const result = await answer
  const company = call.kind === 'write' ? companyChanged(call, context) : null
  if (replica && company !== null) {
    // The write is done and must not look as though it failed.
    await replica.wrote(company).catch((error: unknown) => log.warn({ reason: reasonOf(error) }, 'replica not told'))
  }
  return result
}

/** Whose data a write may have changed: a company's, or EVERYONE's for a support call; null if no figures can have changed. */
function companyChanged(call: Call, { caller, location }: Context): number | null {
  if (!caller) return location?.companyId ?? null
  return call.reach && caller.flags.has('sr_login') ? EVERYONE : caller.companyId
}
