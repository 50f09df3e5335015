import { addressOf } from '@pillar/domain/access/permission'
import { SIGNUP_LINK_DAYS } from '@pillar/domain/signup/signup'
import { softwareName, softwareNeed, softwareWarning } from '@pillar/domain/signup/signup-software'
import type { Services } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { queueMail } from '../mail/mail.jobs.ts'

/**
 * Emails of the sign-up page. Until an address is confirmed, anybody may have entered it: such an email contains none of the visitor's own
 * words, so that nobody can use us to send theirs.
 */
const pageOf = (services: Services, page: 'calculator' | 'login') =>
  new URL(addressOf('AU', page), services.publicUrl()).href

const letter = (tx: Tx, services: Services, to: string, subject: string, parts: readonly string[]) =>
  queueMail(tx, services, {
    to,
    subject,
    text: [...parts, `Questions: ${services.env.SUPPORT_EMAIL}.`].join('\n\n'),
  })

const NOT_YOU = 'If this wasn’t you, you don’t need to do anything.'

/** To an unknown address: a link that confirms it and chooses a password. */
export function mailConfirmation(tx: Tx, services: Services, to: string, token: string): Promise<void> {
  const { PRODUCT_NAME: product } = services.env
  return letter(tx, services, to, `Your ${product} registration`, [
    'Hello,',
    `Someone registered for the 60 Day Dispense Calculator of ${product} with this email address. To go on, open this page and choose a password:`,
    `${pageOf(services, 'calculator')}/${encodeURIComponent(token)}`,
    `The link works once, for ${SIGNUP_LINK_DAYS} days, and replaces any earlier one. We then check the details of the pharmacy and write to you again.`,
    NOT_YOU,
  ])
}

/** To an address that already signs in here. */
export function mailKnown(tx: Tx, services: Services, to: string): Promise<void> {
  const { PRODUCT_NAME: product, SUPPORT_PHONE: phone } = services.env
  return letter(tx, services, to, `Your ${product} registration`, [
    'Hello,',
    `Someone registered for the 60 Day Dispense Calculator of ${product} with this email address. You already have an account, so no new one was made. Sign in here:`,
    pageOf(services, 'login'),
    `If you have forgotten your password, choose "Forgot password?" on that page. If the calculator is missing from your menu, please call ${phone}.`,
    NOT_YOU,
  ])
}

/** To an address whose sign-up is with support. */
export function mailWaiting(tx: Tx, services: Services, to: string): Promise<void> {
  const { PRODUCT_NAME: product } = services.env
  return letter(tx, services, to, `Your ${product} registration`, [
    'Hello,',
    `You are already registered for the 60 Day Dispense Calculator of ${product}. We are checking the details of your pharmacy and will write to you when your account is ready. There is nothing more to do.`,
    NOT_YOU,
  ])
}

/** The account exists: to the person who confirmed the address. */
export function mailReady(
  tx: Tx,
  services: Services,
  to: { email: string; first_name: string; username: string; pharmacy_name: string; sources: readonly string[] },
): Promise<void> {
  const { PRODUCT_NAME: product } = services.env
  const notes = to.sources.filter((key) => softwareNeed(key) !== 'nothing').map(softwareWarning)
  return letter(tx, services, to.email, `Your ${product} account is ready`, [
    `Hello ${to.first_name},`,
    `The account of ${to.pharmacy_name} is ready. Your username is ${to.username}. Sign in here with the password you chose:`,
    pageOf(services, 'login'),
    'The calculator shows your figures once the data of your pharmacy have arrived. We will contact you about connecting your dispensing software.',
    ...notes,
  ])
}

/** As the page promised: the dispensing software is now supported. To the person who confirmed the address. */
export function mailSupported(
  tx: Tx,
  services: Services,
  to: { email: string; first_name: string; pharmacy_name: string; asked_for: readonly string[]; state: string },
): Promise<void> {
  const { PRODUCT_NAME: product } = services.env
  const names = to.asked_for.map(softwareName).join(' and ')
  return letter(tx, services, to.email, `${product} now supports ${names}`, [
    `Hello ${to.first_name},`,
    `When you signed up for the 60 Day Dispense Calculator of ${product}, ${names} was not supported. It is now, and ${to.pharmacy_name} can be connected.`,
    to.state === 'approved'
      ? `We will contact you about connecting it. You can sign in here: ${pageOf(services, 'login')}`
      : 'We will write to you when your account is ready. There is nothing more to do.',
  ])
}

/** The sign-up was rejected: to the person who confirmed the address. */
export function mailRejected(
  tx: Tx,
  services: Services,
  to: { email: string; first_name: string; pharmacy_name: string },
  reason: string,
): Promise<void> {
  const { PRODUCT_NAME: product, SUPPORT_PHONE: phone } = services.env
  return letter(tx, services, to.email, `Your ${product} registration`, [
    `Hello ${to.first_name},`,
    `We could not set up an account for ${to.pharmacy_name}:`,
    reason,
    `If this is a mistake, please call ${phone}. You may sign up again at any time: ${pageOf(services, 'calculator')}`,
  ])
}
