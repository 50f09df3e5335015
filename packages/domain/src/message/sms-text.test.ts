import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unknownFields } from './merge-field.ts'
import {
  changeOptOut,
  countSms,
  estimateSms,
  gsmUnits,
  OPT_OUT_LINK,
  OPT_OUT_LINK_TEXT,
  OPT_OUT_TEXT,
  optOutFor,
  PART_UNITS,
  smsCents,
  tippingCharacter,
  unicodeCharacters,
  withOptOut,
} from './sms-text.ts'

const repeatDue = 'Hi {First Name}, your next repeat is due at {Pharmacy Name}. Call {Pharmacy Number}.'
const anyText = fc
  .array(fc.constantFrom('a', 'é', '€', '[', '\n', 'ë', '👍', 'ж', 'x'.repeat(50), '{'.repeat(20), '👍'.repeat(20)))
  .map((pieces) => pieces.join(''))

describe('counting', () => {
  test('the alphabet has 127 characters of one septet and 10 of two', () => {
    const all = Array.from({ length: 0x2100 }, (_, code) => String.fromCharCode(code))
    expect(all.filter((character) => gsmUnits(character) === 1)).toHaveLength(127)
    expect(all.filter((character) => gsmUnits(character) === 2)).toHaveLength(10)
    expect([gsmUnits('ç'), gsmUnits('`'), gsmUnits('\t'), gsmUnits('\u001b')]).toEqual([null, null, null, null])
  })

  test.each([
    ['', 'gsm7', 0, 0],
    ['x'.repeat(160), 'gsm7', 160, 1],
    ['x'.repeat(161), 'gsm7', 161, 2],
    ['x'.repeat(306), 'gsm7', 306, 2],
    ['x'.repeat(307), 'gsm7', 307, 3],
    ['ж'.repeat(70), 'ucs2', 70, 1],
    ['ж'.repeat(71), 'ucs2', 71, 2],
    ['ж'.repeat(134), 'ucs2', 134, 2],
    ['ж'.repeat(135), 'ucs2', 135, 3],
    ['€'.repeat(80), 'gsm7', 160, 1],
    ['👍'.repeat(35), 'ucs2', 70, 1],
  ])('%#: parts at the edges', (text, encoding, units, parts) => {
    expect(countSms(text)).toMatchObject({ encoding, units, parts })
  })

  test('a surrogate pair is not split, even when that adds a part', () => {
    // 306 septets would fill two parts of 153, but each part holds only 76 pairs.
    expect(countSms('€'.repeat(153))).toMatchObject({ units: 306, parts: 3 })
    expect(countSms(`${'x'.repeat(152)}€${'x'.repeat(152)}`)).toMatchObject({ units: 306, parts: 3 })
    expect(countSms('👍'.repeat(67))).toMatchObject({ units: 134, parts: 3 })
  })

  test('the characters that add cost are named', () => {
    expect(unicodeCharacters('a ë b ë 👍')).toEqual([
      { character: 'ë', index: 2 },
      { character: '👍', index: 8 },
    ])
    expect(tippingCharacter('x'.repeat(160))).toBeNull()
    expect(tippingCharacter(`${'x'.repeat(160)}yz`)).toEqual({ character: 'y', index: 160 })
    expect(tippingCharacter(`${'x'.repeat(100)}👍 z`)).toEqual({ character: '👍', index: 100 })
    expect(tippingCharacter(`👍${'x'.repeat(68)}yz`)).toEqual({ character: 'y', index: 70 })
  })

  test('the opt-out is 21 characters, 22 with its separator', () => {
    expect(OPT_OUT_TEXT).toHaveLength(21)
    expect(countSms(withOptOut('x'.repeat(138)))).toMatchObject({ units: 160, parts: 1 })
    expect(countSms(withOptOut('x'.repeat(139)))).toMatchObject({ units: 161, parts: 2 })
    expect(withOptOut('  ')).toBe('')
  })
})

