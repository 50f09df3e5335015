import { expect, test } from 'vitest'
import { attemptsRemaining, delayAfter } from './throttle.ts'

test('from the 5th failure the wait is 1, 2, 4 seconds and so on, up to 15 minutes', () => {
  expect(Array.from({ length: 17 }, (_, failures) => delayAfter(failures))).toEqual([
    0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900,
  ])
  expect(delayAfter(100_000)).toBe(900)
})

test('attempts remaining count down from 5', () => {
  expect([0, 1, 4, 5, 9].map(attemptsRemaining)).toEqual([5, 4, 1, 0, 0])
})
