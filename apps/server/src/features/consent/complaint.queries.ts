import { withoutContact } from '@pillar/domain/text/without-contact'
import type { Tx } from '../../db/database.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { lockConsent, recordConsent } from './consent-log.queries.ts'
import { addressees, readRecipient } from './unsubscribe.queries.ts'

/** A complaint about one email, for the consent log. */
export interface MailComplaint {
  locationId: number
  messageId: number
  at: Date
  /** As the gateway gave it. */
  reason: string | null
  /** Gives a patient's entry its uuid: the same complaint processed twice is one entry. */
  uuidOf: (patientId: number) => string
  keys: Keys
}

/**
 * Ends all email of the pharmacy to the address that complained, for every patient who has it, as unsubscribing does; records nothing for
 * email that has ended already. Takes the pharmacy's consent lock. @returns false if there is no such email
 */
export async function endAfterComplaint(tx: Tx, complaint: MailComplaint, now: Date): Promise<boolean> {
  const { locationId, messageId, at, reason, uuidOf, keys } = complaint
  await lockConsent(tx, locationId)
  const recipient = await readRecipient(tx, keys, locationId, messageId, 'email')
  if (!recipient) return false
  // If the person has been erased meanwhile, nobody knows which words in it identify them.
  const said = reason && recipient.contact !== null ? withoutContact(reason, recipient.contact) : null
  const wording = said ? `Spam complaint: ${said}` : 'Spam complaint'
  for (const { patientId, out } of await addressees(tx, keys, locationId, recipient)) {
    if (out) continue
    const entry = { locationId, patientId, at, event: { type: 'unsubscribe' } as const, wording, source: 'complaint' }
    await recordConsent(tx, { ...entry, contact: { text: recipient.contact, keys }, uuid: uuidOf(patientId) }, now)
  }
  return true
}
