import type { Services } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { queueMail } from '../mail/mail.jobs.ts'

/** Tells the login's owner that the password was changed, in the transaction of the change. */
export function signalChange(tx: Tx, services: Services, owner: { email: string; first_name: string }): Promise<void> {
  const { PRODUCT_NAME: product, SUPPORT_PHONE: phone, SUPPORT_EMAIL: support } = services.env
  return queueMail(tx, services, {
    to: owner.email,
    subject: `Your ${product} password was changed`,
    text: [
      `Hello ${owner.first_name},`,
      `The password of your ${product} login was just changed, and you were signed out everywhere.`,
      `If this wasn’t you, please call ${phone} or write to ${support} at once.`,
    ].join('\n\n'),
  })
}
