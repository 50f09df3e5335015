import { createHmac } from 'node:crypto'
import { Refusal } from '@pillar/contract'
import { foldName } from '@pillar/domain/access/login-name'
import { recordAudit } from '../../api/audit.ts'
import type { Context, Services } from '../../api/context.ts'
import { type FoundLogin, findLogin, upgradeHash } from './login.queries.ts'
import { checkPassword, hashPassword, PASSWORD_COST } from './password.ts'
import { countAttempt } from './throttle.ts'

/** Why a password is looked at. */
interface Occasion {
  /** The signed-in person who enters theirs again; null at a sign-in. */
  self: Context['caller']
  /** What the audit log calls a failure. */
  failed: string
  /** What a wrong one is told. */
  wrong: string
}

export const WRONG = 'Incorrect username or password.'
const SIGN_IN: Occasion = { self: null, failed: 'session.login-failed', wrong: WRONG }

/**
 * Looks at one name and password, for a sign-in or, with `self`, for a signed-in person entering theirs again. The attempt is booked at
 * the login the name belongs to before its password is looked at, and unknown, disabled and foreign names take the same steps and get the same answer as a wrong password.
 * @returns the login with the hash the password fits, so that whoever acts on it can see whether it was changed meanwhile
 */
export async function enter(
  context: Context,
  name: string,
  password: string,
  { self, failed, wrong }: Occasion = SIGN_IN,
): Promise<FoundLogin> {
  const { services } = context
  const found = await findLogin(services.pools.system, name)
  const counted = self ? { loginId: self.loginId } : found ? { loginId: found.id } : { name }
  const attempt = await countAttempt(services, counted, context.address)
  const usable = found && !found.disabled_at && (self === null || found.id === self.loginId) ? found : null
  const cost = services.passwordCost ?? PASSWORD_COST
  const { fits, stale } = await checkPassword(usable?.password_hash ?? null, password, cost)
  if (!usable || !fits) {
    await recordAudit(services.pools.system, {
      caller: self,
      action: failed,
      object: null,
      detail: { name_hash: nameHash(services, name), remaining: attempt.remaining },
    })
    throw new Refusal('wrong_password', wrong, { errors: { attempts_remaining: [String(attempt.remaining)] } })
  }
  await attempt.succeed()
  if (!stale) return usable
  const fresh = await hashPassword(password, cost)
  await upgradeHash(services.pools.system, usable.id, usable.password_hash, fresh)
  return { ...usable, password_hash: fresh }
}

/** Tells whether two failures were of one name, without telling the name: people type passwords into this field. */
const nameHash = (services: Services, name: string) =>
  createHmac('sha256', services.secret)
    .update(`audit:name:${foldName(name)}`)
    .digest('base64url')
