import {
  MERGE_FIELDS,
  type MergeValues,
  partsOfMessage,
  renderMessage,
  renderSubject,
} from '@pillar/domain/message/merge-field'
import {
  changeOptOut,
  countSms,
  gsmUnits,
  OPT_OUT_LINK,
  OPT_OUT_TEXT,
  optOutFor,
  PART_UNITS,
  unicodeCharacters,
  withOptOut,
} from '@pillar/domain/message/sms-text'
import type { Services } from '../../api/context.ts'
import { linksLike } from '../consent/link/consent-link.queries.ts'
import type { MessagingPharmacy } from '../location/messaging-pharmacy.queries.ts'
import type { NameUse } from './count/count.queries.ts'

/** Stands for the consent link while a message is rendered: a private-use character, so that no value or template is mistaken for it. */
const LINK_MARK = '\ue000'

/** What this installation adds to its texts. */
export interface TextFrame {
  /** Sample links for measuring a text: as long as the real ones, which are made when the message is sent. */
  consentLink: string
  optOutLink: string
  /** The sender of texts for a pharmacy without its own. */
  defaultSender: string
}

export function textFrame({ publicUrl, sms }: Pick<Services, 'publicUrl' | 'sms'>): TextFrame {
  return { ...linksLike({ publicUrl }), defaultSender: sms.defaultSender }
}

/** The fields of a pharmacy that its texts need. */
type TextPharmacy = Pick<MessagingPharmacy, 'values' | 'sms_sender'>
type Names = Pick<MergeValues, 'first_name' | 'last_name'>

/**
 * A text as one patient of a pharmacy gets it, with the opt-out for the pharmacy's sender. Until it is sent, it contains `{Consent ID}` for
 * the consent link and `{Opt-out link}` for the opt-out link.
 */
export function renderText(body: string, pharmacy: TextPharmacy, names: Names, frame: TextFrame): string {
  const { first_name, last_name } = names
  const { text } = renderMessage(body, { ...pharmacy.values, first_name, last_name, consent_id: LINK_MARK })
  const optOut = optOutFor(pharmacy.sms_sender ?? frame.defaultSender)
  return withOptOut(text, optOut).replaceAll(LINK_MARK, MERGE_FIELDS.consent_id)
}

/** The text with sample links of the right kind and length for its consent link and opt-out link. */
export const withLinks = (text: string, { consentLink, optOutLink }: TextFrame) =>
  text.replaceAll(MERGE_FIELDS.consent_id, consentLink).replaceAll(OPT_OUT_LINK, optOutLink)

/** The number of parts of a rendered text including its links. */
export function partsOfText(text: string, frame: TextFrame): number {
  return countSms(withLinks(text, frame)).parts
}

/** An email as one patient gets it; the layout around it is added when it is sent. */
export function renderEmail(body: string, subject: string | null, values: MergeValues) {
  const text = renderMessage(body, { ...values, consent_id: LINK_MARK }).text
  return {
    body: text.replaceAll(LINK_MARK, MERGE_FIELDS.consent_id),
    subject: subject === null ? null : renderSubject(subject, values).text,
  }
}

const twoUnits = (text: string) => [...text].some((character) => character.length > 1 || gsmUnits(character) === 2)

/** How a text uses names; `pharmacies` are those whose patients get it. */
export function nameUse(body: string, pharmacies: readonly TextPharmacy[], frame: TextFrame): NameUse {
  const fields = partsOfMessage(body).flatMap((part) => (part.kind === 'field' ? [part.field] : []))
  const count = (field: string) => fields.filter((one) => one === field).length
  const names = { first_name: 'a', last_name: 'a' }
  const even = pharmacies.every((one) => !twoUnits(withLinks(renderText(body, one, names, frame), frame)))
  return { first: count('first_name'), last: count('last_name'), even }
}