describe('the opt-out of a sender', () => {
  test('is a reply for a number and a link for a name', () => {
    expect(optOutFor('+61 491 570 006')).toBe('Reply STOP to opt out')
    expect(optOutFor('SALTBUSH')).toBe('Opt out at {Opt-out link}')
    expect(optOutFor('')).toBe(OPT_OUT_LINK_TEXT)
    expect(withOptOut('Hi Ines. ', optOutFor('SALTBUSH'))).toBe('Hi Ines.\nOpt out at {Opt-out link}')
    expect(withOptOut(' ', optOutFor('SALTBUSH'))).toBe('')
  })

  test('has a placeholder for the link that no template can contain', () => {
    expect(unknownFields(`See ${OPT_OUT_LINK}`)).toEqual([OPT_OUT_LINK])
  })

  test('can be changed in a finished text, and only there', () => {
    const line = fc.constantFrom(OPT_OUT_TEXT, OPT_OUT_LINK_TEXT)
    fc.assert(
      fc.property(anyText, line, line, (text, from, to) => {
        expect(changeOptOut(withOptOut(text, from), to)).toBe(withOptOut(text, to))
        // A template with its own opt-out wording keeps it.
        expect(changeOptOut(withOptOut(`${text}x\n${from}`, from), to)).toBe(withOptOut(`${text}x\n${from}`, to))
      }),
    )
    expect(changeOptOut('You will get no more texts. Reply START', OPT_OUT_LINK_TEXT)).toBe(
      'You will get no more texts. Reply START',
    )
  })
})

describe('estimate', () => {
  test('the worked example: 84 raw, 99 estimated, 120 with opt-out', () => {
    expect(repeatDue).toHaveLength(84)
    expect(estimateSms(repeatDue)).toMatchObject({ characters: 120, parts: 1, cents: 12, maxCharacters: 160 })
    expect(estimateSms(`${repeatDue}👍`)).toMatchObject({
      encoding: 'ucs2',
      characters: 122,
      parts: 2,
      cents: 24,
      maxCharacters: 134,
      forcedBy: [{ character: '👍', index: 84 }],
    })
  })

  test('from a second part on, each part holds the joined number of characters', () => {
    const filling = (characters: number) => estimateSms('x'.repeat(characters - OPT_OUT_TEXT.length))
    expect(filling(160)).toMatchObject({ characters: 160, parts: 1, cents: 12, maxCharacters: 160 })
    expect(filling(161)).toMatchObject({ characters: 161, parts: 2, cents: 24, maxCharacters: 306 })
    expect(estimateSms('x'.repeat(290))).toMatchObject({ characters: 311, parts: 3, cents: 36, maxCharacters: 459 })
  })

  test('every field has an average length', () => {
    const length = (text: string) => estimateSms(text).characters - OPT_OUT_TEXT.length
    expect(length('{First Name}{Last Name}')).toBe(12)
    expect(length('{Pharmacy Name}{Pharmacy Number}{Pharmacy Address}')).toBe(40 + 13 + 60)
    expect(length('{Consent ID}')).toBe(12)
    expect(length('  hello  ')).toBe(5)
    expect(estimateSms('   ')).toMatchObject({ characters: 0, parts: 0, cents: 0, maxCharacters: 160 })
  })
})

describe('properties', () => {
  test('the part count lies between plain division and the worst packing, in whole cents', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { encoding, units, parts, left } = countSms(text)
        const { single, joined } = PART_UNITS[encoding]
        if (units <= single) expect(parts).toBe(units === 0 ? 0 : 1)
        else {
          expect(parts).toBeGreaterThanOrEqual(Math.ceil(units / joined))
          expect(parts).toBeLessThanOrEqual(Math.ceil(units / (joined - 1)))
        }
        expect(left).toBeGreaterThanOrEqual(0)
        const most = encoding === 'gsm7' ? [160, 153] : [70, 67]
        expect(left).toBeLessThanOrEqual(most[parts > 1 ? 1 : 0]! - (parts > 0 ? 1 : 0))
        if (parts <= 1) expect(left).toBe(most[0]! - units)
        expect(smsCents(parts)).toBe(parts * 12)
      }),
    )
  })

  test('a text from a name ends with the complete link, and costs exactly that much more', () => {
    const link = `https://pillar.example/u/${'x'.repeat(26)}`
    fc.assert(
      fc.property(anyText, (text) => {
        const sent = withOptOut(text, optOutFor('SALTBUSH')).replaceAll(OPT_OUT_LINK, link)
        const bare = countSms(text.trimEnd())
        if (bare.units === 0) {
          expect(sent).toBe('')
          return
        }
        expect(sent.endsWith(`\nOpt out at ${link}`)).toBe(true)
        expect(countSms(sent)).toMatchObject({ encoding: bare.encoding, units: bare.units + 12 + link.length })
      }),
    )
  })

  test('more text never costs less, and the tipping character is where the last part starts', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, more) => {
        const whole = text + more
        expect(countSms(whole).parts).toBeGreaterThanOrEqual(countSms(text).parts)
        const tip = tippingCharacter(whole)
        if (!tip) return
        const { parts } = countSms(whole)
        expect(countSms(whole.slice(0, tip.index)).parts).toBeLessThan(parts)
        expect(countSms(whole.slice(0, tip.index) + tip.character).parts).toBe(parts)
      }),
    )
  })
})
