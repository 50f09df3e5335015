import { type Day, day } from '../time/day.ts'

/** Facts about a patient that can show whether another pharmacy's patient is the same person. */
export interface Identity {
  readonly firstName: string | null
  readonly lastName: string | null
  readonly sex: 'F' | 'M' | null
  readonly born: Day | null
  /** As the pharmacy wrote it. */
  readonly mobile: string | null
  readonly postcode: string | null
}

/** What must match besides name, date of birth and sex. */
export const MATCH_KINDS = ['phone', 'postcode'] as const
export type MatchKind = (typeof MATCH_KINDS)[number]

/** Digits at the end of a phone number that are compared, so that 0412 345 678 and +61 412 345 678 agree. */
const PHONE_DIGITS = 9
/** Dates that systems enter for an unknown birthday. */
const NO_BIRTHDAY: ReadonlySet<Day> = new Set(['1900-01-01', '1901-01-01', '1970-01-01'].map(day))
const NO_NAME = /^(baby|infant|newborn|twin|unknown|test|patient|unnamed|noname|na|x+)$/

/**
 * The texts that identify a patient: one for each kind of key that the record is complete for. Two records that share a text are of one person:
 * name, date of birth and sex agree, and a phone number or a postcode. A missing or made-up part gives no text.
 */
export function matchKeys(one: Identity): { kind: MatchKind; text: string }[] {
  const [first, last] = [nameOf(one.firstName), nameOf(one.lastName)]
  if (!first || !last || one.sex === null || one.born === null || NO_BIRTHDAY.has(one.born)) return []
  const parts = { phone: phoneOf(one.mobile), postcode: postcodeOf(one.postcode) }
  return MATCH_KINDS.flatMap((kind) =>
    parts[kind] ? [{ kind, text: [kind, last, first, one.born, one.sex, parts[kind]].join('|') }] : [],
  )
}

/** A name without case, accents, spaces and signs; empty for none and for placeholders for an unknown name. */
export function nameOf(written: string | null): string {
  const name = (written ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '')
  return NO_NAME.test(name) ? '' : name
}

/** The last digits of a phone number; empty if too short, and for numbers nobody has, such as 0400 000 000 or 0123 456 789. */
export function phoneOf(written: string | null): string {
  const digits = (written ?? '').replace(/\D/g, '').slice(-PHONE_DIGITS)
  if (digits.length < PHONE_DIGITS || /(\d)\1{5}$/.test(digits)) return ''
  return '01234567890123456789'.includes(digits) || '98765432109876543210'.includes(digits) ? '' : digits
}

/** Whether a whole number looks entered only to fill the field: one nobody has, or 0412 345 678. It may be a stranger's. */
export const isMadeUpNumber = (number: string): boolean => phoneOf(number) === '' || /12345678$/.test(phoneOf(number))

/** Words in place of an address, before the @ or as the domain: none@none.com. Without dots and dashes. */
const NO_ADDRESS =
  /^(no|none|nil|unknown|noe?mail|hasnoemail|not(known|given|provided|supplied|applicable)|refused|declined|noreply|donotreply)$/
/** Those that can also be a person's name or initials, so only a domain of this name is nobody's. */
const NO_DOMAIN = /^(na|test)$/

/** Whether an email address looks entered only to fill the field, such as none@none.com or noemail@mail.example: it may be a stranger's. */
export function isMadeUpAddress(address: string): boolean {
  const [local = '', domain = ''] = address.toLowerCase().split('@')
  const [name, site] = [local, domain.split('.')[0]!].map((part) => part.replace(/[._-]/g, '')) as [string, string]
  return NO_ADDRESS.test(name) || NO_ADDRESS.test(site) || NO_DOMAIN.test(site)
}

/** A postcode without case and spaces; empty if it is too short or repeats one digit. */
export function postcodeOf(written: string | null): string {
  const code = (written ?? '').toUpperCase().replace(/[^A-Z0-9]/g, '')
  return code.length < 3 || /^(.)\1*$/.test(code) ? '' : code
}
