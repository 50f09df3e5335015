import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countSms } from '../message/sms-text.ts'
import { nameInMessage } from './name-in-message.ts'

test.each([
  ['JOHN', 'John'],
  ['MARY-ANNE', 'Mary-Anne'],
  ["MCKENZIE O'BRIEN", "McKenzie O'Brien"],
  ['VAN DER BERG', 'Van Der Berg'],
  ['ST. JOHN', 'St. John'],
  ['J.P. MORGAN', 'J.P. Morgan'],
  ['HENRY VIII', 'Henry VIII'],
  ['MARY J', 'Mary J'],
])('a name in capitals is written as a person would: %s, %s', (name, written) => {
  expect(nameInMessage(name)).toBe(written)
})

test.each([
  ['MARGARET (HIV CLINIC)', 'Margaret'],
  ['Ana [methadone]', 'Ana'],
  ['John*owes $20', 'John'],
  ['Peter 0412 645 678', 'Peter'],
  ['William "Bill"', 'William'],
  ['Mary/Molly', 'Mary'],
  ['Ann - DAA', 'Ann'],
  ['Ann -DAA', 'Ann'],
  ['Ann- DAA', 'Ann'],
  ['Ann – DAA', 'Ann'],
  ['Ann, Webster', 'Ann'],
  ['Zoë (nee Ng)', 'Zoë'],
  ['Жанна #2', 'Жанна'],
])('a note behind a name is for the pharmacy only: %s, %s', (name, written) => {
  expect(nameInMessage(name)).toBe(written)
})

test.each(['(DEC) JOHN', '*JOHN', 'B/O SARAH', '12345', '?', ' ', ''])('what is no name is left out: "%s"', (name) => {
  expect(nameInMessage(name)).toBe('')
})

test.each([
  'AJ',
  'J',
  'Jo',
  'MacDonald',
  'de Silva',
  'john',
  'FRANÇOIS',
  'ЖАННА',
  'A.J.',
  'O’Neil',
  'O`Brien',
  'D´Arcy',
  'Ann\u2011Mae',
  'Jr.',
  'Ann-Mae',
  '李小龙',
])('any other name stays: %s', (name) => {
  expect(nameInMessage(name)).toBe(name)
})

test('a name of letters keeps its length and what it costs', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-zÉé'.]([A-Za-zÉé'. -]{0,12}[A-Za-zÉé'.])?$/), (name) => {
      fc.pre(!/ -|- /.test(name))
      const written = nameInMessage(name)
      expect(written.toUpperCase()).toBe(name.toUpperCase())
      expect(countSms(written)).toEqual(countSms(name))
    }),
    { numRuns: 1000 },
  )
})
test('no name gains anything', () => {
  fc.assert(
    fc.property(fc.string(), (name) => {
      const written = nameInMessage(name)
      expect(name.trim().toUpperCase().startsWith(written.toUpperCase())).toBe(true)
      expect(nameInMessage(written)).toBe(written)
    }),
    { numRuns: 1000 },
  )
})
