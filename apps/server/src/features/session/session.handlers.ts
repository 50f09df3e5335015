import { type contract, Refusal } from '@pillar/contract'
import { recordAudit } from '../../api/audit.ts'
import { callerOf, type HandlersOf, sessionExpired } from '../../api/context.ts'
import { answerFor } from './answer.ts'
import { changePassword } from './change-password.ts'
import { enter, WRONG } from './enter.ts'
import { confirmEula } from './eula.ts'
import { isRemembered } from './factor/second-factor.queries.ts'
import { holdLogin } from './login.queries.ts'
import { checkReset, requestReset, reset } from './reset.ts'
import { endSession, openSession, touchSession } from './session.queries.ts'
import { addStepUp } from './step-up.queries.ts'

export const sessionHandlers: HandlersOf<typeof contract.session> = {
  async login({ name, password }, context) {
    const { services } = context
    const found = await enter(context, name, password)
    const now = services.now()
    const { answer, secret } = await services.pools.system.transaction().execute(async (tx) => {
      // The password may have changed since it was checked, which ended all sessions: this session must not outlive that.
      if (!(await holdLogin(tx, found))) throw new Refusal('wrong_password', WRONG)
      // Signing in again on this browser replaces its session, always with a new cookie.
      if (context.cookieSecret) await endSession(tx, context.cookieSecret, now)
      const remembered = await isRemembered(tx, found.id, context.browserSecret, now)
      const session = await openSession(tx, found.id, now, remembered)
      const caller = { companyId: found.company_id, loginId: found.id, sessionId: session.id, from: context.from }
      await recordAudit(tx, { caller, action: 'session.login', object: null, detail: {} })
      return {
        answer: await answerFor(services, tx, { id: session.id, loginId: found.id }, now),
        secret: session.secret,
      }
    })
    context.setCookie(secret)
    return answer
  },

  async confirm({ name, password, action, object }, context) {
    const { services } = context
    const caller = callerOf(context)
    await enter(context, name, password, { self: caller, failed: 'session.confirm-failed', wrong: WRONG })
    return services.pools.system.transaction().execute(async (tx) => {
      const grant = await addStepUp(tx, caller.sessionId, action ?? null, object ?? null, services.now())
      const detail = { action: action ?? null }
      await recordAudit(tx, { caller, action: 'session.confirm', object: object ?? null, detail })
      return { message: 'Password confirmed.', grant }
    })
  },

  async logout(_input, context) {
    const secret = context.cookieSecret
    if (secret) {
      await context.services.pools.system.transaction().execute(async (tx) => {
        const caller = await endSession(tx, secret, context.services.now())
        const { from } = context
        if (caller) await recordAudit(tx, { caller, from, action: 'session.logout', object: null, detail: {} })
      })
    }
    context.clearCookie()
    return { message: 'You are signed out.' }
  },

  async refresh(_input, context) {
    const { services, cookieSecret } = context
    if (!cookieSecret) throw new Refusal('not_signed_in', 'Please sign in.')
    const now = services.now()
    const answer = await services.pools.system.transaction().execute(async (tx) => {
      const session = await touchSession(tx, cookieSecret, now)
      if (!session) throw sessionExpired()
      return answerFor(services, tx, session, now)
    })
    context.setCookie(cookieSecret)
    return answer
  },

  requestReset,
  checkReset,
  reset,
  changePassword,
  confirmEula,
}
