import { createHmac, timingSafeEqual } from 'node:crypto'
import { CONTACT_CODE } from '@pillar/domain/message/fake-patient'

/** The one-time code of a contact, derived from the installation's secret and the time of the request; stored nowhere. */
export function contactCode(secret: Buffer, { id, asked_at }: { id: number; asked_at: Date }): string {
  const mac = createHmac('sha256', secret).update(`contact-code:${id}:${asked_at.toISOString()}`).digest()
  const number = mac.readBigUInt64BE(0) % BigInt(10 ** CONTACT_CODE.digits)
  return String(number).padStart(CONTACT_CODE.digits, '0')
}

/** Whether the code is right, ignoring spaces; a wrong one takes as long. */
export function isContactCode(secret: Buffer, contact: { id: number; asked_at: Date }, given: string): boolean {
  const [right, said] = [Buffer.from(contactCode(secret, contact)), Buffer.from(given.replaceAll(/\s/g, ''))]
  return right.length === said.length && timingSafeEqual(right, said)
}
