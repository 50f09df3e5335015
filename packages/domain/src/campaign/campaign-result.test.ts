import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { t975 } from '../figure/student-t.ts'
import { smsCents } from '../message/sms-text.ts'
import {
  basisOf,
  differenceOfMeans,
  differenceRevenue,
  effectOf,
  holdoutRevenue,
  isHeldOut,
  METHOD_NAMES,
  type Moments,
  meanOf,
  momentsOf,
  resultOf,
  revenueRanks,
  roi,
  runRateRevenue,
} from './campaign-result.ts'
import vectors from './vector/welch.json' with { type: 'json' }

/** A group of n with this mean and spread: half a little above, half a little below. */
const group = (n: number, mean: number, spread = 0): Moments =>
  momentsOf(Array.from({ length: n }, (_, index) => mean + (index % 2 === 0 ? spread : -spread)))

describe('revenue', () => {
  test('the worked example: 900 treated, 100 held out', () => {
    const found = holdoutRevenue(group(900, 58.2), group(100, 52))!
    const cost = smsCents(900) / 100
    expect(found.revenue).toBeCloseTo(5580, 6)
    expect(cost).toBe(108)
    expect(roi(found.revenue, cost)).toBeCloseTo(50.67, 2)
    expect(found.change).toBeCloseTo(0.119, 3)
  })

  test('the interval is that of the difference of two means, times the treated', () => {
    const found = holdoutRevenue(group(900, 58.2, 30), group(100, 52, 20))!
    const error = Math.sqrt(900 / 899 + 400 / 99)
    // 1.97575 of Student's t with 153.3 degrees of freedom, not 1.96.
    expect(found.interval![0]).toBeCloseTo(5580 - 1.97575 * error * 900, -1)
    expect(found.interval![1] - found.revenue).toBeCloseTo(found.revenue - found.interval![0], 6)
  })

  test('99 controls are too few for a comparison', () => {
    expect(holdoutRevenue(group(900, 58), group(99, 52))).toBeNull()
    expect(holdoutRevenue(group(0, 0), group(100, 52))).toBeNull()
    expect(differenceRevenue(group(900, 6), group(99, 2), 1000)).toBeNull()
  })

  test('difference in differences removes the trend', () => {
    const found = differenceRevenue(group(200, 6), group(100, 2), 5000)!
    expect(found.revenue).toBeCloseTo(800, 9)
    expect(found.change).toBeCloseTo(800 / 4200, 9)
  })

  test('a run-rate has no interval, and no comparison group', () => {
    expect(runRateRevenue(120, 900, 600)).toEqual({
      ...{ method: 'run_rate', revenue: 300, interval: null, change: 0.5, messaged: 120, compared: null },
    })
    expect(runRateRevenue(120, 900, 0)!.change).toBeNull()
    // Refunds can make negative what was expected.
    expect(holdoutRevenue(group(900, 10), group(100, -5))!.change).toBeNull()
    expect(runRateRevenue(0, 0, 0)).toBeNull()
  })

  test('without cost there is no ROI', () => {
    expect([roi(10, 0), roi(null, 5), roi(0, 5)]).toEqual([null, null, -1])
  })
})

describe('the result shown', () => {
  const rate = (messaged: number) => runRateRevenue(messaged, 900, 600)

  test('is the best method with 100 messaged patients', () => {
    const held = holdoutRevenue(group(900, 58), group(100, 52))
    expect(resultOf([rate(880), null, held], 900)).toMatchObject({ found: { method: 'holdout' }, messaged: 900 })
    const small = holdoutRevenue(group(99, 58), group(100, 52))
    expect(resultOf([small, rate(120)], 120)).toMatchObject({ found: { method: 'run_rate' }, messaged: 120 })
  })

  test('is too few to tell for 22 messaged patients, and for 99', () => {
    const few = (messaged: number) => ({ found: null, reason: 'too_few', messaged })
    expect(resultOf([rate(22)], 22)).toEqual(few(22))
    expect(resultOf([holdoutRevenue(group(99, 58), group(400, 52)), rate(99)], 99)).toEqual(few(99))
    expect(resultOf([rate(100)], 100).reason).toBeNull()
    // Messaged but not measured yet: even with them the group would be too small.
    expect(resultOf([null, null], 40)).toEqual(few(40))
    // Many were messaged, but few of them have a year of history.
    expect(resultOf([null, rate(60)], 500)).toEqual(few(60))
  })

  test('has its basis: the method’s name, and the patients compared', () => {
    const compared = resultOf([holdoutRevenue(group(900, 58), group(100, 52))], 900)
    expect(basisOf(compared)).toEqual({
      ...{ reason: null, method: 'holdout', method_name: METHOD_NAMES.holdout, n_messaged: 900, n_compared: 100 },
      ...{ low: compared.found!.interval![0], high: compared.found!.interval![1] },
    })
    expect(basisOf(resultOf([rate(22)], 22))).toEqual({
      ...{
        reason: 'too_few',
        method: null,
        method_name: null,
        low: null,
        high: null,
        n_messaged: 22,
        n_compared: null,
      },
    })
  })

  test('is rounded to whole cents', () => {
    expect(0.3 - 0.1).not.toBe(0.2)
    const { found } = resultOf([runRateRevenue(150, 0.3, 0.1)], 150)
    expect(found?.revenue).toBe(0.2)
    const compared = resultOf([holdoutRevenue(group(300, 58.123, 30), group(150, 52.01, 20))], 300).found!
    expect(compared.interval![0]).toBeLessThan(compared.interval![1])
    for (const amount of [compared.revenue, ...compared.interval!]) expect(amount).toBe(Number(amount.toFixed(2)))
  })

  test('says so if nothing has been sent, or nothing sold since', () => {
    expect(resultOf([null], 0)).toEqual({ found: null, reason: 'not_started', messaged: 0 })
    expect(resultOf([null], 500)).toEqual({ found: null, reason: 'no_data', messaged: 500 })
  })

  test('is no effect if its interval includes zero', () => {
    expect(effectOf({ low: 1, high: 9 })).toBe('more')
    expect(effectOf({ low: -9, high: -1 })).toBe('less')
    expect([effectOf({ low: -1, high: 9 }), effectOf({ low: 0, high: 0 })]).toEqual(['chance', 'chance'])
  })
})

