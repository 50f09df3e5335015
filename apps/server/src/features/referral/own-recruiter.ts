import { type Context, callerOf } from '../../api/context.ts'
import { type OwnRecruiter, recruiterOf } from './referral.queries.ts'

/**
 * The recruiter whose referrals a call may see; null if the login has none or belongs to a provider: patients agree to a named recruiter
 * and to nobody else.
 */
export async function recruiterSeeing(context: Context): Promise<OwnRecruiter | null> {
  const found = await ownPartner(context)
  return found?.recruiter_or_provider === 'recruiter' ? found : null
}

/** The recruiter or provider of the caller, regardless of their rights. */
export const ownPartner = (context: Context) => recruiterOf(context.services.pools.system, callerOf(context).loginId)
