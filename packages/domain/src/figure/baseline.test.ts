import { expect, test } from 'vitest'
import { averageOf, performance, rateOfChange, ratio } from './baseline.ts'

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

test('nothing to divide by is null, not 0', () => {
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

const small = { revenue: 100, scripts: 10, measuredScripts: 10, adherentScripts: 2, here: 8, leaked: 2 }
const large = { revenue: 500, scripts: 90, measuredScripts: 90, adherentScripts: 88, here: 40, leaked: 0 }

test('averages: mean counts and money, pooled ratios', () => {
  expect(averageOf([small, large])).toEqual({ revenue: 300, scripts: 50, adherentPercent: 0.9, loyaltyPercent: 0.96 })
  expect(averageOf([])).toBeNull()
  expect(averageOf([{ ...small, measuredScripts: 0, here: 0, leaked: 0 }])).toMatchObject({
    adherentPercent: null,
    loyaltyPercent: null,
  })
})
