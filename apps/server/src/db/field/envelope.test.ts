import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  blindIndex,
  fieldKey,
  keyIdOf,
  masterKey,
  openField,
  sealField,
  unwrapDataKey,
  wrapDataKey,
} from './envelope.ts'

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((made) => Buffer.from(made))
const column = fc.constantFrom('patient.address', 'consent_entry.contact', 'fake_patient.dva')
const key = fc
  .tuple(bytes, fc.integer({ min: 1, max: 2 ** 31 - 1 }), column)
  .map(([made, id, name]) => fieldKey(made, { id, column: name }))
const text = fc.string({ unit: 'binary', maxLength: 300 })

describe('a sealed field', () => {
  it('opens in its row, and names the key that opens it', () => {
    fc.assert(
      fc.property(key, fc.string(), text, (made, row, value) => {
        const sealed = sealField(made, row, value)
        expect(openField(made, row, sealed)).toBe(value)
        expect(keyIdOf(sealed)).toBe(made.id)
      }),
    )
  })

  it('opens nowhere else: not in another row, not in another column, not with another key', () => {
    fc.assert(
      fc.property(bytes, bytes, fc.tuple(fc.string(), fc.string()), text, (made, strange, [row, other], value) => {
        fc.pre(row !== other && !made.equals(strange))
        const sealed = sealField(fieldKey(made, { id: 7, column: 'patient.address' }), row, value)
        const attempts = [
          () => openField(fieldKey(made, { id: 7, column: 'patient.address' }), other, sealed),
          () => openField(fieldKey(made, { id: 7, column: 'fake_patient.address' }), row, sealed),
          () => openField(fieldKey(made, { id: 8, column: 'patient.address' }), row, sealed),
          () => openField(fieldKey(strange, { id: 7, column: 'patient.address' }), row, sealed),
        ]
        for (const attempt of attempts) expect(attempt).toThrow()
      }),
    )
  })

  it('is refused if any single bit changes, or its end is cut off', () => {
    const made = fieldKey(randomBytes(32), { id: 7, column: 'patient.address' })
    const sealed = sealField(made, '1/generic/17', '12 Sturt St')
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const altered = Buffer.from(sealed)
      altered[bit >> 3]! ^= 1 << (bit & 7)
      expect(() => openField(made, '1/generic/17', altered)).toThrow()
    }
    for (let end = 0; end < sealed.length; end++)
      expect(() => openField(made, '1/generic/17', sealed.subarray(0, end))).toThrow()
  })

  it('is the same for the same text in the same row, and shares nothing visible with any other', () => {
    fc.assert(
      fc.property(key, fc.tuple(fc.string(), fc.string()), fc.tuple(text, text), (made, [row, other], [one, two]) => {
        expect(sealField(made, row, one)).toEqual(sealField(made, row, one))
        fc.pre(row !== other && one !== two)
        const nonces = [sealField(made, row, one), sealField(made, other, one), sealField(made, row, two)]
        expect(new Set(nonces.map((sealed) => sealed.subarray(5, 17).toString('hex'))).size).toBe(3)
      }),
    )
  })

  it('has its own nonce even if row and text divide the same characters differently', () => {
    const made = fieldKey(randomBytes(32), { id: 7, column: 'patient.address' })
    const nonceOf = (row: string, value: string) => sealField(made, row, value).subarray(5, 17).toString('hex')
    expect(nonceOf('1 ab', 'c')).not.toBe(nonceOf('1 a', 'bc'))
  })

  it('contains none of the text', () => {
    fc.assert(
      fc.property(key, fc.string({ unit: 'grapheme-ascii', minLength: 4 }), (made, value) => {
        expect(sealField(made, 'row', value).includes(value)).toBe(false)
      }),
    )
  })
})

describe('a blind index', () => {
  it('is stable, and differs for another value, key, column or generation', () => {
    fc.assert(
      fc.property(bytes, bytes, text, text, (made, strange, one, two) => {
        fc.pre(one !== two && !made.equals(strange))
        const of = (from: Buffer, id: number, name: string, value: string) =>
          blindIndex(fieldKey(from, { id, column: name }), value).toString('hex')
        expect(of(made, 7, 'a', one)).toBe(of(made, 7, 'a', one))
        const all = [
          of(made, 7, 'a', one),
          of(made, 7, 'a', two),
          of(strange, 7, 'a', one),
          of(made, 7, 'b', one),
          of(made, 8, 'a', one),
        ]
        expect(new Set(all).size).toBe(all.length)
      }),
    )
  })
})

describe('a wrapped data key', () => {
  it('unwraps with its key, id and column, and with nothing else', () => {
    fc.assert(
      fc.property(bytes, bytes, bytes, (one, two, made) => {
        fc.pre(!one.equals(two))
        const of = { id: 3, column: 'patient.address' }
        const wrapped = wrapDataKey(masterKey(one), made, of)
        expect(unwrapDataKey(masterKey(one), wrapped, of)).toEqual(made)
        expect(() => unwrapDataKey(masterKey(two), wrapped, of)).toThrow()
        expect(() => unwrapDataKey(masterKey(one), wrapped, { ...of, id: 4 })).toThrow()
        expect(() => unwrapDataKey(masterKey(one), wrapped, { ...of, column: 'fake_patient.dva' })).toThrow()
      }),
    )
  })
})
