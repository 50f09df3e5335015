import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEEP } from '../../../../test/deep.ts'
import {
  consentHash,
  consentToken,
  OPT_OUT_TOKEN_LENGTH,
  optOutToken,
  readOptOutToken,
  readUnsubscribeToken,
  unsubscribeToken,
} from './consent-token.ts'

const secret = Buffer.alloc(32, 7)
const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
const key = fc.record({ locationId: id, messageId: id })

test('an unsubscribe token identifies its message in exactly one spelling', () => {
  fc.assert(
    fc.property(key, (message) => {
      const token = unsubscribeToken(secret, message)
      expect(readUnsubscribeToken(secret, token)).toEqual(message)
      expect(readUnsubscribeToken(secret, `0${token}`)).toBeNull()
      expect(readUnsubscribeToken(secret, token.toUpperCase())).toBeNull()
      expect(readUnsubscribeToken(Buffer.alloc(32, 8), token)).toBeNull()
    }),
  )
})

test('a signature of one message does not work for another', () => {
  fc.assert(
    fc.property(key, key, (one, other) => {
      fc.pre(one.locationId !== other.locationId || one.messageId !== other.messageId)
      const mac = unsubscribeToken(secret, one).split('.')[2]!
      const forged = `${other.locationId.toString(36)}.${other.messageId.toString(36)}.${mac}`
      expect(readUnsubscribeToken(secret, forged)).toBeNull()
    }),
  )
})

test('guesses never match', () => {
  const guesses = DEEP ? 1_000_000 : 20_000
  const random = randomBytes(16 * guesses)
  let hits = 0
  for (let guess = 0; guess < guesses; guess++) {
    const mac = random.subarray(guess * 16, guess * 16 + 16).toString('base64url')
    if (readUnsubscribeToken(secret, `1.1.${mac}`)) hits++
  }
  expect(hits).toBe(0)
  for (const rubbish of ['', '..', '1.1.', '1.1', 'a'.repeat(200), '1.1.\u0000', 'é.é.é', '../../../x'])
    expect(readUnsubscribeToken(secret, rubbish)).toBeNull()
})

test('a consent token is stable, unique per message, and ends in a letter', () => {
  fc.assert(
    fc.property(key, key, (one, other) => {
      const token = consentToken(secret, one)
      expect(token).toMatch(/^[\w-]{21}[AQgw]$/)
      expect(consentToken(secret, one)).toBe(token)
      if (one.locationId !== other.locationId || one.messageId !== other.messageId) {
        expect(consentToken(secret, other)).not.toBe(token)
      }
      expect(consentHash(secret, token).toString('base64url')).not.toContain(token)
      expect(unsubscribeToken(secret, one)).not.toContain(token)
    }),
  )
})

// Pharmacy ids have 32 bits.
const textKey = fc.record({ locationId: fc.integer({ min: 1, max: 2 ** 31 - 1 }), messageId: id })

test('an opt-out token identifies its text, has one length and spelling, and ends in a letter', () => {
  fc.assert(
    fc.property(textKey, fc.nat(25), fc.constantFrom(...'AQgwaB0-_'), (text, at, character) => {
      const token = optOutToken(secret, text)
      expect(token).toHaveLength(OPT_OUT_TOKEN_LENGTH)
      expect(token).toMatch(/^[\w-]{25}[AQgw]$/)
      expect(readOptOutToken(secret, token)).toEqual(text)
      expect(readOptOutToken(Buffer.alloc(32, 8), token)).toBeNull()
      const other = token.slice(0, at) + character + token.slice(at + 1)
      if (other !== token) expect(readOptOutToken(secret, other)).toBeNull()
      // Neither kind of link opens what the other does.
      expect(readUnsubscribeToken(secret, token)).toBeNull()
      expect(readOptOutToken(secret, unsubscribeToken(secret, text))).toBeNull()
    }),
  )
  for (const rubbish of ['', 'a'.repeat(26), '='.repeat(26), 'é'.repeat(26), 'a'.repeat(200), '\u0000'])
    expect(readOptOutToken(secret, rubbish)).toBeNull()
})
