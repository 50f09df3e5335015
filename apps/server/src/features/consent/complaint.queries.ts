import type { Channel } from '@pillar/domain/consent/consent'
import { withoutContact } from '@pillar/domain/text/without-contact'
import type { Tx } from '../../db/database.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { lockConsent, recordConsent } from './consent-log.queries.ts'
import { addressees, numberHolders, readRecipient } from './unsubscribe.queries.ts'

/** Where entries of the consent log come from that end a channel because of one message. */
export const SOURCES = { sms: 'gateway', email: 'complaint' } as const

/** A complaint about one email, or the gateway's word that the person of a text has opted out there. */
export interface Complaint {
  locationId: number
  messageId: number
  channel: Channel
  at: Date
  /** As the gateway gave it. */
  reason: string | null
  /** Gives a patient's entry its uuid: the same complaint processed twice is one entry. */
  uuidOf: (patientId: number) => string
  keys: Keys
}

/**
 * Ends all messages of the pharmacy to an email's address or a text's number, for every patient who has it, as unsubscribing or a STOP does;
 * records nothing for what has ended already. Takes the pharmacy's consent lock. @returns false if there is no such message
 */
export async function endAfterComplaint(tx: Tx, complaint: Complaint, now: Date): Promise<boolean> {
  const { locationId, messageId, channel, at, reason, uuidOf, keys } = complaint
  const sms = channel === 'sms'
  await lockConsent(tx, locationId)
  const recipient = await readRecipient(tx, keys, locationId, messageId, channel)
  if (!recipient) return false
  // If the person has been erased meanwhile, nobody knows which words in it identify them.
  const said = reason && recipient.contact !== null ? withoutContact(reason, recipient.contact) : null
  const what = sms ? 'The gateway sends no texts to this number: the person has opted out there' : 'Spam complaint'
  const wording = said ? `${what}: ${said}` : what
  const source = SOURCES[channel]
  const type = sms ? ('stop' as const) : ('unsubscribe' as const)
  for (const { patientId, out } of await (sms ? numberHolders : addressees)(tx, keys, locationId, recipient)) {
    if (out) continue
    const entry = { locationId, patientId, at, event: { type }, wording, source }
    await recordConsent(tx, { ...entry, contact: { text: recipient.contact, keys }, uuid: uuidOf(patientId) }, now)
  }
  return true
}
