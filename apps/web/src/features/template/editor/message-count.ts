import { estimateSms, SMS_LIMIT, type SmsEncoding } from '@pillar/domain/message/sms-text'
import { capital, counted } from '@pillar/domain/text/sentence'
import { type Country, formatCents, formatNumber } from '@pillar/domain/time/locale'

export interface CountWords {
  /** 'About 120 of 160 characters' */
  length: string
  /** '1 part, 12c a text' */
  cost: string
  /** Why a text takes more parts than it would in plain characters; empty if it does not. */
  forced: string
  /** That a text cannot be so long; empty if it can. */
  tooLong: string
}

function characterWords(character: string): string {
  const code = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `“${character}”` : `the invisible character ${code}`
}

/** The editor's foot for a text: its length, parts and cost, and the character that makes it dearer. */
export function countWords(message: string, country: Country): CountWords {
  const estimate = estimateSms(message)
  const number = (value: number) => formatNumber(country, value)
  const [first, ...more] = estimate.forcedBy
  const tooLong = estimate.characters > SMS_LIMIT
  const most = number(Math.min(estimate.maxCharacters, SMS_LIMIT))
  const others = more.length === 0 ? '' : ` and ${counted(more.length, 'other character', 'other characters')}`
  return {
    length: `About ${number(estimate.characters)} of ${most} characters`,
    cost: `${counted(estimate.parts, 'part', 'parts')}, ${formatCents(country, estimate.cents)} a text`,
    forced:
      first === undefined
        ? ''
        : `${capital(characterWords(first.character))}${others} ${more.length === 0 ? 'reduces' : 'reduce'} each part from 160 to 70 characters.`,
    tooLong: tooLong
      ? `A text can have ${most} characters with its opt-out line. Shorten the message, or turn SMS off to send it as an email only.`
      : '',
  }
}

/** Length and cost of a text as one patient would get it, and the character that adds to the cost. */
export function previewCost(
  sms: { encoding: SmsEncoding; units: number; parts: number; cents: number; tipping: string | null },
  country: Country,
): string {
  const size = `${formatNumber(country, sms.units)} characters, ${counted(sms.parts, 'part', 'parts')}, ${formatCents(country, sms.cents)}.`
  if (sms.tipping === null) return size
  const said = capital(characterWords(sms.tipping))
  return sms.encoding === 'ucs2'
    ? `${size} ${said} reduces each part to 70 characters.`
    : `${size} ${said} starts part ${sms.parts}.`
}
