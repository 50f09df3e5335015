import {
  CENTS_PER_PART,
  countSms,
  estimateSms,
  OPT_OUT_TEXT,
  PART_UNITS,
  type SmsEncoding,
  smsCents,
  unicodeCharacters,
} from '@pillar/domain/message/sms-text'
import type { Country } from '@pillar/domain/time/locale'
import { formatCents, formatMoney } from '@pillar/domain/time/locale'

/** What a part costs: '12c'. */
export function partPrice(country: Country): string {
  return formatCents(country, CENTS_PER_PART)
}

export const ENCODING_NAMES: Readonly<Record<SmsEncoding, string>> = {
  gsm7: 'Plain characters',
  ucs2: 'With special characters',
}

/** A special character, recognisable to a person: quoted, or named if it is invisible. */
function shown(character: string): string {
  return /^[\s\p{C}]$/u.test(character) ? 'an invisible character' : `‘${character}’`
}

/** A message's count in words, for the explanation: its size and what forces shorter parts. */
export function countedText(country: Country, message: string): { count: string; forced: string } {
  const { characters, maxCharacters, parts, cents } = estimateSms(message)
  if (characters === 0) return { count: 'Nothing to count yet.', forced: '' }
  const sum = `About ${characters} of ${maxCharacters} characters`
  const price = `${parts} ${parts === 1 ? 'part' : 'parts'}, ${formatCents(country, cents)} a text`
  const names = unicodeCharacters(message).map(({ character }) => shown(character))
  const more = names.length > 3 ? ` and ${names.length - 3} more` : ''
  const forced =
    names.length === 0
      ? ''
      : `${[...new Set(names)].slice(0, 3).join(', ')}${more} ${names.length === 1 ? 'reduces' : 'reduce'} each part from ${PART_UNITS.gsm7.single} to ${PART_UNITS.ucs2.single} characters.`
  return { count: `${sum} · ${price}`, forced }
}

/** The length of the opt-out text, as counted. */
export const OPT_OUT_LENGTH = countSms(OPT_OUT_TEXT).units

/** The cost of a message with this many texts and parts: '1,000 texts of 2 parts cost $240.00'. */
export function exampleCost(country: Country, texts: number, parts: number): string {
  return formatMoney(country, smsCents(texts * parts) / 100, 2)
}
