import { Refusal, type StepUp } from '@pillar/contract'
import type { Caller } from '../../api/context.ts'
import type { Database, Tx } from '../../db/database.ts'
import { hashToken, newToken } from './session.queries.ts'

export type StepUp = StepUp

/** Seconds a grant of a re-entered password may wait to be used. */
const STEP_UP_SECONDS = 300

/** Grants one action on one object (null: something new) to one session, once, for five minutes. @returns the token */
export async function addStepUp(
  tx: Tx,
  sessionId: string,
  action: StepUp | null,
  object: string | null,
  now: Date,
): Promise<string> {
  const token = newToken()
  await tx
    .insertInto('step_up')
    .values({
      token_hash: hashToken(token),
      session_id: sessionId,
      action,
      object,
      expires_at: new Date(now.getTime() + STEP_UP_SECONDS * 1000),
    })
    .execute()
  return token
}

/**
 * Uses a grant up for this caller, action and object. A grant made without an action opens nothing.
 * @throws Refusal step_up_needed when there is none, or it is someone else's, used, too old or for something else
 */
export async function spendStepUp(
  system: Database | Tx,
  caller: Pick<Caller, 'sessionId'>,
  token: string | null,
  action: StepUp,
  object: string | null,
  now: Date,
): Promise<void> {
  const used =
    token === null
      ? undefined
      : await system
          .updateTable('step_up')
          .set({ used_at: now })
          .where('token_hash', '=', hashToken(token))
          .where('session_id', '=', caller.sessionId)
          .where('action', '=', action)
          .where('object', 'is not distinct from', object)
          .where('used_at', 'is', null)
          .where('expires_at', '>', now)
          .returning('session_id')
          .executeTakeFirst()
  if (!used) throw new Refusal('step_up_needed', 'Please enter your password again to do this.')
}
