import {
  MERGE_FIELDS,
  type MergeValues,
  partsOfMessage,
  renderMessage,
  renderSubject,
} from '@pillar/domain/merge-field'
import { countSms, gsmUnits, PART_UNITS, unicodeCharacters, withOptOut } from '@pillar/domain/sms-text'
import type { Services } from '../../api/context.ts'
import type { NameUse } from '../cohort/count.queries.ts'

/** Stands for the consent link while a message is rendered: a private character, so that no value and no template is taken for it. */
const LINK_MARK = '\ue000'
/** Characters of the secret part of a consent link. */
const TOKEN_LENGTH = 22

/** What a consent link looks like to the count of a text: as long as the real one, which is made when the message leaves. */
export function linkLike(services: Pick<Services, 'publicUrl'>): string {
  return new URL(`/consent/${'x'.repeat(TOKEN_LENGTH)}`, services.publicUrl()).href
}

/** A text as one patient gets it, opt-out line and all; the consent link is `{Consent ID}` until it leaves. */
export function renderText(body: string, values: MergeValues): string {
  const { text } = renderMessage(body, { ...values, consent_id: LINK_MARK })
  return withOptOut(text).replaceAll(LINK_MARK, MERGE_FIELDS.consent_id)
}

/** Parts of a rendered text with its link put in. */
export function partsOfText(text: string, link: string): number {
  return countSms(text.replaceAll(MERGE_FIELDS.consent_id, link)).parts
}

/** An e-mail as one patient gets it; the layout around it is made when it leaves. */
export function renderEmail(body: string, subject: string | null, values: MergeValues) {
  const text = renderMessage(body, { ...values, consent_id: LINK_MARK }).text
  return {
    body: text.replaceAll(LINK_MARK, MERGE_FIELDS.consent_id),
    subject: subject === null ? null : renderSubject(subject, values).text,
  }
}

const twoUnits = (text: string) => [...text].some((character) => character.length > 1 || gsmUnits(character) === 2)

/** How a text uses names; `pharmacies` are the values it will be filled with. */
export function nameUse(body: string, pharmacies: readonly MergeValues[], link: string): NameUse {
  const fields = partsOfMessage(body).flatMap((part) => (part.kind === 'field' ? [part.field] : []))
  const count = (field: string) => fields.filter((one) => one === field).length
  const even = pharmacies.every(
    (values) =>
      !twoUnits(
        renderText(body, { ...values, first_name: 'a', last_name: 'a' }).replaceAll(MERGE_FIELDS.consent_id, link),
      ),
  )
  return { first: count('first_name'), last: count('last_name'), even }
}

/** What pushes texts into another part. */
export type Tipping =
  | { kind: 'character'; character: string }
  | { kind: 'name letters' }
  | { kind: 'name length' }
  | { kind: 'length' }

export interface TextCost {
  parts: number
  /** Null for texts of one part. */
  tipping: Tipping | null
}

/**
 * What one text costs at one pharmacy, by the lengths of the names in it: exactly the parts of the text rendered with any names of those
 * lengths whose letters take one unit each.
 */
export function textCosts(body: string, pharmacy: MergeValues, use: NameUse, link: string) {
  const known = new Map<string, TextCost>()
  const fill = (first: number, last: number, unicode: boolean) => {
    const letter = unicode ? 'ж' : 'a'
    const names = { first_name: letter.repeat(first), last_name: letter.repeat(last) }
    return renderText(body, { ...pharmacy, ...names }).replaceAll(MERGE_FIELDS.consent_id, link)
  }
  const bases = new Map<string, { units: number; encoding: 'gsm7' | 'ucs2' }>()
  // The text with names of one letter, or none where there is none: a missing name takes the space before it along.
  const base = (first: number, last: number, unicode: boolean) => {
    const key = `${Math.min(first, 1)} ${Math.min(last, 1)} ${unicode}`
    const found = bases.get(key) ?? countSms(fill(Math.min(first, 1), Math.min(last, 1), unicode))
    bases.set(key, found)
    return found
  }
  const partsFor = (first: number, last: number, unicode: boolean): number => {
    if (!use.even) return countSms(fill(first, last, unicode)).parts
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
      cost = { parts, tipping: parts <= 1 ? null : tippingOf(fill(0, 0, false), parts, fewest, unicode) }
      known.set(key, cost)
    }
    return cost
  }
}

function tippingOf(plain: string, parts: number, fewest: number, unicode: boolean): Tipping {
  const [forced] = unicodeCharacters(plain)
  if (forced) return { kind: 'character', character: forced.character }
  if (unicode) return { kind: 'name letters' }
  return parts > fewest ? { kind: 'name length' } : { kind: 'length' }
}

/** What one rendered text costs, where the letters of a name must be looked at. */
export function exactCost(text: string, plain: string, link: string): TextCost {
  const whole = text.replaceAll(MERGE_FIELDS.consent_id, link)
  const { parts, encoding } = countSms(whole)
  if (parts <= 1) return { parts, tipping: null }
  const least = countSms(plain.replaceAll(MERGE_FIELDS.consent_id, link))
  return { parts, tipping: tippingOf(plain, parts, least.parts, encoding === 'ucs2' && least.encoding === 'gsm7') }
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
    case 'length':
      return 'The length of the text itself'
  }
}
