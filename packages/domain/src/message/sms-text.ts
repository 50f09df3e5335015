import { MERGE_FIELDS, type MergeField, partsOfMessage } from './merge-field.ts'
import { takesReplies } from './sms-sender.ts'

/** Appended to a text so that the patient can opt out: counted as 21 characters in the editor. */
export const OPT_OUT_TEXT = 'Reply STOP to opt out'
/** Placeholder for the opt-out link until the text is sent; templates that contain it are refused like any unknown field. */
export const OPT_OUT_LINK = '{Opt-out link}'
/** Appended instead when the sender cannot receive replies. */
export const OPT_OUT_LINK_TEXT = `Opt out at ${OPT_OUT_LINK}`
/** Separator between message and opt-out: together they cost 22. */
export const OPT_OUT_SEPARATOR = '\n'
/** Cost of a part in integer cents (pence). */
export const CENTS_PER_PART = 12

/** The most units of a whole text with its opt-out line, in however many parts: Twilio refuses a longer one (error 21617). */
export const SMS_LIMIT = 1600

export type SmsEncoding = 'gsm7' | 'ucs2'

/** Units that fit into a part: alone, and as one of several (6 or 3 units then carry the joining header). GSM: septets; UCS-2: UTF-16 units. */
export const PART_UNITS: Readonly<Record<SmsEncoding, { readonly single: number; readonly joined: number }>> = {
  gsm7: { single: 160, joined: 153 },
  ucs2: { single: 70, joined: 67 },
}

// 3GPP TS 23.038 section 6.2.1, default alphabet, by code 0x00..0x7F without 0x1B (escape).
const GSM_BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
// Section 6.2.1.1: each is an escape and a code, two septets.
const GSM_EXTENSION = new Set('^{}\\[~]|€\f')

/** Septets of one character in GSM-7: 1 basic, 2 extension, null when the alphabet lacks it. */
export function gsmUnits(character: string): 1 | 2 | null {
  if (GSM_BASIC.has(character)) return 1
  return GSM_EXTENSION.has(character) ? 2 : null
}

export interface SmsCount {
  readonly encoding: SmsEncoding
  /** Septets or UTF-16 units of the whole text. */
  readonly units: number
  /** 0 for an empty text. */
  readonly parts: number
  /** Units left before another part starts, including units the last part cannot use because a pair may not be split. */
  readonly left: number
}

/** Units and parts of a text exactly as sent. An escape pair or a surrogate pair never spans two parts. */
export function countSms(text: string): SmsCount {
  const characters = [...text]
  const encoding: SmsEncoding = characters.every((character) => gsmUnits(character) !== null) ? 'gsm7' : 'ucs2'
  const sizes = characters.map((character) => unitsOf(character, encoding))
  const units = sizes.reduce((sum, size) => sum + size, 0)
  const { single, joined } = PART_UNITS[encoding]
  if (units <= single) return { encoding, units, parts: units === 0 ? 0 : 1, left: single - units }
  let parts = 1
  let used = 0
  for (const size of sizes) {
    if (used + size > joined) {
      parts++
      used = 0
    }
    used += size
  }
  return { encoding, units, parts, left: joined - used }
}

function unitsOf(character: string, encoding: SmsEncoding): number {
  return encoding === 'gsm7' ? gsmUnits(character)! : character.length
}

/** Cost in integer cents of this many parts. */
export function smsCents(parts: number): number {
  return parts * CENTS_PER_PART
}

export interface CharacterAt {
  readonly character: string
  /** UTF-16 index in the text. */
  readonly index: number
}

/** The characters that force Unicode, each once with its first position, in order. Empty for a GSM-7 text. */
export function unicodeCharacters(text: string): CharacterAt[] {
  const found = new Map<string, number>()
  let index = 0
  for (const character of text) {
    if (gsmUnits(character) === null && !found.has(character)) found.set(character, index)
    index += character.length
  }
  return [...found].map(([character, at]) => ({ character, index: at }))
}

/**
 * The character that added the last part: without it and the text after it, the message would cost one part less (or several, if it forces
 * Unicode). Null for at most one part.
 */
export function tippingCharacter(text: string): CharacterAt | null {
  const { parts } = countSms(text)
  if (parts <= 1) return null
  const characters = [...text]
  // Parts only grow with length, even when the alphabet changes, so a binary search finds the position.
  let low = 0
  let high = characters.length
  while (low + 1 < high) {
    const middle = (low + high) >> 1
    if (countSms(characters.slice(0, middle).join('')).parts < parts) low = middle
    else high = middle
  }
  return { character: characters[low]!, index: characters.slice(0, low).join('').length }
}

/** The opt-out line for a sender (a number or a name): a reply, or a link when replies do not arrive (decision 019). */
export function optOutFor(sender: string): string {
  return takesReplies(sender) ? OPT_OUT_TEXT : OPT_OUT_LINK_TEXT
}

/** A text with the opt-out line, as sent; an empty text stays empty. */
export function withOptOut(text: string, optOut: string = OPT_OUT_TEXT): string {
  const body = text.trimEnd()
  return body === '' ? '' : `${body}${OPT_OUT_SEPARATOR}${optOut}`
}

/** A finished text with a different opt-out line, for a sender that changed after the text was written. Unchanged if it has no such line. */
export function changeOptOut(text: string, optOut: string): string {
  const line = [OPT_OUT_TEXT, OPT_OUT_LINK_TEXT].find((one) => text.endsWith(`${OPT_OUT_SEPARATOR}${one}`))
  return line === undefined ? text : text.slice(0, -line.length) + optOut
}

/** Average field lengths for the editor's count; fields without one count their placeholder. */
export const AVERAGE_LENGTHS: Readonly<Record<MergeField, number>> = {
  first_name: 6,
  last_name: 6,
  pharmacy_name: 40,
  pharmacy_number: 13,
  pharmacy_address: 60,
  consent_id: MERGE_FIELDS.consent_id.length,
  trial_name: MERGE_FIELDS.trial_name.length,
  trial_provider: MERGE_FIELDS.trial_provider.length,
}

export interface SmsEstimate {
  readonly encoding: SmsEncoding
  /** Estimated units with the opt-out text; 0 for an empty message. */
  readonly characters: number
  /** How far `characters` can grow without another part; 160 at the start. */
  readonly maxCharacters: number
  readonly parts: number
  readonly cents: number
  /** The message's own characters that force Unicode. */
  readonly forcedBy: readonly CharacterAt[]
}

/**
 * The average cost of a message with fields, for the editor: trimmed length with each field at its average, plus 21. Billing uses the rendered
 * texts.
 */
export function estimateSms(message: string): SmsEstimate {
  const parts = partsOfMessage(message.trim())
  const plain = parts.map((part) => (part.kind === 'field' ? '' : part.text)).join('')
  const fields = parts.reduce((sum, part) => sum + (part.kind === 'field' ? AVERAGE_LENGTHS[part.field] : 0), 0)
  const { encoding, units } = countSms(plain)
  const characters = units + fields === 0 ? 0 : units + fields + OPT_OUT_TEXT.length
  const { single, joined } = PART_UNITS[encoding]
  const count = characters === 0 ? 0 : characters <= single ? 1 : Math.ceil(characters / joined)
  const forcedBy = unicodeCharacters(message)
  return {
    encoding,
    characters,
    maxCharacters: count <= 1 ? single : count * joined,
    parts: count,
    cents: smsCents(count),
    forcedBy,
  }
}
