import { createHash, randomBytes } from 'node:crypto'
import { FLAGS, type Flag } from '@pillar/contract'
import { ABSOLUTE_SECONDS, IDLE_SECONDS } from '@pillar/domain/access/session'
import { sql } from 'kysely'
import type { Caller } from '../../api/context.ts'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Database, Tx } from '../../db/database.ts'

/** The stored hash of a token: 256 random bits need no salt. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
/** 256 random bits, safe in a cookie, a header and a path. */
export const newToken = (): string => randomBytes(32).toString('base64url')

const before = (now: Date, seconds: number) => new Date(now.getTime() - seconds * 1000)
/**
 * The latest time at which a session can have been used, or a token, link or remembered browser made. A later one dates from before the
 * database's clock, which was ahead, was set back; it would stay valid for too long. A process may read the clock a minute late.
 */
export const latest = (now: Date) => new Date(now.getTime() + IDLE_SECONDS * 1000)

/** The holder of this access token at `now`; null if it is unknown or expired, or its session or login has ended. */
export async function findCaller(system: Database, token: string, now: Date): Promise<Caller | null> {
  const row = await system
    .selectFrom('access_token as t')
    .innerJoin('session as s', 's.id', 't.session_id')
    .innerJoin('login as l', 'l.id', 's.login_id')
    .innerJoin('company as c', 'c.id', 'l.company_id')
    .select([
      's.id as session_id',
      'l.id as login_id',
      'l.username',
      'l.must_change_password',
      'l.second_factor',
      's.factor_at',
      'l.company_id',
      'c.uuid as company_uuid',
      'c.country',
      'c.demo',
    ])
    .select(FLAGS.map((flag) => `l.${flag}` as const))
    .select(
      sql<
        number[]
      >`array(select id from location where company_id = l.company_id and removed_at is null order by id)`.as(
        'location_ids',
      ),
    )
    .where('t.token_hash', '=', hashToken(token))
    .where('t.expires_at', '>', now)
    .where('t.expires_at', '<=', latest(latest(now)))
    .where('s.ended_at', 'is', null)
    .where('s.created_at', '>', before(now, ABSOLUTE_SECONDS))
    .where('l.disabled_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  return {
    loginId: row.login_id,
    sessionId: row.session_id,
    username: row.username,
    mustChangePassword: row.must_change_password,
    factor: { has: row.second_factor, shown: row.factor_at !== null },
    demo: row.demo,
    flags: new Set(FLAGS.filter((flag: Flag) => row[flag])),
    companyId: row.company_id,
    companyUuid: row.company_uuid,
    country: row.country as Caller['country'],
    scope: { companyId: row.company_id, locationIds: row.location_ids.map(Number) },
  }
}

/**
 * Opens a session and deletes the ended ones of this login.
 * @param factorShown whether the second factor of the login was presented, or is not required on this browser
 * @returns its id and the secret of its cookie, of which only a hash is stored
 */
export async function openSession(
  tx: Tx,
  loginId: number,
  now: Date,
  factorShown: boolean,
): Promise<{ id: string; secret: string }> {
  await tx
    .deleteFrom('session')
    .where('login_id', '=', loginId)
    .where((or) =>
      or.or([
        or('ended_at', 'is not', null),
        or('seen_at', '<=', before(now, IDLE_SECONDS)),
        or('created_at', '<=', before(now, ABSOLUTE_SECONDS)),
      ]),
    )
    .execute()
  const id = uuidv7(now.getTime())
  const secret = newToken()
  await tx
    .insertInto('session')
    .values({
      id,
      login_id: loginId,
      secret_hash: hashToken(secret),
      created_at: now,
      seen_at: now,
      factor_at: factorShown ? now : null,
    })
    .execute()
  return { id, secret }
}

/** Issues an access token for an open session, valid for one idle window, and deletes its expired ones. */
export async function mintAccessToken(tx: Tx, sessionId: string, now: Date): Promise<string> {
  const token = newToken()
  await tx.deleteFrom('access_token').where('session_id', '=', sessionId).where('expires_at', '<=', now).execute()
  const expires = new Date(now.getTime() + IDLE_SECONDS * 1000)
  await tx
    .insertInto('access_token')
    .values({ token_hash: hashToken(token), session_id: sessionId, expires_at: expires })
    .execute()
  return token
}

/**
 * Marks this cookie's session as in use. Null if it is unknown or ended: 900 s without a refresh, 12 hours old, signed out, or its login
 * disabled. The cookie stays the same, so that tabs do not sign each other out.
 */
export async function touchSession(tx: Tx, secret: string, now: Date): Promise<{ id: string; loginId: number } | null> {
  const row = await tx
    .updateTable('session as s')
    .from('login as l')
    .set({ seen_at: now })
    .whereRef('l.id', '=', 's.login_id')
    .where('s.secret_hash', '=', hashToken(secret))
    .where('s.ended_at', 'is', null)
    .where('s.seen_at', '>', before(now, IDLE_SECONDS))
    .where('s.seen_at', '<=', latest(now))
    .where('s.created_at', '>', before(now, ABSOLUTE_SECONDS))
    .where('l.disabled_at', 'is', null)
    .returning(['s.id', 's.login_id'])
    .executeTakeFirst()
  return row ? { id: row.id, loginId: row.login_id } : null
}

/** Ends the session of this cookie, if it is open, with its access tokens and step-ups. @returns its login, or null */
export async function endSession(
  tx: Tx,
  secret: string,
  now: Date,
): Promise<Pick<Caller, 'sessionId' | 'loginId' | 'companyId'> | null> {
  const row = await tx
    .updateTable('session as s')
    .from('login as l')
    .set({ ended_at: now })
    .whereRef('l.id', '=', 's.login_id')
    .where('s.secret_hash', '=', hashToken(secret))
    .where('s.ended_at', 'is', null)
    .returning(['s.id', 's.login_id', 'l.company_id'])
    .executeTakeFirst()
  if (!row) return null
  await dropTokens(tx, [row.id])
  return { sessionId: row.id, loginId: row.login_id, companyId: row.company_id }
}

/** Ends one session by its id so that another can replace it. The caller locks its login first. @returns false when it had already ended: then nothing may replace it */
export async function endSessionById(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('session')
    .set({ ended_at: now })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  await dropTokens(tx, [id])
  return numUpdatedRows > 0n
}

/** Whether a session is open; it stays so until the transaction ends if the caller has locked its login. */
export async function isOpen(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('session')
    .select('id')
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Ends every session of a login, on every instance, at once. @returns how many were open */
export async function endSessionsOf(tx: Tx, loginId: number, now: Date): Promise<number> {
  const ended = await tx
    .updateTable('session')
    .set({ ended_at: now })
    .where('login_id', '=', loginId)
    .where('ended_at', 'is', null)
    .returning('id')
    .execute()
  await dropTokens(
    tx,
    ended.map((row) => row.id),
  )
  return ended.length
}

async function dropTokens(tx: Tx, sessions: readonly string[]): Promise<void> {
  if (sessions.length === 0) return
  await tx
    .deleteFrom('access_token')
    .where('session_id', 'in', [...sessions])
    .execute()
  // A step-up that a write is using at this moment is left alone: that write may be waiting for the login being locked out here, and
  // without its session the step-up opens nothing more.
  await sql`
    delete from step_up where ctid in (
      select ctid from step_up where session_id = any (${[...sessions]}) for update skip locked)`.execute(tx)
}
