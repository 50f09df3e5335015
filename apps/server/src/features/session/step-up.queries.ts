import { createHash } from 'node:crypto'
import { Refusal, type StepUp } from '@pillar/contract'
import { sql } from 'kysely'
import type { Caller } from '../../api/context.ts'
import type { Database, Tx } from '../../db/database.ts'
import { hashToken, newToken } from './session.queries.ts'

/** Seconds a step-up stays valid. */
const STEP_UP_SECONDS = 300

/** Allows one session one action on one object (null: something new), once, within five minutes. @returns the token */
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
      object: kept(object),
      expires_at: new Date(now.getTime() + STEP_UP_SECONDS * 1000),
    })
    .execute()
  return token
}

/**
 * Uses a step-up of this caller, action and object in the transaction of its write: it is gone on commit. One made without an action allows
 * nothing.
 * @throws Refusal step_up_needed if there is none, or it is another person's, used, expired or for something else
 */
export async function spendStepUp(
  tx: Database | Tx,
  caller: Pick<Caller, 'sessionId'>,
  token: string | null,
  action: StepUp,
  object: string | null,
  now: Date,
): Promise<void> {
  const used =
    token !== null &&
    (await sql`select * from spend_step_up(${hashToken(token)}, ${caller.sessionId}, ${action}, ${kept(object)}, ${now})`.execute(
      tx,
    ))
  if (!used || used.rows.length === 0)
    throw new Refusal('step_up_needed', 'Please enter your password again to do this.')
}

/** The stored form of an object: a long list of ids as its hash. */
function kept(object: string | null): string | null {
  return object !== null && object.length > 200 ? `sha256:${createHash('sha256').update(object).digest('hex')}` : object
}
