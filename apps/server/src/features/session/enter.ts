import { createHmac } from 'node:crypto'
import { Refusal } from '@pillar/contract'
import { foldName } from '@pillar/domain/access/login-name'
import { recordAudit } from '../../api/audit.ts'
import type { Context, Services } from '../../api/context.ts'
import { type FoundLogin, findLogin, upgradeHash } from './login.queries.ts'
import { checkPassword, hashPassword, PASSWORD_COST } from './password.ts'
import { countAttempt } from './throttle.ts'

/** Why a password is checked. */
interface Occasion {
  /** The signed-in person who enters it again; null at a sign-in. */
  self: Context['caller']
  /** The audit log's name for a failure. */
  failed: string
  /** The sentence shown for a wrong password. */
  wrong: string
}

export const WRONG = 'Incorrect username or password.'
const SIGN_IN: Occasion = { self: null, failed: 'session.login-failed', wrong: WRONG }

/**
 * Checks one name and password, for a sign-in or, with `self`, for a signed-in person entering theirs again. The attempt is counted
 * for the name and the login before its password is checked; unknown, disabled, foreign and held names take the same steps and get the same
 * answer as a wrong password.
 * @returns the login with the matching hash, so that the caller can see whether it has changed since
 */
export async function enter(
  context: Context,
  name: string,
  password: string,
  { self, failed, wrong }: Occasion = SIGN_IN,
): Promise<FoundLogin> {
  const { services } = context
  const found = await findLogin(services.pools.system, name)
  const counted = self ? { name, self: self.loginId } : { name, loginId: found?.id ?? null }
  const attempt = await countAttempt(services, counted, context.address)
  const own = self === null || found?.id === self.loginId
  const usable = found && !found.disabled_at && own && !attempt.held ? found : null
  const cost = services.passwordCost ?? PASSWORD_COST
  const { fits, stale } = await checkPassword(usable?.password_hash ?? null, password, cost)
  if (!usable || !fits) {
    await recordAudit(services.pools.system, {
      caller: self,
      from: context.from,
      action: failed,
      object: null,
      detail: {
        name_hash: nameHash(services, name),
        remaining: attempt.remaining,
        ...(attempt.held && { held: true }),
      },
    })
    throw new Refusal('wrong_password', wrong, { errors: { attempts_remaining: [String(attempt.remaining)] } })
  }
  await attempt.succeed()
  if (!stale) return usable
  const fresh = await hashPassword(password, cost)
  if (await upgradeHash(services.pools.system, usable.id, usable.password_hash, fresh))
    return { ...usable, password_hash: fresh }
  // A concurrent sign-in upgraded it first, or the password was changed: the stored one decides.
  const now = await findLogin(services.pools.system, name)
  return now && (await checkPassword(now.password_hash, password, cost)).fits ? now : usable
}

/** Shows whether two failures were for the same name, without storing the name: people type passwords into this field. */
const nameHash = (services: Services, name: string) =>
  createHmac('sha256', services.secret)
    .update(`audit:name:${foldName(name)}`)
    .digest('base64url')
