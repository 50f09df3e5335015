import type { Services } from '../../../api/context.ts'
import type { Tx } from '../../../db/database.ts'
import { queueMail } from '../../mail/mail.jobs.ts'
import { loginOwner } from '../login.queries.ts'

/** Emails the owner of a login about a change to its second factor, in the transaction of the change. */
export async function signalFactor(tx: Tx, services: Services, loginId: number, what: string): Promise<void> {
  const owner = await loginOwner(tx, loginId)
  if (owner) await write(tx, services, owner, what)
}

/** The same for a change by support. */
export function signalFactorReset(
  tx: Tx,
  services: Services,
  owner: { email: string; first_name: string },
): Promise<void> {
  const what = 'Support reset its second factor, because it was reported lost, and signed you out everywhere.'
  return write(tx, services, owner, what)
}

function write(tx: Tx, services: Services, to: { email: string; first_name: string }, what: string): Promise<void> {
  const { PRODUCT_NAME: product, SUPPORT_PHONE: phone, SUPPORT_EMAIL: support } = services.env
  return queueMail(tx, services, {
    to: to.email,
    subject: `The second factor of your ${product} login was changed`,
    text: [
      `Hello ${to.first_name},`,
      `This is about your ${product} login. ${what}`,
      `If this wasn’t you, please call ${phone} or write to ${support} at once.`,
    ].join('\n\n'),
  })
}
