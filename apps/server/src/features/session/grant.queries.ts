import { createHash } from 'node:crypto'
import { Refusal, type StepUp } from '@pillar/contract'
import { sql } from 'kysely'
import type { Caller } from '../../api/context.ts'
import type { Database, Tx } from '../../db/database.ts'
import { hashToken, newToken } from './session.queries.ts'

export type GrantAction = StepUp

/** Seconds a grant of a re-entered password may wait to be used. */
const GRANT_SECONDS = 300

/** Grants one action on one object (null: something new) to one session, once, for five minutes. @returns the token */
export async function addGrant(
  tx: Tx,
  sessionId: string,
  action: GrantAction | null,
  object: string | null,
  now: Date,
): Promise<string> {
  const token = newToken()
  await tx
    .insertInto('step_up_grant')
    .values({
      grant_hash: hashToken(token),
      session_id: sessionId,
      action,
      object: kept(object),
      expires_at: new Date(now.getTime() + GRANT_SECONDS * 1000),
    })
    .execute()
  return token
}

/**
 * Uses a grant up for this caller, action and object, in the transaction of the write it is for: spent when that commits. A grant made
 * without an action opens nothing.
 * @throws Refusal step_up_needed when there is none, or it is someone else's, used, too old or for something else
 */
export async function useGrant(
  tx: Database | Tx,
  caller: Pick<Caller, 'sessionId'>,
  token: string | null,
  action: GrantAction,
  object: string | null,
  now: Date,
): Promise<void> {
  const used =
    token !== null &&
    (await sql`select * from spend_grant(${hashToken(token)}, ${caller.sessionId}, ${action}, ${kept(object)}, ${now})`.execute(
      tx,
    ))
  if (!used || used.rows.length === 0)
    throw new Refusal('step_up_needed', 'Please enter your password again to do this.')
}

/** An object as it is kept: a long list of ids as its hash. */
function kept(object: string | null): string | null {
  return object !== null && object.length > 200 ? `sha256:${createHash('sha256').update(object).digest('hex')}` : object
}
