import { expect, it } from 'vitest'
import { toTheCent } from './money.ts'

it.each([
  [0.1 + 0.2, 0.3],
  [12.345, 12.35],
  [12.344, 12.34],
  [1234, 1234],
  [-0.016, -0.02],
  [-0.001, 0],
])('%d is %d to the cent', (amount, cents) => {
  // A negative zero is another value than zero here.
  expect(toTheCent(amount)).toBe(cents)
})