describe('intervals', () => {
  /** The same values as vector/welch.R generates. */
  const valuesOf = (n: number, mean: number, spread: number, step: number) =>
    Array.from(
      { length: n },
      (_, at) => mean + spread * Math.sin(step * (at + 1)) + (spread / 3) * Math.cos(1.3 * step * (at + 1)),
    )

  test.each(vectors.welch)('agree with R’s t.test: $n patients', ({ n, mean, spread, step, estimate, low, high }) => {
    const groups = [0, 1].map((at) => momentsOf(valuesOf(n[at]!, mean[at]!, spread[at]!, step[at]!)))
    const [treated, others] = groups as [Moments, Moments]
    const found = differenceOfMeans(treated, others)
    expect(Math.abs(found.difference - estimate)).toBeLessThan(1e-9)
    expect(Math.abs(found.low - low)).toBeLessThan(1e-9)
    expect(Math.abs(found.high - high)).toBeLessThan(1e-9)
    const revenue = holdoutRevenue(treated, others)!
    expect(Math.abs(revenue.interval![0] / treated.n - low)).toBeLessThan(1e-9)
    const change = differenceRevenue(treated, others, 1e6)!
    expect(Math.abs(change.interval![1] / treated.n - high)).toBeLessThan(1e-9)
  })

  test.each(vectors.t975)(
    'use the same quantile of Student’s t with %d degrees of freedom as R’s qt',
    (df, quantile) => {
      expect(Math.abs(t975(df!) - quantile!)).toBeLessThan(1e-9)
    },
  )

  test('exist for a single mean as well', () => {
    // Eleven values 0..10: standard error 1, and 2.2281 of t with 10 degrees of freedom.
    expect(meanOf(momentsOf([5]))).toEqual({ mean: 5, low: 5, high: 5 })
    const found = meanOf(momentsOf(Array.from({ length: 11 }, (_, at) => at)))
    expect(found.mean).toBe(5)
    expect(found.low).toBeCloseTo(5 - 2.228138852, 8)
    expect(found.high).toBeCloseTo(5 + 2.228138852, 8)
  })
})

describe('ranks', () => {
  test('are by revenue, with unknown last, and ties by name', () => {
    const rows = [
      { name: 'B', revenue: 5 },
      { name: 'D', revenue: null },
      { name: 'A', revenue: 5 },
      { name: 'C', revenue: -1 },
      { name: 'E', revenue: 9 },
    ]
    expect(revenueRanks(rows)).toEqual([3, 5, 2, 4, 1])
    expect(revenueRanks([])).toEqual([])
  })
})

describe('properties', () => {
  test('a holdout takes its share, stable per campaign and different between campaigns', () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => String(index))
    const held = ids.filter((id) => isHeldOut(id, 'c1', 0.1))
    expect(held.length / ids.length).toBeGreaterThan(0.09)
    expect(held.length / ids.length).toBeLessThan(0.11)
    expect(held.every((id) => isHeldOut(id, 'c1', 0.2))).toBe(true)
    const both = held.filter((id) => isHeldOut(id, 'c2', 0.1)).length / held.length
    expect(both).toBeGreaterThan(0.06)
    expect(both).toBeLessThan(0.14)
    expect(ids.some((id) => isHeldOut(id, 'c1', 0))).toBe(false)
    expect(ids.every((id) => isHeldOut(id, 'c1', 1))).toBe(true)
  })

  test('a holdout is the same people in every version: otherwise a running campaign would message those it left out', () => {
    const campaign = '01980000-0000-7000-8000-00000000000a'
    const held = Array.from({ length: 120 }, (_, at) => at).filter((at) => isHeldOut(`17/P${at}`, campaign, 0.1))
    expect(held).toEqual([8, 35, 57, 71, 81, 86, 87, 100, 101, 102, 112])
  })

  test('zero lift is measured as zero, and a known lift lies inside its interval', () => {
    const values = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 100, maxLength: 150 })
    fc.assert(
      fc.property(values, fc.integer({ min: -20, max: 20 }), (controls, lift) => {
        const treated = momentsOf(controls.map((value) => value + lift))
        const found = holdoutRevenue(treated, momentsOf(controls))!
        expect(found.revenue).toBeCloseTo(lift * controls.length, 4)
        expect(found.interval![0]).toBeLessThanOrEqual(lift * controls.length + 1e-6)
        expect(found.interval![1]).toBeGreaterThanOrEqual(lift * controls.length - 1e-6)
      }),
    )
  })
})
