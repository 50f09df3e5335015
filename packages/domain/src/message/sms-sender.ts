import type { Problem } from '../text/sentence.ts'
import type { Country } from '../time/locale.ts'

/**
 * Whether a sender can receive replies: numbers can; alphanumeric names cannot and need a link instead of "Reply STOP". Any other sender
 * a gateway accepts, such as a Twilio messaging service, may send from a name and counts as one: a link always works.
 */
export function takesReplies(sender: string): boolean {
  return /^\+?[\d\s()-]+$/.test(sender.trim())
}

/**
 * Whether phones show "Unverified" instead of the sender: an Australian pharmacy name that is not registered. Numbers need no
 * registration. In force since 1 July 2026 (ACMA's register of sender ids).
 */
export function showsUnverified(country: Country, sender: string, registered: boolean): boolean {
  return country === 'AU' && !registered && !takesReplies(sender)
}

/** A company's or a pharmacy's sender before it is saved; empty text if it has none. */
export interface SenderDraft {
  readonly sms_sender: string
  readonly sms_sender_registered: boolean
  readonly sms_sender_registration: string
}

/**
 * What prevents a sender from being saved: a name has at most 11 letters, digits and signs, including a letter; a number includes its country
 * code. A registered name states the number of its registration.
 */
export function senderProblems(draft: SenderDraft): Problem<keyof SenderDraft>[] {
  const sender = draft.sms_sender.trim()
  const found: Problem<keyof SenderDraft>[] = []
  if (sender === '') return found
  if (takesReplies(sender)) {
    if (!/^\+[1-9]\d{7,14}$/.test(sender))
      found.push({ field: 'sms_sender', words: 'enter the number with its country code, such as +61400000000' })
    return found
  }
  if (!/^(?=.*[A-Za-z])[A-Za-z0-9 &._-]{3,11}$/.test(sender))
    found.push({ field: 'sms_sender', words: 'enter a sender name of 3 to 11 letters and digits' })
  if (draft.sms_sender_registered && draft.sms_sender_registration.trim() === '')
    found.push({ field: 'sms_sender_registration', words: 'enter the registration of the sender name' })
  return found
}
