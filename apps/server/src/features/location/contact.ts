import { isMadeUpAddress, isMadeUpNumber } from '@pillar/domain/person/match-key'
import type { Country } from '@pillar/domain/time/locale'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

const CALLING_CODES: Readonly<Record<Country, string>> = { AU: '61', GB: '44', US: '1' }

/**
 * Whether numbers with this prefix are mobiles: numbering plans decide by leading digits, so a pharmacy's thousands of numbers need one
 * look-up per prefix.
 */
const auPrefixes = new Map<string, boolean>()

/** Labels beside a number that do not change whose it is. Other words may: 'daughter', 'no texts'. */
const LABELS = /\b(?:(?:m|mob|mobile|ph|phone|tel|cell)(?:\.? ?(?:no|number)\b(?=\P{L}*\d))?|sms|text)\b/giu

/**
 * Raised with every change to where texts and emails go: the next upload of each pharmacy then resolves the contacts of all its patients
 * again.
 */
export const CONTACT_RULES = 3

/**
 * The mobile number in E.164 to which texts go; null if the text holds no number that the country's numbering plan calls a mobile (in the
 * United States it does not tell mobiles from landlines), contains other words, or looks made up: texts must reach only the patient. Only
 * numbers of the pharmacy's own country: the cost of texts abroad is unknown.
 */
export function smsTo(written: string | null, country: Country): string | null {
  if (!written) return null
  const number = mobileOf(written, country)
  return number && !isMadeUpNumber(number) ? number : null
}

function mobileOf(written: string, country: Country): string | null {
  const bare = written.replaceAll(/[\s().-]/g, '')
  const plain = country === 'AU' ? /^(?:\+?61|0)(4\d{8})$/.exec(bare)?.[1] : undefined
  if (plain === undefined) return parsed(written, country)
  const prefix = plain.slice(0, 5)
  let mobile = auPrefixes.get(prefix)
  if (mobile === undefined) {
    mobile = parsed(`+61${plain}`, 'AU') !== null
    auPrefixes.set(prefix, mobile)
  }
  return mobile ? `+61${plain}` : null
}

function parsed(written: string, country: Country): string | null {
  if (/\p{L}/u.test(written.replaceAll(LABELS, '')) || SECOND.test(written)) return null
  const number = parsePhoneNumberFromString(written.slice(0, 60), country)
  if (!number || number.countryCallingCode !== CALLING_CODES[country] || !number.isValid()) return null
  if (number.country !== undefined && number.country !== country) return null
  const type = number.getType()
  return type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE' ? number.number : null
}

/** The library reads what follows a semicolon as a parameter of the number: of two numbers the first would count. */
const SECOND = /;.*\d/s

const ADDRESS = /^[^\s@,;:<>()[\]"\\]+@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,63}$/

/** The lower-case address to which emails go; null if the text is not exactly one address, or looks made up. */
export function emailTo(written: string | null): string | null {
  const text = written?.trim().toLowerCase() ?? ''
  const [local = ''] = text.split('@')
  if (text.length > 254 || local.length > 64 || local.startsWith('.') || local.endsWith('.') || local.includes('..'))
    return null
  return ADDRESS.test(text) && !isMadeUpAddress(text) ? text : null
}
