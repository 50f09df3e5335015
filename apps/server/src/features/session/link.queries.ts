import { createHmac } from 'node:crypto'
import type { Database, Tx } from '../../db/database.ts'
import { latest, newToken } from './session.queries.ts'

/** The purpose of a mailed link; a token works only for its own purpose. */
export type LinkPurpose = 'reset' | 'invite' | 'download' | 'signup'

const hashOf = (secret: Buffer, purpose: LinkPurpose, token: string) =>
  createHmac('sha256', secret).update(`link:${purpose}:${token}`).digest()

/**
 * Creates a link token of 256 random bits and revokes older unused ones of the same purpose and subject. The caller locks the subject, so
 * that of two created at once only one survives. Only a keyed hash is stored.
 */
export async function makeLink(
  tx: Tx,
  secret: Buffer,
  link: { purpose: LinkPurpose; subjectId: number; now: Date; seconds: number },
): Promise<string> {
  const token = newToken()
  await dropLinks(tx, link.purpose, link.subjectId)
  await tx
    .insertInto('link')
    .values({
      token_hash: hashOf(secret, link.purpose, token),
      purpose: link.purpose,
      subject_id: link.subjectId,
      created_at: link.now,
      expires_at: new Date(link.now.getTime() + link.seconds * 1000),
    })
    .execute()
  return token
}

/** Revokes the unused links of a purpose and subject. */
export async function dropLinks(tx: Tx, purpose: LinkPurpose, subjectId: number): Promise<void> {
  await tx
    .deleteFrom('link')
    .where('purpose', '=', purpose)
    .where('subject_id', '=', subjectId)
    .where('used_at', 'is', null)
    .execute()
}

/** The subject of a valid link, without using it; null if it does not work. */
export async function findLink(
  system: Database,
  secret: Buffer,
  purpose: LinkPurpose,
  token: string,
  now: Date,
): Promise<number | null> {
  const row = await system
    .selectFrom('link')
    .select('subject_id')
    .where('token_hash', '=', hashOf(secret, purpose, token))
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where('created_at', '<=', latest(now))
    .executeTakeFirst()
  return row?.subject_id ?? null
}

/** Uses a link in one statement: of many concurrent calls exactly one gets the subject and the others null. */
export async function redeemLink(
  tx: Tx,
  secret: Buffer,
  purpose: LinkPurpose,
  token: string,
  now: Date,
): Promise<number | null> {
  const row = await tx
    .updateTable('link')
    .set({ used_at: now })
    .where('token_hash', '=', hashOf(secret, purpose, token))
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where('created_at', '<=', latest(now))
    .returning('subject_id')
    .executeTakeFirst()
  return row?.subject_id ?? null
}

/** Links with which a person chooses a password: requested by the person, or sent as an invitation. */
const PASSWORD_LINKS = ['reset', 'invite'] as const

/** The subject of a link for choosing a password, without using it; null if it does not work. */
export async function findPasswordLink(
  system: Database,
  secret: Buffer,
  token: string,
  now: Date,
): Promise<{ purpose: (typeof PASSWORD_LINKS)[number]; loginId: number } | null> {
  for (const purpose of PASSWORD_LINKS) {
    const loginId = await findLink(system, secret, purpose, token, now)
    if (loginId !== null) return { purpose, loginId }
  }
  return null
}

/** Revokes every unused link that could set this login's password. */
export async function dropPasswordLinks(tx: Tx, loginId: number): Promise<void> {
  for (const purpose of PASSWORD_LINKS) await dropLinks(tx, purpose, loginId)
}

/** Locks a login for the rest of the transaction. */
export async function lockLogin(tx: Tx, loginId: number): Promise<void> {
  await tx.selectFrom('login').select('id').where('id', '=', loginId).forUpdate().execute()
}
