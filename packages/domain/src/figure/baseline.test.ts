import { expect, test } from 'vitest'
import { performance, rateOfChange, ratio, yearBefore } from './baseline.ts'

test('rate of change: 120,000 against 110,000 is +0.0909', () => {
  expect(rateOfChange(120_000, 110_000)).toBeCloseTo(0.0909, 4)
  expect(rateOfChange(0, 110_000)).toBe(-1)
  expect(rateOfChange(120_000, 0)).toBeNull()
  expect(rateOfChange(120_000, null)).toBeNull()
  expect(rateOfChange(null, 110_000)).toBeNull()
  expect(rateOfChange(undefined, undefined)).toBeNull()
})

test('a fall from a negative figure is a fall', () => {
  expect(rateOfChange(-200, -100)).toBe(-1)
})

test('a denominator of 0 gives null, not 0', () => {
  expect(ratio(0, 0)).toBeNull()
  expect(ratio(0, 5)).toBe(0)
})

test('performance: .63 against .60 is +.05, null under 10 pairs', () => {
  expect(performance(0.63, 0.6, 10)).toBeCloseTo(0.05, 12)
  expect(performance(0.63, 0.6, 9)).toBeNull()
  expect(performance(0.63, null, 50)).toBeNull()
  expect(performance(null, 0.6, 50)).toBeNull()
  expect(performance(0.63, 0, 50)).toBeNull()
})

test('the year before is drawn like for like if at least half of the pharmacies are compared', () => {
  const some = { whole: 300, now: 200, prior: 160 }
  expect(yearBefore({ ...some, compared: 2, pharmacies: 4 })).toBe(240)
  expect(yearBefore({ ...some, compared: 1, pharmacies: 3 })).toBeNull()
  expect(yearBefore({ ...some, compared: 4, pharmacies: 4 })).toBe(160)
  expect(yearBefore({ ...some, now: 0, compared: 2, pharmacies: 4 })).toBeNull()
})
