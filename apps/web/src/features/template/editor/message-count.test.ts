import { expect, it } from 'vitest'
import { countWords, previewCost } from './message-count.ts'

it('gives length, parts and cost of a plain text, including the opt-out', () => {
  const words = countWords(`${'a'.repeat(93)}{First Name}`, 'AU')
  expect(words).toEqual({ length: 'About 120 of 160 characters', cost: '1 part, 12c a text', forced: '', tooLong: '' })
  expect(countWords('', 'AU').length).toBe('About 0 of 160 characters')
})

it('names the character that makes a text dearer, and an invisible one by its code', () => {
  expect(countWords('Grüße ł', 'AU').forced).toBe('“ł” reduces each part from 160 to 70 characters.')
  expect(countWords('ł and ń and 🙂', 'AU').forced).toMatch(/^“ł” and 2 other characters reduce each part/)
  expect(countWords('a\u200db', 'AU').forced).toMatch(/^The invisible character U\+200D reduces/)
})

it('warns of a text that no gateway takes', () => {
  const letters = 1600 - 21
  expect(countWords('a'.repeat(letters), 'AU')).toMatchObject({
    ...{ length: 'About 1,600 of 1,600 characters', cost: '11 parts, $1.32 a text', tooLong: '' },
  })
  expect(countWords('a'.repeat(letters + 1), 'AU')).toMatchObject({
    length: 'About 1,601 of 1,600 characters',
    tooLong: expect.stringMatching(/^A text can have 1,600 characters with its opt-out line\. Shorten/),
  })
})

it('gives a text’s cost as one patient gets it, and what tips it', () => {
  const sms = { encoding: 'gsm7', units: 171, parts: 2, cents: 24, tipping: 'k' } as const
  expect(previewCost(sms, 'AU')).toBe('171 characters, 2 parts, 24c. “k” starts part 2.')
  expect(previewCost({ ...sms, encoding: 'ucs2', tipping: '\u200d' }, 'GB')).toBe(
    '171 characters, 2 parts, 24p. The invisible character U+200D reduces each part to 70 characters.',
  )
  expect(previewCost({ ...sms, units: 20, parts: 1, cents: 12, tipping: null }, 'AU')).toBe(
    '20 characters, 1 part, 12c.',
  )
})
