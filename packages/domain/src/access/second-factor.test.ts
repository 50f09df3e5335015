import { expect, test } from 'vitest'
import { factorState, plainCode, plainRecoveryCode, recoveryCode } from './second-factor.ts'

test('a login with a second factor must show it, even if it is optional', () => {
  for (const required of [true, false]) {
    for (const flags of [{}, { sr_login: true }, { data_analytics: true }]) {
      expect(factorState({ flags, has: true, shown: false, required })).toBe('check')
      expect(factorState({ flags, has: true, shown: true, required })).toBe('done')
    }
  }
})

test('support and S8 must set one up if the installation requires it; others may', () => {
  const none = { has: false, shown: false }
  expect(factorState({ ...none, flags: { sr_login: true }, required: true })).toBe('setup')
  expect(factorState({ ...none, flags: { ecdr: true }, required: true })).toBe('setup')
  expect(factorState({ ...none, flags: { data_analytics: true }, required: true })).toBe('done')
  expect(factorState({ ...none, flags: { sr_login: true }, required: false })).toBe('done')
})

test('a recovery code has ten letters in two halves, without look-alikes', () => {
  const bytes = Uint8Array.from({ length: 10 }, (_, at) => at * 25)
  expect(recoveryCode(bytes)).toMatch(/^[2-9A-HJ-NP-Z]{5}-[2-9A-HJ-NP-Z]{5}$/)
  expect(() => recoveryCode(bytes.subarray(1))).toThrow('10 random bytes')
})

test('every letter of a recovery code is equally likely', () => {
  const codes = Array.from({ length: 256 }, (_, byte) => recoveryCode(new Uint8Array(10).fill(byte)))
  const times = [...Map.groupBy(codes, (code) => code[0]).values()].map((same) => same.length)
  expect(times).toEqual(Array(32).fill(8))
})

test('codes are compared as people type them', () => {
  expect(plainRecoveryCode(' k7m2p 9qxrt')).toBe('K7M2P9QXRT')
  expect(plainCode('123 456')).toBe('123456')
  expect(plainCode('12345')).toBeNull()
  expect(plainCode('1234567')).toBeNull()
  expect(plainCode('12345a')).toBeNull()
})
