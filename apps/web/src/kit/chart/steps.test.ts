import { formatMoneyCompact } from '@pillar/domain/time/locale'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { finestOf, roundUp, stepAt, stepNames, stepsOf, ticksOf } from './steps.ts'

test('a scale has round numbers', () => {
  expect([0, 0.25, 1, 1.2, 2.2, 7, 86_000].map((value) => roundUp(value))).toEqual([0, 0.25, 1, 1.5, 2.5, 8, 100_000])
})

test('values near zero begin at zero, others at a round number below the minimum', () => {
  expect(stepsOf([12_000, 86_000])).toEqual([
    { from: 0, to: 20_000 },
    { from: 20_000, to: 40_000 },
    { from: 40_000, to: 60_000 },
    { from: 60_000, to: 80_000 },
    { from: 80_000, to: 100_000 },
  ])
  expect(stepsOf([71, 76])[0]).toEqual({ from: 71, to: 72 })
  expect(stepsOf([null])).toEqual([])
})

test('values that differ only by rounding share a step', () => {
  const values = [999999999.999994, 999999999.9999944]
  const steps = stepsOf(values)
  expect(values.map((value) => stepAt(value, steps))).toEqual([0, 0])
})

test('every value lies in its step, and there are at most five steps', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 30 }), (values) => {
      const steps = stepsOf(values)
      expect(steps.length).toBeLessThanOrEqual(5)
      for (const value of values) {
        const { from, to } = steps[stepAt(value, steps)]!
        expect(value).toBeGreaterThanOrEqual(from * (1 - 1e-9))
        expect(value).toBeLessThanOrEqual(to * (1 + 1e-9))
      }
    }),
  )
})

const whole = (value: number) => String(Math.round(value))
const percent = (digits: number) => (value: number) => `${(value * 100).toFixed(digits)}%`

test('the smallest amount a format shows is read from its output', () => {
  const thousands = (value: number) => `$${Math.round(value / 1000)}k`
  expect([whole, percent(0), percent(1), thousands].map((one) => finestOf(one))).toEqual([1, 0.01, 0.001, 1000])
  // A whole number if possible, else with a digit: 0.01 is written as 0.0.
  expect(finestOf((value) => value.toFixed(Number.isInteger(value) ? 0 : 1))).toBe(0.1)
})

test('where a format has fewer decimals for large values, steps are as coarse as it is there', () => {
  const money = (value: number) => formatMoneyCompact('AU', value)
  expect([0, 812, 8130, 81_300, 813_000, 8_130_000].map((most) => finestOf(money, most))).toEqual([
    1, 1, 10, 100, 1000, 10_000,
  ])
  const ticks = ticksOf(81_312, 81_487, 6, finestOf(money, 81_487))
  expect(ticks.map(money)).toEqual(['$81.3k', '$81.4k', '$81.5k'])
})

test('no two ticks of an axis look the same, and each is where its number says', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -50, max: 50, noNaN: true }),
      fc.double({ min: 0, max: 20, noNaN: true }),
      fc.constantFrom(3, 4, 5, 6),
      (low, span, most) => {
        const ticks = ticksOf(low, low + span, most, 1)
        for (const tick of ticks) expect(Number(whole(tick))).toBeCloseTo(tick, 9)
        expect(new Set(ticks.map(whole)).size).toBe(ticks.length)
      },
    ),
  )
  expect(ticksOf(0, 7, 5, finestOf(whole))).toEqual([0, 2, 4, 6, 8])
  expect(ticksOf(0.9, 0.93, 6, finestOf(percent(0)))).toEqual([0.9, 0.91, 0.92, 0.93])
})

test('small counts use whole steps', () => {
  expect(stepNames(stepsOf([0, 1, 2], 1), whole)).toEqual(['under 1', '1 and over'])
  expect(stepsOf([0, 0], 1)).toHaveLength(1)
})
