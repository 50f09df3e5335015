import { renderMessage } from '@pillar/domain/message/merge-field'
import { countSms, OPT_OUT_LINK, optOutFor, withOptOut } from '@pillar/domain/message/sms-text'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { optOutLink } from '../consent/link/consent-link.queries.ts'
import { consentToken } from '../consent/link/consent-token.ts'
import { exactCost, nameUse, partsOfText, renderText, type TextFrame, textCosts, textFrame } from './message-text.ts'

const some = <T>(values: readonly T[]) => fc.constantFrom(...values)
const words = some([
  'Hi ',
  'your next repeat is due. ',
  'Drop in, ',
  '€10 ',
  '[open] ',
  '“now” ',
  'x'.repeat(40),
  '\n',
  ' ',
])
const field = some(['{First Name}', '{Last Name}', '{Pharmacy Name}', '{Pharmacy Number}', '{Consent ID}'])
const body = fc.array(fc.oneof(words, words, field), { minLength: 1, maxLength: 9 }).map((parts) => parts.join(''))
const sender = some([null, '+61 488 000 001', 'SALTBUSH', 'Bo’s Rx'])
const pharmacy = fc
  .record({ name: some(['Canal Road Pharmacy', 'R[x]', 'Zofië’s']), phone: some(['03 5550 0100', null]), sender })
  .map(({ name, phone, sender: sms_sender }) => ({
    values: { pharmacy_name: name, pharmacy_number: phone },
    sms_sender,
  }))
const installation = fc.record({
  publicUrl: some([
    'http://localhost:3000',
    'https://pillar.example',
    'https://~texts.saltbush-pharmacy-group.example',
  ]),
  defaultSender: some(['+61491570006', 'GROUP']),
})
const key = fc.record({
  locationId: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  messageId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
})
const secret = Buffer.alloc(32, 7)

type Pharmacy = Parameters<typeof renderText>[1]
type Names = Parameters<typeof renderText>[2]

function frameOf({ publicUrl, defaultSender }: { publicUrl: string; defaultSender: string }): TextFrame {
  return textFrame({ publicUrl: () => publicUrl, sms: { defaultSender } as never })
}

/** The text as sent, with its own links, by the domain's rules alone. */
function sent(text: string, at: Pharmacy, names: Names, by: { publicUrl: string; defaultSender: string }, id: KeyOf) {
  const services = { linkSecret: secret, publicUrl: () => by.publicUrl, now: () => new Date() }
  const consent_id = new URL(`/consent/${consentToken(secret, id)}`, by.publicUrl).href
  const rendered = renderMessage(text, { ...at.values, ...names, consent_id }).text
  const line = optOutFor(at.sms_sender ?? by.defaultSender)
  return withOptOut(rendered, line).replaceAll(OPT_OUT_LINK, optOutLink(services, id.locationId, id.messageId))
}
type KeyOf = { locationId: number; messageId: number }

describe('the forecast cost of a text', () => {
  it('equals its cost when sent, for names counted by length, from any sender', () => {
    const length = fc.integer({ min: 0, max: 40 })
    fc.assert(
      fc.property(
        body,
        fc.array(pharmacy, { minLength: 1, maxLength: 3 }),
        installation,
        key,
        length,
        length,
        fc.boolean(),
        (text, places, by, id, first, last, unicode) => {
          const frame = frameOf(by)
          const use = nameUse(text, places, frame)
          const letter = unicode ? 'ж' : 'a'
          const names = { first_name: letter.repeat(first), last_name: letter.repeat(last) }
          for (const place of places) {
            const { parts } = countSms(sent(text, place, names, by, id))
            const cost = textCosts(text, place, use, frame)(first, last, unicode && first + last > 0)
            expect(cost.parts).toBe(parts)
            expect(cost.tipping === null).toBe(parts <= 1)
            expect(partsOfText(renderText(text, place, names, frame), frame)).toBe(parts)
          }
        },
      ),
      { numRuns: DEEP ? 100_000 : 2000 },
    )
  })

  it('equals its cost when sent, for names checked letter by letter', () => {
    const name = some(['Ines', '', null, 'Zofië', '王', '😀Sam', 'a{b}', 'R[x]€', 'Maximilian Bartholomew the Second'])
    fc.assert(
      fc.property(body, pharmacy, installation, key, name, name, (text, place, by, id, first_name, last_name) => {
        const frame = frameOf(by)
        const names = { first_name, last_name }
        const { parts } = countSms(sent(text, place, names, by, id))
        const rendered = renderText(text, place, names, frame)
        expect(exactCost(rendered, renderText(text, place, {}, frame), frame).parts).toBe(parts)
      }),
      { numRuns: DEEP ? 100_000 : 2000 },
    )
  })

  it('says when the link adds a part', () => {
    const by = { publicUrl: 'https://pillar.example', defaultSender: '+61491570006' }
    const named = { values: {}, sms_sender: 'SALTBUSH' }
    const kinds = [80, 110, 150].map((units) => {
      const text = 'x'.repeat(units)
      const cost = textCosts(text, named, nameUse(text, [named], frameOf(by)), frameOf(by))(0, 0, false)
      return [cost.parts, cost.tipping?.kind]
    })
    expect(kinds).toEqual([
      [1, undefined],
      [2, 'opt-out link'],
      [2, 'length'],
    ])
  })
})