/** What makes a text need another part. */
export type Tipping =
  | { kind: 'character'; character: string }
  | { kind: 'name letters' }
  | { kind: 'name length' }
  | { kind: 'opt-out link' }
  | { kind: 'length' }

export interface TextCost {
  parts: number
  /** Null for texts of one part. */
  tipping: Tipping | null
}

/**
 * The cost of a text at one pharmacy by the lengths of the names in it: exactly the parts of the text rendered with any names of those
 * lengths whose letters take one unit each.
 */
export function textCosts(body: string, pharmacy: TextPharmacy, use: NameUse, frame: TextFrame) {
  const known = new Map<string, TextCost>()
  const fill = (first: number, last: number, unicode: boolean) => {
    const letter = unicode ? 'ж' : 'a'
    return renderText(body, pharmacy, { first_name: letter.repeat(first), last_name: letter.repeat(last) }, frame)
  }
  const bases = new Map<string, { units: number; encoding: 'gsm7' | 'ucs2' }>()
  // The text with names of one letter, or without a name: a missing name also removes the space before it.
  const base = (first: number, last: number, unicode: boolean) => {
    const key = `${Math.min(first, 1)} ${Math.min(last, 1)} ${unicode}`
    const found = bases.get(key) ?? countSms(withLinks(fill(Math.min(first, 1), Math.min(last, 1), unicode), frame))
    bases.set(key, found)
    return found
  }
  const partsFor = (first: number, last: number, unicode: boolean): number => {
    if (!use.even) return partsOfText(fill(first, last, unicode), frame)
    const { units, encoding } = base(first, last, unicode)
    const total = units + use.first * Math.max(0, first - 1) + use.last * Math.max(0, last - 1)
    const { single, joined } = PART_UNITS[encoding]
    return total === 0 ? 0 : total <= single ? 1 : Math.ceil(total / joined)
  }
  return (first: number, last: number, unicode: boolean): TextCost => {
    const key = `${first} ${last} ${unicode}`
    let cost = known.get(key)
    if (!cost) {
      const parts = partsFor(first, last, unicode)
      const fewest = partsFor(Math.min(first, 1), Math.min(last, 1), false)
      const least = () => ({ text: fill(Math.min(first, 1), Math.min(last, 1), false), parts: fewest })
      cost = { parts, tipping: parts <= 1 ? null : tippingOf(least(), parts, unicode, frame) }
      known.set(key, cost)
    }
    return cost
  }
}

/** `least` is the text with the shortest possible names, and its parts. */
function tippingOf(least: { text: string; parts: number }, parts: number, unicode: boolean, frame: TextFrame): Tipping {
  const [forced] = unicodeCharacters(withLinks(least.text, frame))
  if (forced) return { kind: 'character', character: forced.character }
  if (unicode) return { kind: 'name letters' }
  if (parts > least.parts) return { kind: 'name length' }
  const answerable = changeOptOut(least.text, OPT_OUT_TEXT)
  return partsOfText(answerable, frame) < least.parts ? { kind: 'opt-out link' } : { kind: 'length' }
}

/** The cost of one rendered text when the letters of a name matter; `plain` is the same text without names. */
export function exactCost(text: string, plain: string, frame: TextFrame): TextCost {
  const { parts, encoding } = countSms(withLinks(text, frame))
  if (parts <= 1) return { parts, tipping: null }
  const least = countSms(withLinks(plain, frame))
  const unicode = encoding === 'ucs2' && least.encoding === 'gsm7'
  return { parts, tipping: tippingOf({ text: plain, parts: least.parts }, parts, unicode, frame) }
}

/** In words that name nobody. */
export function tippingWords(tipping: Tipping): string {
  switch (tipping.kind) {
    case 'character':
      return `The character “${tipping.character}”`
    case 'name letters':
      return 'Letters in names that force Unicode'
    case 'name length':
      return 'The length of names'
    case 'opt-out link':
      return 'The link to opt out, where the sender is a name'
    case 'length':
      return 'The length of the text itself'
  }
}
