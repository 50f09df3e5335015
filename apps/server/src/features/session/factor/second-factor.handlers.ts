import { type contract, Refusal } from '@pillar/contract'
import { MOST_PASSKEYS, needsSecondFactor } from '@pillar/domain/access/second-factor'
import { recordAudit } from '../../../api/audit.ts'
import { type Caller, type Context, callerOf, type HandlersOf, sessionExpired, staffTx } from '../../../api/context.ts'
import type { Tx } from '../../../db/database.ts'
import { answerFor } from '../answer.ts'
import { lockLogin } from '../link.queries.ts'
import { endSessionById, isOpen, openSession } from '../session.queries.ts'
import { spendStepUp } from '../step-up.queries.ts'
import { countAttempt } from '../throttle.ts'
import { signalFactor, signalFactorReset } from './factor-letter.ts'
import { factorOf, isFactorRequired } from './factor-state.ts'
import {
  addPasskey,
  dropApp,
  dropFactorsAsStaff,
  dropPasskey,
  factorCounts,
  forgetBrowsersOf,
  noteFactor,
  noteShown,
  openedAt,
  passkeysOf,
  rememberBrowser,
} from './second-factor.queries.ts'
import {
  challengeFor,
  newApp,
  newRecoveryCodes,
  passkeyOptions,
  relyingParty,
  takeAppCode,
  takeNewPasskey,
  takePasskey,
  takeRecoveryCode,
} from './second-factor.ts'

type Handlers = HandlersOf<typeof contract.secondFactor>

/** After a sign-in this recent, adding a second factor does not require the password again. */
const FRESH_MS = 300_000
const WRONG_CODE = 'That code is not right, or it has been used. Please enter the newest one.'
const WRONG_RECOVERY = 'That recovery code is not right, or it has been used or replaced.'
const WRONG_PASSKEY = 'That passkey was not accepted. Please try again, or use another way.'

/**
 * Changes the caller's own second factor, in one transaction with its audit row and its email. Changes to one login run one after another,
 * and none after the end of its session.
 */
function change<A>(
  context: Context,
  action: string,
  work: (tx: Tx, caller: Caller) => Promise<A>,
  letter?: string,
): Promise<A> {
  const caller = callerOf(context)
  return context.services.pools.system.transaction().execute(async (tx) => {
    // The login is locked first, as everywhere: ending its sessions then waits, or has ended this one.
    await lockLogin(tx, caller.loginId)
    if (!(await isOpen(tx, caller.sessionId))) throw sessionExpired()
    const result = await work(tx, caller)
    await recordAudit(tx, { caller, action, object: null, detail: {} })
    if (letter) await signalFactor(tx, context.services, caller.loginId, letter)
    return result
  })
}

/** Adding a factor requires a password entered recently: at the sign-in, or again. */
async function demandFreshPassword(context: Context, tx: Tx, caller: Caller): Promise<void> {
  const now = context.services.now()
  const opened = await openedAt(tx, caller.sessionId)
  if (opened && now.getTime() - opened.getTime() < FRESH_MS) return
  await spendStepUp(tx, caller, context.grant, 'save', null, now)
}

/** A first factor also brings recovery codes, and its session counts as having presented it. */
async function afterSetUp(context: Context, tx: Tx, caller: Caller) {
  const { services } = context
  const now = services.now()
  const first = !caller.factor.has
  await noteFactor(tx, caller.loginId)
  await noteShown(tx, caller.sessionId, now)
  const recovery_codes = first ? await newRecoveryCodes(tx, services, caller.loginId) : null
  const session = { id: caller.sessionId, loginId: caller.loginId }
  return { ...(await answerFor(services, tx, session, now)), recovery_codes }
}

/** Refuses to leave a person without the second factor they must have. */
async function refuseLast(context: Context, tx: Tx, caller: Caller): Promise<void> {
  const flags = { sr_login: caller.flags.has('sr_login'), ecdr: caller.flags.has('ecdr') }
  const must = isFactorRequired(context.services.env, caller.demo) && needsSecondFactor(flags)
  if (!(await noteFactor(tx, caller.loginId)) && must) {
    throw new Refusal(
      'conflict',
      'Your login must have a second factor. Please set up another one first, then remove this.',
    )
  }
}

