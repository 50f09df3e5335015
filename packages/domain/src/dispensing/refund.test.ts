import { expect, test } from 'vitest'
import { isRefund } from './refund.ts'

test.each([
  [-3160, 0, true],
  [770, -2400, true],
  [-500, 500, false],
  [-500, 3000, false],
  [0, 0, false],
])('a line of %d and %d cents is a refund: %s', (patientPrice, government, refund) => {
  expect(isRefund({ patientPrice, government, reversed: false })).toBe(refund)
  expect(isRefund({ patientPrice, government, reversed: true })).toBe(false)
})
