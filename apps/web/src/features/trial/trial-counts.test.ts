import { expect, test } from 'vitest'
import { eligibleWords, invitedWords, leavingWords } from './trial-counts.ts'

test('a count of one is in the singular', () => {
  expect(invitedWords('AU', { sms: 1, email: 0 })).toBe('1 gets a text and 0 an email')
  expect(invitedWords('AU', { sms: 1200, email: 1 })).toBe('1,200 get a text and 1 an email')
  expect(leavingWords('AU', { sms: 1, email: 0 })).toBe('1 text and 0 emails go out')
  expect(leavingWords('AU', { sms: 1, email: 1 })).toBe('1 text and 1 email go out')
  expect([1, 2].map((count) => eligibleWords('AU', count))).toEqual([
    '1 patient is eligible',
    '2 patients are eligible',
  ])
})
