import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  UPLOAD_KEY_BYTES,
  UPLOAD_KEY_PATTERN,
  UPLOAD_KEY_PREFIX,
  uploadKeyOf,
  uploadKeyProblem,
  withoutUploadKeys,
} from './upload-key.ts'

const bytes = fc.uint8Array({ minLength: UPLOAD_KEY_BYTES, maxLength: UPLOAD_KEY_BYTES })
const ZERO = uploadKeyOf(new Uint8Array(32))
const FULL = uploadKeyOf(new Uint8Array(32).fill(255))

test('a key has the documented form, its checksum is a CRC-32, and different bytes make different keys', () => {
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      const key = uploadKeyOf(one)
      expect(key).toMatch(new RegExp(`^${UPLOAD_KEY_PATTERN.source}$`))
      expect(uploadKeyProblem(key)).toBeNull()
      const [random, check] = [key.slice(14, 57), key.slice(57)]
      const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
      expect([...check].reduce((sum, letter) => sum * 62 + letters.indexOf(letter), 0)).toBe(crc32(random))
      if (Buffer.compare(one, other) !== 0) expect(uploadKeyOf(other)).not.toBe(key)
    }),
  )
  expect(ZERO).toHaveLength(63)
  expect(FULL).toHaveLength(63)
  expect(() => uploadKeyOf(new Uint8Array(31))).toThrow(RangeError)
})

test('a wrong, missing or extra letter is noticed; keys of the old form are not checked', () => {
  fc.assert(
    fc.property(bytes, fc.nat(48), fc.constantFrom('0', 'a', 'Z'), (random, at, letter) => {
      const key = uploadKeyOf(random)
      const place = UPLOAD_KEY_PREFIX.length + at
      const wrong = key.slice(0, place) + letter + key.slice(place + 1)
      if (wrong !== key) expect(uploadKeyProblem(wrong)).toContain('Copy the whole key')
      expect(uploadKeyProblem(key.slice(0, place))).toContain('Copy the whole key')
      expect(uploadKeyProblem(`${key}x`)).toContain('Copy the whole key')
    }),
  )
  expect(uploadKeyProblem('-mDqv0cZ2Fh8Qk1yD0m4xWb7TfXo3R5sJ6uLpEaVgNI')).toBeNull()
})

test('a text loses the secret part of every key in it, even one cut short', () => {
  expect(withoutUploadKeys(`Bearer ${FULL}, {"k":"${ZERO.slice(0, 40)}"}`)).toBe(
    'Bearer pillar_upload_[redacted], {"k":"pillar_upload_[redacted]"}',
  )
  expect(withoutUploadKeys('the folder pillar_upload is full')).toBe('the folder pillar_upload is full')
})