export const secondFactorHandlers: Handlers = {
  async status(_input, context) {
    const caller = callerOf(context)
    const { services } = context
    const flags = { sr_login: caller.flags.has('sr_login'), ecdr: caller.flags.has('ecdr') }
    const passkeys = await passkeysOf(services.pools.system, caller.loginId)
    return {
      ...(await factorCounts(services.pools.system, caller.loginId, services.now())),
      required: isFactorRequired(services.env, caller.demo) && needsSecondFactor(flags),
      state: factorOf(caller, services),
      passkeys: passkeys.map(({ uuid, name, created_at, last_used_at }) => ({
        id: uuid,
        name,
        created_at: created_at.toISOString(),
        last_used_at: last_used_at?.toISOString() ?? null,
      })),
      passkeys_possible: relyingParty(services) !== null,
    }
  },

  async challenge(_input, context) {
    const caller = callerOf(context)
    const { services } = context
    return {
      options: { ...(await services.pools.system.transaction().execute((tx) => challengeFor(tx, services, caller))) },
    }
  },

  async verify({ code, recovery_code, passkey, remember }, context) {
    const { services } = context
    const caller = callerOf(context)
    const now = services.now()
    // Counted separately: entering the right password again and again must not buy new guesses at the code.
    const attempt = await countAttempt(services, { factorOf: caller.loginId }, context.address)
    const way = code ? 'app' : recovery_code ? 'recovery code' : 'passkey'
    const taken = await services.pools.system.transaction().execute(async (tx) => {
      // The login is locked first, as everywhere: ending its sessions then waits, or has ended this one.
      await lockLogin(tx, caller.loginId)
      const right = code
        ? await takeAppCode(tx, services, caller.loginId, code, true)
        : recovery_code
          ? await takeRecoveryCode(tx, services, caller.loginId, recovery_code)
          : await takePasskey(tx, services, caller, { ...passkey, id: passkey?.id ?? '' })
      const action = right ? 'session.second-factor' : 'session.second-factor-failed'
      await recordAudit(tx, { caller, action, object: null, detail: { way } })
      if (!right) return null
      if (way === 'recovery code') {
        await signalFactor(tx, services, caller.loginId, 'A recovery code was used to sign in.')
      }
      if (!(await endSessionById(tx, caller.sessionId, now))) throw sessionExpired()
      const session = await openSession(tx, caller.loginId, now, true)
      return {
        answer: await answerFor(services, tx, { id: session.id, loginId: caller.loginId }, now),
        secret: session.secret,
        browser: remember ? await rememberBrowser(tx, caller.loginId, now) : null,
      }
    })
    if (!taken) {
      const message = code ? WRONG_CODE : recovery_code ? WRONG_RECOVERY : WRONG_PASSKEY
      throw new Refusal('invalid', message, { errors: { attempts_remaining: [String(attempt.remaining)] } })
    }
    await attempt.succeed()
    context.setCookie(taken.secret)
    if (taken.browser) context.rememberBrowser(taken.browser)
    return taken.answer
  },

  startApp: (_input, context) =>
    change(context, 'second-factor.start-app', async (tx, caller) => {
      await demandFreshPassword(context, tx, caller)
      return newApp(tx, context.services, caller)
    }),

  async confirmApp({ code }, context) {
    const { services } = context
    const attempt = await countAttempt(services, { factorOf: callerOf(context).loginId }, context.address)
    const answer = await change(
      context,
      'second-factor.add-app',
      async (tx, caller) => {
        if (!(await takeAppCode(tx, services, caller.loginId, code, false))) {
          throw new Refusal('invalid', WRONG_CODE, { errors: { code: [WRONG_CODE] } })
        }
        return afterSetUp(context, tx, caller)
      },
      'An authenticator app was set up for it.',
    )
    await attempt.succeed()
    return answer
  },

  startPasskey: (_input, context) =>
    change(context, 'second-factor.start-passkey', async (tx, caller) => {
      await demandFreshPassword(context, tx, caller)
      if ((await passkeysOf(tx, caller.loginId)).length >= MOST_PASSKEYS) {
        throw new Refusal('conflict', `A login has at most ${MOST_PASSKEYS} passkeys. Please remove one first.`)
      }
      return { options: { ...(await passkeyOptions(tx, context.services, caller)) } }
    }),

  confirmPasskey: ({ name, passkey }, context) =>
    change(
      context,
      'second-factor.add-passkey',
      async (tx, caller) => {
        await addPasskey(tx, caller.loginId, { ...(await takeNewPasskey(tx, context.services, caller, passkey)), name })
        return afterSetUp(context, tx, caller)
      },
      'A passkey was added to it.',
    ),

  async removeApp(_input, context) {
    await change(
      context,
      'second-factor.remove-app',
      async (tx, caller) => {
        await dropApp(tx, caller.loginId)
        await refuseLast(context, tx, caller)
      },
      'Its authenticator app was removed.',
    )
    return { message: 'The authenticator app was removed.' }
  },

  async removePasskey({ id }, context) {
    await change(
      context,
      'second-factor.remove-passkey',
      async (tx, caller) => {
        if (!(await dropPasskey(tx, caller.loginId, id))) throw new Refusal('not_found', 'That passkey was not found.')
        await refuseLast(context, tx, caller)
      },
      'A passkey of it was removed.',
    )
    return { message: 'The passkey was removed.' }
  },

  newRecoveryCodes: (_input, context) =>
    change(
      context,
      'second-factor.new-recovery-codes',
      async (tx, caller) => {
        if (!caller.factor.has) throw new Refusal('conflict', 'Please set up an authenticator app or a passkey first.')
        return { recovery_codes: await newRecoveryCodes(tx, context.services, caller.loginId) }
      },
      'It was given new recovery codes.',
    ),

  async forgetBrowsers(_input, context) {
    await change(context, 'second-factor.forget-browsers', (tx, caller) => forgetBrowsersOf(tx, caller.loginId))
    return { message: 'No browser is remembered any more.' }
  },

  async reset({ uuid, reason }, context) {
    const tx = staffTx(context)
    const caller = callerOf(context)
    const found = await dropFactorsAsStaff(tx, uuid, context.services.now())
    if (!found) throw new Refusal('not_found', 'That user was not found.')
    if (found.id === caller.loginId) {
      throw new Refusal('conflict', 'Your own second factor is reset by another support person.')
    }
    if (!found.had) throw new Refusal('conflict', 'That user has no second factor.')
    const { loginId, sessionId } = caller
    await recordAudit(tx, {
      caller: { companyId: found.company_id, loginId, sessionId },
      action: 'secondFactor.reset',
      object: uuid,
      detail: { reason },
    })
    await signalFactorReset(tx, context.services, found)
    return { reset: true }
  },
}
