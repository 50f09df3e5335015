import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countSms } from '../message/sms-text.ts'
import { plainText } from './plain-text.ts'

test('word processor characters become plain', () => {
  expect(plainText('\u201cIt\u2019s\u201d 9\u201317 \u2014 now\u2026')).toBe('"It\'s" 9-17 - now...')
  expect(plainText('a\u00a0b\u2009c\u200bd\u00ad\ufeff')).toBe('a b cd')
  expect(plainText('one\r\ntwo\rthree\u2028four')).toBe('one\ntwo\nthree\nfour')
})

test('entities are decoded, even if escaped twice; unknown and invalid ones stay', () => {
  expect(plainText('Fish &amp; chips&nbsp;&rsquo;&#8217;&#x2019;&hellip;')).toBe("Fish & chips '''...")
  expect(plainText('&amp;lt;b&amp;gt;')).toBe('<b>')
  // The hyphen goes first, and leaves an entity.
  expect(plainText('&\u00adlt;b&gt;')).toBe('<b>')
  expect(plainText('&amp;nosuch; Q&amp;amp;A')).toBe('&nosuch; Q&A')
  expect(plainText('&nosuch; &#xD800; &#0; AT&T')).toBe('&nosuch; &#xD800; &#0; AT&T')
  expect(plainText('a&#9;b&#10;c&#13;d&#32;e')).toBe('a b\nc\nd e')
  expect(plainText('&#8; &#11; &#31; &#x110000;')).toBe('&#8; &#11; &#31; &#x110000;')
})

test('crafted text does not slow cleaning down', () => {
  const started = performance.now()
  expect(plainText(`&${'amp;'.repeat(60_000)}`)).toBe('&')
  expect(plainText(`&${'#38;'.repeat(60_000)}lt;`)).toBe('<')
  plainText('&#4'.repeat(60_000) + ';'.repeat(60_000))
  expect(performance.now() - started).toBeLessThan(2000)
})

test('letters are composed, joined emoji stay whole', () => {
  expect(plainText('e\u0301')).toBe('é')
  expect(countSms(plainText('Jose\u0301')).encoding).toBe('gsm7')
  expect(plainText('👩\u200d⚕️')).toBe('👩\u200d⚕️')
})

test('property: cleaning twice equals cleaning once', () => {
  const pieces = fc.constantFrom(
    '&',
    'amp;',
    '#38;',
    'lt;',
    '\u2026',
    '\u2019',
    '\r',
    '\n',
    ' ',
    'e',
    '\u0301',
    '\u037e',
    '\u1fef',
  )
  const codes = fc
    .array(fc.oneof(fc.integer({ min: 0, max: 0x30ff }), fc.integer({ min: 0, max: 0x10ffff })))
    .map((list) => String.fromCodePoint(...list))
  fc.assert(
    fc.property(
      fc.oneof(
        codes,
        fc.array(pieces).map((list) => list.join('')),
      ),
      (text) => {
        const clean = plainText(text)
        expect(plainText(clean)).toBe(clean)
        expect(clean).not.toMatch(/[\u2018\u2019\u201c\u201d\u2013\u2014\u2026\u00a0\r]/)
      },
    ),
    { numRuns: 500 },
  )
})
