import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { smsCents } from '../message/sms-text.ts'
import {
  bestRevenue,
  type CampaignRevenue,
  differenceRevenue,
  holdoutRevenue,
  isHeldOut,
  type Moments,
  momentsOf,
  revenueRanks,
  roi,
} from './campaign-result.ts'

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
    expect(found.interval![0]).toBeCloseTo(5580 - 1.96 * error * 900, -1)
    expect(found.interval![1] - found.revenue).toBeCloseTo(found.revenue - found.interval![0], 6)
  })

  test('with 99 controls there is no comparison', () => {
    expect(holdoutRevenue(group(900, 58), group(99, 52))).toBeNull()
    expect(holdoutRevenue(group(0, 0), group(100, 52))).toBeNull()
    expect(differenceRevenue(group(900, 6), group(99, 2), 1000)).toBeNull()
  })

  test('difference in differences removes the trend', () => {
    const found = differenceRevenue(group(200, 6), group(100, 2), 5000)!
    expect(found.revenue).toBeCloseTo(800, 9)
    expect(found.change).toBeCloseTo(800 / 4200, 9)
  })

  test('the best method wins; no cost no roi', () => {
    const rate: CampaignRevenue = { method: 'run_rate', revenue: 1, interval: null, change: null }
    const held = holdoutRevenue(group(900, 58), group(100, 52))
    expect(bestRevenue([rate, null, held])?.method).toBe('holdout')
    expect(bestRevenue([rate, null])?.method).toBe('run_rate')
    expect(bestRevenue([null])).toBeNull()
    expect([roi(10, 0), roi(null, 5), roi(0, 5)]).toEqual([null, null, -1])
  })
})

describe('windows, touches, ranks', () => {
  test('ranks by revenue, unknown last, ties by name', () => {
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
