import { randomBytes } from 'node:crypto'
import { type AnswerOf, type contract, FLAGS, type Flag } from '@pillar/contract'
import { EULA_VERSION } from '@pillar/domain/access/eula'
import { foldName } from '@pillar/domain/access/login-name'
import { sql } from 'kysely'
import type { PasswordCost } from '../../api/context.ts'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Database, Tx } from '../../db/database.ts'
import { agreedTo } from './eula.queries.ts'
import { forgetBrowsersOf } from './factor/second-factor.queries.ts'
import { dropPasswordLinks } from './link.queries.ts'
import { hashPassword, PASSWORD_COST } from './password.ts'
import { endSessionsOf } from './session.queries.ts'

type LoginAnswer = AnswerOf<typeof contract.session.login>

export interface NewLogin {
  companyId: number
  username: string
  email: string
  first_name: string
  last_name: string
  flags: readonly Flag[]
  /** Null if nobody knows one yet: the person chooses it through a link. */
  password: string | null
  /** Another person set the password: the user must replace it first. */
  mustChangePassword?: boolean
}

/**
 * Creates a login. The caller checks the password (`requireGoodPassword`).
 * @throws the database's unique violation if the username or the email address is taken, ignoring the case of A to Z
 */
export async function createLogin(
  system: Database | Tx,
  login: NewLogin,
  cost: PasswordCost = PASSWORD_COST,
): Promise<{ id: number; uuid: string }> {
  const { companyId, flags, password, mustChangePassword = false, ...columns } = login
  const password_hash = await hashPassword(password ?? randomBytes(32).toString('base64url'), cost)
  return system
    .insertInto('login')
    .values({
      ...columns,
      // The others default to off: the console's role may not even name support's flag.
      ...Object.fromEntries(flags.map((flag) => [flag, true])),
      uuid: uuidv7(),
      company_id: companyId,
      password_hash,
      must_change_password: mustChangePassword,
      password_pending: password === null,
    })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
}

/**
 * Sets a password by its hash (from `hashPassword`), ends every session of the login and revokes every link that could set another.
 * @param mustChange another person set it: the user must replace it first
 */
export async function setPassword(
  tx: Tx,
  loginId: number,
  passwordHash: string,
  now: Date,
  mustChange = false,
): Promise<void> {
  await tx
    .updateTable('login')
    .set({
      password_hash: passwordHash,
      password_changed_at: now,
      must_change_password: mustChange,
      password_pending: false,
    })
    .where('id', '=', loginId)
    .execute()
  await forgetBrowsersOf(tx, loginId)
  await dropPasswordLinks(tx, loginId)
  await endSessionsOf(tx, loginId, now)
}

/** Ends everything a login holds: its sessions on every device, and the links that could set its password. The caller has locked it out. */
export async function shutOut(tx: Tx, loginId: number, now: Date): Promise<void> {
  await dropPasswordLinks(tx, loginId)
  await endSessionsOf(tx, loginId, now)
}

/** Stores the same password under costlier parameters. @returns false, with nothing written, if the hash was changed in the meantime */
export async function upgradeHash(system: Database, loginId: number, old: string, fresh: string): Promise<boolean> {
  const { numUpdatedRows } = await system
    .updateTable('login')
    .set({ password_hash: fresh })
    .where('id', '=', loginId)
    .where('password_hash', '=', old)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export interface FoundLogin {
  id: number
  company_id: number
  username: string
  email: string
  password_hash: string
  disabled_at: Date | null
}

/**
 * The login with this username or email address, ignoring the case of A to Z; null if there is none. Includes disabled ones, but not
 * removed ones, whose names may belong to others by now. `lower()` with the collation "C" folds as `foldName` does, whatever the server's
 * locale.
 */
export async function findLogin(system: Database | Tx, name: string): Promise<FoundLogin | null> {
  const wanted = foldName(name)
  const row = await system
    .selectFrom('login')
    .select(['id', 'company_id', 'username', 'email', 'password_hash', 'disabled_at'])
    .where((or) =>
      or.or([sql`lower(username collate "C") = ${wanted}`, sql`lower(email collate "C") = ${wanted}`].map(asBoolean)),
    )
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}
const asBoolean = (condition: ReturnType<typeof sql>) => condition.$castTo<boolean>()

/** Locks a login for the rest of the transaction. @returns false if its password was changed or it was disabled since it was read */
export async function holdLogin(tx: Tx, found: Pick<FoundLogin, 'id' | 'password_hash'>): Promise<boolean> {
  const row = await tx
    .selectFrom('login')
    .select('id')
    .where('id', '=', found.id)
    .where('password_hash', '=', found.password_hash)
    .where('disabled_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** What password rules and emails need about a person. */
export async function loginOwner(system: Database | Tx, loginId: number) {
  return system
    .selectFrom('login as l')
    .innerJoin('company as c', 'c.id', 'l.company_id')
    .select(['l.id', 'l.company_id', 'l.username', 'l.email', 'l.first_name', 'l.last_name', 'c.name as company'])
    .select('c.country')
    .where('l.id', '=', loginId)
    .where('l.disabled_at', 'is', null)
    .executeTakeFirst()
}

/** The login response without its token: flags, names, company. */
export async function loginProfile(
  system: Database | Tx,
  loginId: number,
): Promise<
  Omit<LoginAnswer, 'access_token' | 'session_id' | 'second_factor'> & { demo: boolean; has_factor: boolean }
> {
  const row = await system
    .selectFrom('login as l')
    .innerJoin('company as c', 'c.id', 'l.company_id')
    .select(['l.first_name', 'l.last_name', 'l.username', 'l.must_change_password'])
    .select(FLAGS.map((flag) => `l.${flag}` as const))
    .select(['c.uuid', 'c.name', 'c.type', 'c.country', 'c.demo', 'l.second_factor as has_factor'])
    .select(agreedTo(EULA_VERSION).as('portal_eula'))
    .leftJoin('recruiter_provider as r', 'r.id', 'l.recruiter_provider_id')
    .select(['r.uuid as recruiter_uuid', 'r.name as recruiter_name'])
    .where('l.id', '=', loginId)
    .executeTakeFirstOrThrow()
  const { uuid, name, type, country, recruiter_uuid, recruiter_name, ...rest } = row
  const company = { uuid, name, type, country: country as LoginAnswer['company']['country'] }
  const recruiter =
    recruiter_uuid === null || recruiter_name === null
      ? null
      : { recruiter_provider_id: recruiter_uuid, recruiter_provider_name: recruiter_name }
  return { ...rest, company, recruiter }
}
