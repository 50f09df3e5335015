import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countSms } from '../message/sms-text.ts'
import { nameCase } from './name-case.ts'

test.each([
  ['JOHN', 'John'],
  ['MARY-ANNE', 'Mary-Anne'],
  ['MCKENZIE O’BRIEN', 'MCKENZIE O’BRIEN'],
  ["MCKENZIE O'BRIEN", "McKenzie O'Brien"],
  ['VAN DER BERG', 'Van Der Berg'],
  ['ST. JOHN', 'St. John'],
  ['J.P. MORGAN', 'J.P. Morgan'],
  ['HENRY VIII', 'Henry VIII'],
  ['THOMAS III', 'Thomas III'],
  ['MARY J', 'Mary J'],
])('a name in capitals is written as a person would: %s, %s', (name, written) => {
  expect(nameCase(name)).toBe(written)
})

test.each(['AJ', 'Jo', 'MacDonald', 'de Silva', 'john', 'FRANÇOIS', 'ЖАННА', 'JOHN (NDSS)', 'A.J.', '', '--'])(
  'any other name stays: %s',
  (name) => {
    expect(nameCase(name)).toBe(name)
  },
)

test('no name becomes longer, or costs a text more', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[A-Z' .-]{0,12}$/)), (name) => {
      const written = nameCase(name)
      expect(written.toUpperCase()).toBe(written === name ? name.toUpperCase() : name)
      expect(countSms(written)).toEqual(countSms(name))
      expect(nameCase(written)).toBe(written)
    }),
    { numRuns: 1000 },
  )
})
