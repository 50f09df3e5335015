import { createHmac, timingSafeEqual } from 'node:crypto'
import { REMEMBERED_DAYS } from '@pillar/domain/access/second-factor'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../../api/uuid.ts'
import type { Database, Tx } from '../../../db/database.ts'
import { endSessionsOf, hashToken, latest, newToken } from '../session.queries.ts'

/** Milliseconds within which a passkey must answer a challenge. */
const CHALLENGE_MS = 300_000

export interface App {
  sealed: Buffer
  confirmed_at: Date | null
  last_step: number
}

export interface Passkey {
  uuid: string
  credential_id: string
  public_key: Buffer
  counter: number
  transports: string[]
  name: string
  created_at: Date
  last_used_at: Date | null
}

/** The authenticator app of a login, confirmed or not; locked until the transaction ends, so that no code is accepted twice. */
export async function lockApp(tx: Tx, loginId: number): Promise<App | null> {
  const row = await tx
    .selectFrom('authenticator_app')
    .select(['sealed', 'confirmed_at', 'last_step'])
    .where('login_id', '=', loginId)
    .forUpdate()
    .executeTakeFirst()
  return row ? { ...row, last_step: Number(row.last_step) } : null
}

/** Stores a new secret that waits for its first code. An app in use stays until then. */
export async function startApp(tx: Tx, loginId: number, sealed: Buffer): Promise<boolean> {
  const { rows } = await sql`
    insert into authenticator_app (login_id, sealed) values (${loginId}, ${sealed})
    on conflict (login_id) do update set sealed = excluded.sealed, created_at = now()
    where authenticator_app.confirmed_at is null returning 1`.execute(tx)
  return rows.length > 0
}

/** Records that the code of this half minute was used; the first one activates the app. */
export async function useAppStep(tx: Tx, loginId: number, step: number, now: Date): Promise<void> {
  await sql`update authenticator_app set last_step = ${step}, confirmed_at = coalesce(confirmed_at, ${now})
    where login_id = ${loginId}`.execute(tx)
}

/** Removes the app of a login. */
export async function dropApp(tx: Tx, loginId: number): Promise<void> {
  await tx.deleteFrom('authenticator_app').where('login_id', '=', loginId).execute()
}

/** The passkeys of a login, oldest first. */
export async function passkeysOf(db: Database | Tx, loginId: number): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('passkey')
    .select(['uuid', 'credential_id', 'public_key', 'counter', 'transports', 'name', 'created_at', 'last_used_at'])
    .where('login_id', '=', loginId)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, counter: Number(row.counter) }))
}

/** Stores a passkey. */
export async function addPasskey(
  tx: Tx,
  loginId: number,
  passkey: Pick<Passkey, 'credential_id' | 'public_key' | 'counter' | 'transports' | 'name'>,
): Promise<void> {
  await tx
    .insertInto('passkey')
    .values({ ...passkey, uuid: uuidv7(), login_id: loginId })
    .execute()
}

/** Records the use of a passkey and its counter. */
export async function usePasskey(tx: Tx, uuid: string, counter: number, now: Date): Promise<void> {
  await tx.updateTable('passkey').set({ counter, last_used_at: now }).where('uuid', '=', uuid).execute()
}

/** Removes a passkey of a login. @returns whether there was one */
export async function dropPasskey(tx: Tx, loginId: number, uuid: string): Promise<boolean> {
  const gone = await tx
    .deleteFrom('passkey')
    .where('login_id', '=', loginId)
    .where('uuid', '=', uuid)
    .executeTakeFirst()
  return gone.numDeletedRows > 0n
}

/** Updates whether the login has a second factor left; without one, deletes its recovery codes and remembered browsers. */
export async function noteFactor(tx: Tx, loginId: number): Promise<boolean> {
  const { rows } = await sql<{ second_factor: boolean }>`
    update login set second_factor = exists (select from authenticator_app where login_id = ${loginId} and confirmed_at is not null)
      or exists (select from passkey where login_id = ${loginId})
    where id = ${loginId} returning second_factor`.execute(tx)
  const has = rows[0]?.second_factor === true
  if (!has) {
    await tx.deleteFrom('recovery_code').where('login_id', '=', loginId).execute()
    await forgetBrowsersOf(tx, loginId)
  }
  return has
}

const codeHash = (secret: Buffer, loginId: number, code: string) =>
  createHmac('sha256', secret).update(`recovery:${loginId}:${code}`).digest()

/** Replaces the recovery codes of a login. @param codes as `plainRecoveryCode` returns them */
export async function setRecoveryCodes(
  tx: Tx,
  secret: Buffer,
  loginId: number,
  codes: readonly string[],
): Promise<void> {
  await tx.deleteFrom('recovery_code').where('login_id', '=', loginId).execute()
  await tx
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ login_id: loginId, code_hash: codeHash(secret, loginId, code) })))
    .execute()
}

