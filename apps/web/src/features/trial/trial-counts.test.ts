import { expect, test } from 'vitest'
import { eligibleWords, invitedWords, leavingWords } from './trial-counts.ts'

test('a count of one is in the singular, and a count of none is left out', () => {
  expect(invitedWords('AU', { sms: 1, email: 0 })).toBe('1 patient gets a text')
  expect(invitedWords('AU', { sms: 1200, email: 1 })).toBe('1,200 patients get a text and 1 an email')
  expect(invitedWords('AU', { sms: 0, email: 3 })).toBe('3 patients get an email')
  expect(leavingWords('AU', { sms: 1, email: 0 })).toBe('1 text goes out')
  expect(leavingWords('AU', { sms: 0, email: 2 })).toBe('2 emails go out')
  expect(leavingWords('AU', { sms: 1, email: 1 })).toBe('1 text and 1 email go out')
  expect([1, 2].map((count) => eligibleWords('AU', count))).toEqual([
    '1 patient is eligible',
    '2 patients are eligible',
  ])
})
