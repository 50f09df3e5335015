import fc from 'fast-check'
import { expect, test } from 'vitest'
import { roundUp, stepAt, stepsOf } from './steps.ts'

test('a scale is marked with round numbers', () => {
  expect([0, 0.25, 1, 1.2, 2.2, 7, 86_000].map(roundUp)).toEqual([0, 0.25, 1, 1.5, 2.5, 8, 100_000])
})

test('values near zero begin at zero, others at a round number below the least', () => {
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

test('values that differ by a rounding alone share a step', () => {
  const values = [999999999.999994, 999999999.9999944]
  const steps = stepsOf(values)
  expect(values.map((value) => stepAt(value, steps))).toEqual([0, 0])
})

test('every value lies in its step, and there are six steps at most', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 30 }), (values) => {
      const steps = stepsOf(values)
      expect(steps.length).toBeLessThanOrEqual(6)
      for (const value of values) {
        const { from, to } = steps[stepAt(value, steps)]!
        expect(value).toBeGreaterThanOrEqual(from * (1 - 1e-9))
        expect(value).toBeLessThanOrEqual(to * (1 + 1e-9))
      }
    }),
  )
})
