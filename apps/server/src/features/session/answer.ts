import type { AnswerOf, contract } from '@pillar/contract'
import type { Tx } from '../../db/database.ts'
import { loginProfile } from './login.queries.ts'
import { mintAccessToken } from './session.queries.ts'

/** The login response of an open session, with a new access token. */
export async function answerFor(
  tx: Tx,
  session: { id: string; loginId: number },
  now: Date,
): Promise<AnswerOf<typeof contract.session.login>> {
  const access_token = await mintAccessToken(tx, session.id, now)
  return { ...(await loginProfile(tx, session.loginId)), access_token, session_id: session.id }
}
