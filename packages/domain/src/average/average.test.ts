import { expect, test } from 'vitest'
import { IMPLIED, isGroup, isSafe, threeDigits } from './average.ts'

const holding = (company: number, amount: number, pharmacies = 2) => ({ company, amount, pharmacies })

test('safe: 5 pharmacies of 3 companies, none over half', () => {
  expect(isSafe([holding(1, 50), holding(2, 30), holding(3, 20, 1)])).toBe(true)
  expect(isSafe([holding(1, 50, 1), holding(2, 30), holding(3, 20, 1)])).toBe(false)
  expect(isSafe([holding(1, 50, 3), holding(2, 50, 3)])).toBe(false)
  expect(isSafe([holding(1, 51), holding(2, 30), holding(3, 19)])).toBe(false)
})

test('for what can be derived from a figure: 3 companies, none over four fifths', () => {
  expect(isSafe([holding(1, 80, 1), holding(2, 10, 1), holding(3, 10, 1)], IMPLIED)).toBe(true)
  expect(isSafe([holding(1, 81, 1), holding(2, 10, 1), holding(3, 9, 1)], IMPLIED)).toBe(false)
  expect(isSafe([holding(1, 60, 3), holding(2, 40, 3)], IMPLIED)).toBe(false)
})

test('a company without any of it does not count', () => {
  expect(isSafe([holding(1, 50, 3), holding(2, 50, 3), holding(3, 0, 0)])).toBe(false)
  expect(isSafe([holding(1, 0, 0), holding(2, 0, 0)])).toBe(true)
  expect(isSafe([])).toBe(true)
})

test('refunds count by their size: of 80, 60 refunded and 20, one has half', () => {
  expect(isSafe([holding(1, 80), holding(2, -60), holding(3, 20)])).toBe(true)
  expect(isSafe([holding(1, 81), holding(2, -60), holding(3, 20)])).toBe(false)
})

test('a group: without the company asking, 5 pharmacies of 3 others are left', () => {
  expect(isGroup([24, 3, 1, 1])).toBe(true)
  expect(isGroup([24, 2, 1, 1])).toBe(false)
  expect(isGroup([3, 3, 3])).toBe(false)
  expect(isGroup([3, 3, 3, 0])).toBe(false)
  expect(isGroup([2, 2, 2, 2, 0])).toBe(true)
  expect(isGroup([])).toBe(false)
})

test('figures have three significant digits', () => {
  expect([123_456, 0.98765, 7, 0, null].map(threeDigits)).toEqual([123_000, 0.988, 7, 0, null])
  // 63 of 80 is exactly 0.7875, and a hair less in floating point: as on the screen, the half is rounded up.
  expect([63 / 80, -63 / 80, 148.5, 0.78749].map(threeDigits)).toEqual([0.788, -0.788, 149, 0.787])
})
