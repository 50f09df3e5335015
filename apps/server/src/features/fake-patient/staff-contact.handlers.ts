import { type contract, Refusal } from '@pillar/contract'
import { CONTACT_CODE } from '@pillar/domain/message/fake-patient'
import { type Context, callerOf, type HandlersOf, staffTx } from '../../api/context.ts'
import { emailTo, smsTo } from '../location/contact.ts'
import { queueMail } from '../mail/mail.jobs.ts'
import { codeText, textCode } from './contact-code.jobs.ts'
import { contactCode, isContactCode } from './contact-code.ts'
import {
  askForCode,
  confirmContact,
  countWrongCode,
  listStaffContacts,
  lockStaffContact,
} from './staff-contact.queries.ts'

type Handlers = Pick<HandlersOf<typeof contract.fakePatient>, 'contacts' | 'askCode' | 'confirmCode'>

/** Numbers and addresses that a support person proves to be their own with a one-time code. */
export const staffContactHandlers: Handlers = {
  async contacts(_input, context) {
    const now = context.services.now()
    const rows = await listStaffContacts(staffTx(context), callerOf(context).loginId)
    return {
      contacts: rows.map(({ uuid, channel, contact, expires_at }) => ({
        contact_id: uuid,
        ...{ channel, contact, confirmed: expires_at !== null && expires_at > now },
        expires_at: expires_at?.toISOString() ?? null,
      })),
    }
  },

  async askCode({ channel, contact: written }, context) {
    const { services } = context
    const tx = staffTx(context)
    const contact = usable(channel, written, context)
    const row = await askForCode(tx, callerOf(context).loginId, { channel, contact }, services.now())
    if (channel === 'sms') {
      await services.queue.send(tx, textCode, { contact_id: row.id, asked_at: row.asked_at.toISOString() })
    } else {
      const text = codeText(services.env.PRODUCT_NAME, contactCode(services.secret, row))
      const letter = { to: contact, subject: `Your ${services.env.PRODUCT_NAME} code`, text }
      await queueMail(tx, services, letter, CONTACT_CODE.minutes * 60)
    }
    return { contact_id: row.uuid, contact, simulated: channel === 'sms' && services.sms.simulated }
  },

  async confirmCode({ contact_id, code }, context) {
    const { services } = context
    const tx = staffTx(context)
    const now = services.now()
    const row = await lockStaffContact(tx, callerOf(context).loginId, contact_id)
    // A time in the future means that the database's clock was ahead when the code was requested.
    const late = Math.abs(now.getTime() - row.asked_at.getTime()) > CONTACT_CODE.minutes * 60_000
    if (late || row.wrong_codes >= CONTACT_CODE.tries) {
      throw new Refusal('conflict', 'This code no longer works. Please ask for a new one.')
    }
    if (!isContactCode(services.secret, row, code)) {
      // Answers rather than refuses: a refusal would roll back the count of wrong codes.
      await countWrongCode(tx, row.id)
      return { confirmed: false, contact: row.contact, expires_at: row.expires_at?.toISOString() ?? null }
    }
    const expires = new Date(now.getTime() + CONTACT_CODE.days * 86_400_000)
    await confirmContact(tx, row.id, { now, expires, usedUp: CONTACT_CODE.tries })
    return { confirmed: true, contact: row.contact, expires_at: expires.toISOString() }
  },
}

/** The contact in the form messages need. @throws Refusal invalid */
function usable(channel: 'sms' | 'email', written: string, context: Context): string {
  const sms = channel === 'sms'
  const contact = sms ? smsTo(written, callerOf(context).country) : emailTo(written)
  if (contact !== null) return contact
  const message = sms
    ? 'Please enter a mobile number of your own country, such as 0491 570 006.'
    : 'Please enter a valid email address.'
  throw new Refusal('invalid', message, { errors: { contact: [message] } })
}
