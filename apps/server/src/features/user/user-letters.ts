import { addressOf } from '@pillar/domain/access/permission'
import { INVITE_DAYS } from '@pillar/domain/access/user'
import type { Country } from '@pillar/domain/time/locale'
import type { Services } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { queueMail } from '../mail/mail.jobs.ts'
import { makeLink } from '../session/link.queries.ts'
import type { LockedUser } from './user.queries.ts'
import { setInvited } from './user-write.queries.ts'

/** The recipient of an email. */
type Addressee = Pick<LockedUser, 'id' | 'first_name' | 'username' | 'email' | 'company' | 'country'>

const linkSentence = `The link works once, for ${INVITE_DAYS} days, and replaces any earlier one.`

/** A new link with which the person chooses a password; every older one stops working. The caller holds the login's lock. */
async function invitation(tx: Tx, services: Services, to: Addressee): Promise<string> {
  const now = services.now()
  const seconds = INVITE_DAYS * 86_400
  const token = await makeLink(tx, services.secret, { purpose: 'invite', subjectId: to.id, now, seconds })
  await setInvited(tx, to.id, now)
  return pageOf(services, to, 'resetPassword', token)
}

const pageOf = (services: Services, to: Addressee, page: 'login' | 'resetPassword', token?: string) =>
  new URL(addressOf(to.country as Country, page, token), services.publicUrl()).href

const letter = (tx: Tx, services: Services, to: Addressee, subject: string, parts: readonly string[]) =>
  queueMail(tx, services, {
    to: to.email,
    subject,
    text: [`Hello ${to.first_name},`, ...parts, `Questions: ${services.env.SUPPORT_EMAIL}.`].join('\n\n'),
  })

/** Invites a person to choose a password, in the transaction of the act. The email contains no password. */
export async function mailInvitation(tx: Tx, services: Services, to: Addressee): Promise<void> {
  const { PRODUCT_NAME: product } = services.env
  const link = await invitation(tx, services, to)
  await letter(tx, services, to, `Your ${product} login`, [
    `You have a ${product} login at ${to.company}. Your username is ${to.username}. Open this page to choose your password:`,
    link,
    linkSentence,
  ])
}

/**
 * Welcomes a person to pharmacies they are linked to. A person without their own password gets a link to choose one; others get the sign-in
 * address, so that the email opens nothing of theirs.
 */
export async function mailWelcome(
  tx: Tx,
  services: Services,
  to: Addressee & { awaits_password: boolean },
  pharmacies: readonly string[],
): Promise<void> {
  const { PRODUCT_NAME: product } = services.env
  const list = pharmacies.map((name) => `- ${name}`).join('\n')
  const welcome = `Welcome to ${product}. Your login is linked to:\n\n${list}`
  const way = to.awaits_password
    ? [
        `Your username is ${to.username}. Open this page to choose your password:`,
        await invitation(tx, services, to),
        linkSentence,
      ]
    : [
        `Your username is ${to.username}. Sign in here with the password you have chosen:`,
        pageOf(services, to, 'login'),
        'If you have forgotten your password, choose "Forgot password?" on that page.',
      ]
  await letter(tx, services, to, `Welcome to ${product}`, [welcome, ...way])
}

/** Informs a person that support set another password for them. */
export function mailPasswordSet(tx: Tx, services: Services, to: Addressee): Promise<void> {
  const { PRODUCT_NAME: product, SUPPORT_PHONE: phone } = services.env
  return letter(tx, services, to, `Your ${product} password was changed`, [
    `Support has set a new password for your ${product} login, and you were signed out everywhere. You choose a password of your own at the next sign-in.`,
    `If you did not ask for it, please call ${phone} at once.`,
  ])
}

/** Informs the old address that emails go to another one from now on. */
export function mailAddressChanged(tx: Tx, services: Services, to: Addressee): Promise<void> {
  const { PRODUCT_NAME: product, SUPPORT_PHONE: phone } = services.env
  return letter(tx, services, to, `Your ${product} email address was changed`, [
    `Support has changed the email address of your ${product} login ${to.username}. We no longer write to this address.`,
    `If you did not ask for it, please call ${phone} at once.`,
  ])
}
