import { createHmac } from 'node:crypto'
import { type AnswerOf, type contract, Refusal } from '@pillar/contract'
import { recordAudit } from '../../api/audit.ts'
import { type Context, callerOf, type HandlersOf, type Services } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { addGrant } from './grant.queries.ts'
import { type FoundLogin, findLogin, loginProfile, upgradeHash } from './login.queries.ts'
import { checkPassword, hashPassword, PASSWORD_COST } from './password.ts'
import { requestReset, reset } from './reset.ts'
import { endSession, mintAccessToken, openSession, touchSession } from './session.queries.ts'
import { bookAttempt } from './throttle.ts'

type LoginAnswer = AnswerOf<typeof contract.session.login>

const WRONG = 'Incorrect username or password.'

export const sessionHandlers: HandlersOf<typeof contract.session> = {
  async login({ name, password }, context) {
    const { services } = context
    const found = await enter(context, name, password, null)
    const now = services.now()
    const { answer, secret } = await services.pools.gate.transaction().execute(async (tx) => {
      // Signing in again on this browser replaces its session: the cookie is always a new one.
      if (context.cookieSecret) await endSession(tx, context.cookieSecret, now)
      const session = await openSession(tx, found.id, now)
      const caller = { companyId: found.company_id, loginId: found.id, sessionId: session.id }
      await recordAudit(tx, { caller, action: 'session.login', object: null, detail: {} })
      return { answer: await answerFor(tx, session.id, found.id, now), secret: session.secret }
    })
    context.setCookie(secret)
    return answer
  },

  async confirm({ name, password, action, object }, context) {
    const { services } = context
    const caller = callerOf(context)
    await enter(context, name, password, caller)
    return services.pools.gate.transaction().execute(async (tx) => {
      const grant = await addGrant(tx, caller.sessionId, action ?? null, object ?? null, services.now())
      const detail = { action: action ?? null }
      await recordAudit(tx, { caller, action: 'session.confirm', object: object ?? null, detail })
      return { message: 'Password confirmed.', grant }
    })
  },

  async logout(_input, context) {
    const secret = context.cookieSecret
    if (secret) {
      await context.services.pools.gate.transaction().execute(async (tx) => {
        const caller = await endSession(tx, secret, context.services.now())
        if (caller) await recordAudit(tx, { caller, action: 'session.logout', object: null, detail: {} })
      })
    }
    context.clearCookie()
    return { message: 'You are signed out.' }
  },

  async refresh(_input, context) {
    const { services, cookieSecret } = context
    if (!cookieSecret) throw new Refusal('not_signed_in', 'Please sign in.')
    const now = services.now()
    const answer = await services.pools.gate.transaction().execute(async (tx) => {
      const session = await touchSession(tx, cookieSecret, now)
      if (!session) throw new Refusal('session_expired', 'Your session has expired. Please sign in again.')
      return answerFor(tx, session.id, session.loginId, now)
    })
    context.setCookie(cookieSecret)
    return answer
  },

  requestReset,
  reset,
}

async function answerFor(tx: Tx, sessionId: string, loginId: number, now: Date): Promise<LoginAnswer> {
  const access_token = await mintAccessToken(tx, sessionId, now)
  return { ...(await loginProfile(tx, loginId)), access_token, session_id: sessionId }
}

/**
 * Looks at one name and password, for a sign-in or, with `self`, for a signed-in person entering theirs again. The attempt is booked before
 * anything is looked up, and unknown, disabled and foreign names take the same steps and get the same answer as a wrong password.
 */
async function enter(context: Context, name: string, password: string, self: Context['caller']): Promise<FoundLogin> {
  const { services } = context
  const attempt = await bookAttempt(services, self ? self.username : name, context.address)
  const found = await findLogin(services.pools.gate, name)
  const usable = found && !found.disabled_at && (self === null || found.id === self.loginId) ? found : null
  const cost = services.passwordCost ?? PASSWORD_COST
  const { fits, stale } = await checkPassword(usable?.password_hash ?? null, password, cost)
  if (!usable || !fits) {
    await recordAudit(services.pools.gate, {
      caller: self,
      action: self ? 'session.confirm-failed' : 'session.login-failed',
      object: null,
      detail: { name_hash: nameHash(services, name), remaining: attempt.remaining },
    })
    throw new Refusal('wrong_password', WRONG, { errors: { attempts_remaining: [String(attempt.remaining)] } })
  }
  await attempt.succeed([usable.username, usable.email])
  if (stale) {
    const fresh = await hashPassword(password, cost)
    await upgradeHash(services.pools.gate, usable.id, usable.password_hash, fresh)
  }
  return usable
}

/** Tells whether two failures were of one name, without telling the name: people type passwords into this field. */
const nameHash = (services: Services, name: string) =>
  createHmac('sha256', services.secret).update(`audit:name:${name.toLowerCase()}`).digest('base64url')
