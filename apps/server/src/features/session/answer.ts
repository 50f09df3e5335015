import type { AnswerOf, contract } from '@pillar/contract'
import { factorState } from '@pillar/domain/access/second-factor'
import type { Services } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { isFactorRequired } from './factor/factor-state.ts'
import { hasShownFactor } from './factor/second-factor.queries.ts'
import { loginProfile } from './login.queries.ts'
import { mintAccessToken } from './session.queries.ts'

/** The login response of an open session, with a new access token. */
export async function answerFor(
  services: Pick<Services, 'env'>,
  tx: Tx,
  session: { id: string; loginId: number },
  now: Date,
): Promise<AnswerOf<typeof contract.session.login>> {
  const access_token = await mintAccessToken(tx, session.id, now)
  const { demo, has_factor, ...profile } = await loginProfile(tx, session.loginId)
  const second_factor = factorState({
    flags: profile,
    has: has_factor,
    shown: await hasShownFactor(tx, session.id),
    required: isFactorRequired(services.env, demo),
  })
  return { ...profile, access_token, session_id: session.id, second_factor }
}