/** Uses up a recovery code. @returns false if it does not belong to this login, or was used */
export async function useRecoveryCode(
  tx: Tx,
  secret: Buffer,
  loginId: number,
  code: string,
  now: Date,
): Promise<boolean> {
  const used = await tx
    .updateTable('recovery_code')
    .set({ used_at: now })
    .where('login_id', '=', loginId)
    .where('code_hash', '=', codeHash(secret, loginId, code))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return used.numUpdatedRows > 0n
}

/** Stores the challenge a passkey must sign in this session; the previous one no longer counts. */
export async function keepChallenge(tx: Database | Tx, sessionId: string, challenge: string, now: Date): Promise<void> {
  await tx
    .updateTable('session')
    .set({ challenge, challenge_until: new Date(now.getTime() + CHALLENGE_MS) })
    .where('id', '=', sessionId)
    .execute()
}

/** Takes the challenge of this session, once. Null if there is none, or it is too old. */
export async function takeChallenge(tx: Tx, sessionId: string, now: Date): Promise<string | null> {
  const { rows } = await sql<{ challenge: string }>`
    update session s set challenge = null from (select id, challenge, challenge_until from session where id = ${sessionId} for update) was
    where s.id = was.id and was.challenge is not null and was.challenge_until > ${now} returning was.challenge`.execute(
    tx,
  )
  return rows[0]?.challenge ?? null
}

/** Whether this session has presented a second factor. */
export async function hasShownFactor(tx: Tx, sessionId: string): Promise<boolean> {
  const row = await tx.selectFrom('session').select('factor_at').where('id', '=', sessionId).executeTakeFirst()
  return row !== undefined && row.factor_at !== null
}

/** Marks this session as having presented its second factor, which was just set up in it. */
export async function noteShown(tx: Tx, sessionId: string, now: Date): Promise<void> {
  await tx.updateTable('session').set({ factor_at: now }).where('id', '=', sessionId).execute()
}

/** When this session was opened. */
export async function openedAt(tx: Database | Tx, sessionId: string): Promise<Date | null> {
  const row = await tx.selectFrom('session').select('created_at').where('id', '=', sessionId).executeTakeFirst()
  return row?.created_at ?? null
}

/** Remembers a browser for a login. @returns the secret of its cookie */
export async function rememberBrowser(tx: Tx, loginId: number, now: Date): Promise<string> {
  const secret = newToken()
  await tx
    .insertInto('remembered_browser')
    .values({
      token_hash: hashToken(secret),
      login_id: loginId,
      created_at: now,
      expires_at: new Date(now.getTime() + REMEMBERED_DAYS * 86_400_000),
    })
    .execute()
  return secret
}

/** Whether this browser may skip the second factor of this login. */
export async function isRemembered(tx: Tx, loginId: number, secret: string | null, now: Date): Promise<boolean> {
  if (secret === null) return false
  const hash = hashToken(secret)
  const row = await tx
    .selectFrom('remembered_browser')
    .select('token_hash')
    .where('token_hash', '=', hash)
    .where('login_id', '=', loginId)
    .where('expires_at', '>', now)
    .where('created_at', '<=', latest(now))
    .executeTakeFirst()
  return row !== undefined && timingSafeEqual(row.token_hash, hash)
}

/** Forgets every browser remembered for a login. */
export async function forgetBrowsersOf(tx: Tx, loginId: number): Promise<void> {
  await tx.deleteFrom('remembered_browser').where('login_id', '=', loginId).execute()
}

/** What the page about the second factor shows of a login. */
export async function factorCounts(
  db: Database | Tx,
  loginId: number,
  now: Date,
): Promise<{ app: boolean; recovery_codes: number; remembered_browsers: number }> {
  const { rows } = await sql<{ app: boolean; recovery_codes: number; remembered_browsers: number }>`select
    exists (select from authenticator_app where login_id = ${loginId} and confirmed_at is not null) as app,
    (select count(*) from recovery_code where login_id = ${loginId} and used_at is null) as recovery_codes,
    (select count(*) from remembered_browser where login_id = ${loginId} and expires_at > ${now}) as remembered_browsers`.execute(
    db,
  )
  if (!rows[0]) throw new Error('a select without from answers one row')
  return rows[0]
}

/** As support: removes a login's whole second factor and ends its sessions. @returns null if there is no such login */
export async function dropFactorsAsStaff(
  tx: Tx,
  uuid: string,
  now: Date,
): Promise<{ id: number; company_id: number; email: string; first_name: string; had: boolean } | null> {
  // The login is locked first, as everywhere: this waits for a second factor being presented now, and also removes what that stored.
  const login = await tx
    .selectFrom('login')
    .select(['id', 'company_id', 'email', 'first_name', 'second_factor as had'])
    .where('uuid', '=', uuid)
    .where('disabled_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!login) return null
  for (const table of ['authenticator_app', 'passkey', 'recovery_code', 'remembered_browser'] as const) {
    await sql`delete from ${sql.table(table)} where login_id = ${login.id}`.execute(tx)
  }
  await sql`update login set second_factor = false where id = ${login.id}`.execute(tx)
  await endSessionsOf(tx, login.id, now)
  return login
}
