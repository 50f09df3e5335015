import type { Problem } from '../text/sentence.ts'
import { COUNTRY_NAMES, type Country } from '../time/locale.ts'

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

const NAME = /^(?=.*[A-Za-z])[A-Za-z0-9 &._-]{3,11}$/

/** Whether the phone networks of a country deliver texts from a name. Those of the United States take numbers only. */
export const deliversNames = (country: Country): boolean => country !== 'US'

/** Whether a country's phone networks refuse a sender because it is a name. Twilio's messaging services are none: they choose a number. */
export const isRefusedName = (country: Country, sender: string): boolean =>
  !deliversNames(country) && NAME.test(sender.trim())

/** Numbers that senders may look like; nobody has them. */
export const SAMPLE_SENDERS: Readonly<Record<Country, string>> = {
  AU: '+61400000000',
  GB: '+447700900123',
  US: '+12025550123',
}

/** American short codes, which are dialled without a country code. */
const isShortCode = (country: Country, sender: string) => country === 'US' && /^\d{5,6}$/.test(sender)

/** A company's or a pharmacy's sender before it is saved; empty text if it has none. */
export interface SenderDraft {
  readonly sms_sender: string
  readonly sms_sender_registered: boolean
  readonly sms_sender_registration: string
}

/**
 * What prevents a sender from being saved: a name has at most 11 letters, digits and signs, including a letter; a number includes its country
 * code, unless it is a short code of the United States, where names are refused. A registered name states the number of its registration.
 */
export function senderProblems(draft: SenderDraft, country: Country): Problem<keyof SenderDraft>[] {
  const sender = draft.sms_sender.trim()
  const found: Problem<keyof SenderDraft>[] = []
  const wrong = (field: keyof SenderDraft, words: string) => found.push({ field, words })
  if (sender === '' || isShortCode(country, sender)) return found
  if (takesReplies(sender)) {
    if (!/^\+[1-9]\d{7,14}$/.test(sender))
      wrong('sms_sender', `enter the number with its country code, such as ${SAMPLE_SENDERS[country]}`)
    return found
  }
  if (!deliversNames(country)) {
    const where = COUNTRY_NAMES[country]
    wrong(
      'sms_sender',
      `enter a number, such as ${SAMPLE_SENDERS[country]}: no phone network in the ${where} delivers texts from a name`,
    )
    return found
  }
  if (!NAME.test(sender)) wrong('sms_sender', 'enter a sender name of 3 to 11 letters and digits')
  if (draft.sms_sender_registered && draft.sms_sender_registration.trim() === '')
    wrong('sms_sender_registration', 'enter the registration of the sender name')
  return found
}

/** Mobile numbers as they are written at home, also behind the country code, and Australian ones without the 0. No number with its country code has these digits in our countries. */
const AT_HOME = [
  { form: /^(?:\+?610?|0)?(4\d{8})$/, code: '+61' },
  { form: /^(?:\+?44)?0(7\d{9})$/, code: '+44' },
  { form: /^([2-9]\d{2}[2-9]\d{6})$/, code: '+1' },
] as const

/** A number as it is dialled abroad: 0011 from Australia, 011 from the United States (British numbers at home that begin so are shorter), 00 from elsewhere. */
const DIALLED = /^\+?(?:0011|011(?=\d{11})|00)([1-9]\d{7,14})$/
/** What separates digits for people, and the invisible marks that come with a number copied from a list of contacts. */
const BETWEEN = /\(0\)|\.(?=\d\d)|[\s()\u00ad\u200b-\u200f\u2010-\u2015\u202a-\u202e\u2066-\u2069\ufeff-]/g

/** The number of a reply in E.164, however it was reported: without the plus, as it is written at home or dialled abroad, in groups; any other text unchanged. */
export function reportedNumber(reported: string): string {
  const text = reported.trim()
  const bare = text.replaceAll(BETWEEN, '')
  for (const { form, code } of AT_HOME) {
    const [, own] = form.exec(bare) ?? []
    if (own) return code + own
  }
  const [, dialled] = DIALLED.exec(bare) ?? /^\+?([1-9]\d{7,14})$/.exec(bare) ?? []
  return dialled ? `+${dialled}` : text
}
