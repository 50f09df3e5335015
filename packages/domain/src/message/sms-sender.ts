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
 * registration. In force since 1 July 2026 (domain.md section 7, ACMA's register of sender ids).
 */
export function showsUnverified(country: Country, sender: string, registered: boolean): boolean {
  return country === 'AU' && !registered && !takesReplies(sender)
}
