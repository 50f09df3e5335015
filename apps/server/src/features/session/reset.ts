import { setTimeout as wait } from 'node:timers/promises'
import { type contract, Refusal } from '@pillar/contract'
import { addressOf } from '@pillar/domain/access/permission'
import type { Country } from '@pillar/domain/time/locale'
import { recordAudit } from '../../api/audit.ts'
import type { HandlersOf, Origin, Services } from '../../api/context.ts'
import { queueMail } from '../mail/mail.jobs.ts'
import { signalChange } from './changed-letter.ts'
import { findPasswordLink, lockLogin, makeLink, redeemLink } from './link.queries.ts'
import { type FoundLogin, findLogin, loginOwner, setPassword } from './login.queries.ts'
import { hashPassword, PASSWORD_COST, requireGoodPassword } from './password.ts'
import { countDeadLink, countReset, forgetFailures } from './throttle.ts'

type Handlers = HandlersOf<typeof contract.session>

const RESET_MINUTES = 60
/** Every answer takes this long, so that the time to write an email does not reveal who exists. */
const ANSWER_AFTER_MS = 500

const SENT = 'If the username you entered exists, you will receive an email with a link to reset your password.'
const DEAD = 'This reset link has expired or been used. Request a new one.'

export const requestReset: Handlers['requestReset'] = async ({ username }, { services, address, from }) => {
  const found = await findLogin(services.pools.system, username)
  const send = await countReset(services, { name: username, loginId: found?.id ?? null }, address)
  const [, outcome] = await Promise.all([
    wait(ANSWER_AFTER_MS),
    mailLink(services, send ? found : null, from).then(
      () => null,
      (error: unknown) => ({ error }),
    ),
  ])
  if (outcome) throw outcome.error
  return { message: SENT }
}

async function mailLink(services: Services, found: FoundLogin | null, from: Origin): Promise<void> {
  const { pools, secret, env } = services
  if (!found || found.disabled_at) return
  await pools.system.transaction().execute(async (tx) => {
    await lockLogin(tx, found.id)
    const owner = await loginOwner(tx, found.id)
    if (!owner) return
    const now = services.now()
    const token = await makeLink(tx, secret, {
      purpose: 'reset',
      subjectId: found.id,
      now,
      seconds: RESET_MINUTES * 60,
    })
    const link = new URL(addressOf(owner.country as Country, 'resetPassword', token), services.publicUrl()).href
    const letter = {
      to: owner.email,
      subject: `Reset your ${env.PRODUCT_NAME} password`,
      text: resetLetter(owner.first_name, env.PRODUCT_NAME, link, env.SUPPORT_EMAIL),
    }
    await queueMail(tx, services, letter, RESET_MINUTES * 60)
    const caller = { companyId: owner.company_id, loginId: owner.id, sessionId: null }
    await recordAudit(tx, { caller, from, action: 'session.request-reset', object: null, detail: {} })
  })
}

/** The subject of a working link. A guess counts against the network. @throws Refusal not_found for every other link */
async function openLink(services: Services, token: string, address: string) {
  const { pools, secret } = services
  const link = await findPasswordLink(pools.system, secret, token, services.now())
  const owner = link ? await loginOwner(pools.system, link.loginId) : undefined
  if (link && owner) return { link, owner }
  await countDeadLink(services, address)
  throw new Refusal('not_found', DEAD)
}

/** Checking a link does not use it: mail scanners open links too. */
export const checkReset: Handlers['checkReset'] = async ({ reset_token }, { services, address }) => {
  await openLink(services, reset_token, address)
  return { message: 'This reset link works.' }
}

export const reset: Handlers['reset'] = async (input, { services, address, from }) => {
  const { pools, secret } = services
  const { link, owner } = await openLink(services, input.reset_token, address)
  // A refused password must not use the link; hashing is slow, so it happens before the transaction.
  await requireGoodPassword(input.password, input.password_confirmation, owner, services)
  const hash = await hashPassword(input.password, services.passwordCost ?? PASSWORD_COST)
  await pools.system.transaction().execute(async (tx) => {
    const now = services.now()
    // The login is locked first, as everywhere: disabling it now waits, or has revoked the link.
    await lockLogin(tx, owner.id)
    const redeemed = await redeemLink(tx, secret, link.purpose, input.reset_token, now)
    if (redeemed === null) throw new Refusal('not_found', DEAD)
    await setPassword(tx, redeemed, hash, now)
    await signalChange(tx, services, owner)
    const caller = { companyId: owner.company_id, loginId: owner.id, sessionId: null }
    await recordAudit(tx, {
      caller,
      from,
      action: `session.${link.purpose === 'invite' ? 'accept-invitation' : 'reset'}`,
      object: null,
      detail: {},
    })
  })
  // The new password stays valid even if the counters are unavailable.
  await forgetFailures(services, owner).catch(() => {})
  return { message: 'Password successfully reset! Redirecting to Login...' }
}

function resetLetter(firstName: string, product: string, link: string, support: string): string {
  return [
    `Hello ${firstName},`,
    `Someone asked to reset your ${product} password. Open this page to choose a new one:`,
    link,
    `The link works once, for ${RESET_MINUTES} minutes, and replaces any earlier one.`,
    `If this wasn’t you, nothing has changed and you don’t need to do anything. Questions: ${support}.`,
  ].join('\n\n')
}
