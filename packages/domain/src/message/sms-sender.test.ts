import { expect, test } from 'vitest'
import { showsUnverified, takesReplies } from './sms-sender.ts'

test('a number can receive replies, a name cannot', () => {
  expect(['+61 400 000 001', '0400000001', '12345'].map(takesReplies)).toEqual([true, true, true])
  expect(['SALTBUSH', 'Canal Rd 2', '', `MG${'1'.repeat(32)}`].map(takesReplies)).toEqual([false, false, false, false])
})

test('a name shows as Unverified in Australia until it is registered', () => {
  expect(showsUnverified('AU', 'SALTBUSH', false)).toBe(true)
  expect(showsUnverified('AU', 'SALTBUSH', true)).toBe(false)
  expect(showsUnverified('AU', '+61 400 000 001', false)).toBe(false)
  expect([showsUnverified('GB', 'CANALRD', false), showsUnverified('US', 'CANALRD', false)]).toEqual([false, false])
})
