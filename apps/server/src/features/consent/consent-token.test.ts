import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { consentHash, consentToken, readUnsubscribeToken, unsubscribeToken } from './consent-token.ts'

const secret = Buffer.alloc(32, 7)
const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
const key = fc.record({ locationId: id, messageId: id })

test('an unsubscribe token names its message, and no other spelling of it does', () => {
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

test('a proof of one message is worth nothing for another', () => {
  fc.assert(
    fc.property(key, key, (one, other) => {
      fc.pre(one.locationId !== other.locationId || one.messageId !== other.messageId)
      const mac = unsubscribeToken(secret, one).split('.')[2]!
      const forged = `${other.locationId.toString(36)}.${other.messageId.toString(36)}.${mac}`
      expect(readUnsubscribeToken(secret, forged)).toBeNull()
    }),
  )
})

test('guesses hit nothing', () => {
  const guesses = process.env.DEEP ? 1_000_000 : 20_000
  const random = randomBytes(16 * guesses)
  let hits = 0
  for (let guess = 0; guess < guesses; guess++) {
    const mac = random.subarray(guess * 16, guess * 16 + 16).toString('base64url')
    if (readUnsubscribeToken(secret, `1.1.${mac}`)) hits++
  }
  expect(hits).toBe(0)
  for (const rubbish of ['', '..', '1.1.', '1.1', 'a'.repeat(200), '1.1.\u0000', 'é.é.é', '../../x'])
    expect(readUnsubscribeToken(secret, rubbish)).toBeNull()
})

test('a consent token is the same each time, its own for every message, and ends in a letter', () => {
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
