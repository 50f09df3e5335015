import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { day } from '../time/day.ts'
import {
  daysLeft,
  formatGoalAmount,
  GOAL_TYPES,
  type Goal,
  goalAffix,
  goalKpi,
  goalText,
  goalValue,
  isRed,
  keptMeasure,
  MEASURES,
  madeGoal,
  measuresFor,
} from './goal.ts'
import { placeMeter } from './goal-pace.ts'

const goal = (type: Goal['type'], measureBy: Goal['measureBy'], amount: number): Goal => ({ type, measureBy, amount })

describe('goals', () => {
  test('revenue and scripts: target, percentage, value', () => {
    expect(goalValue(goal('revenue', 'target', 40_000), 18_420, 15_000)).toBe(18_420)
    expect(goalValue(goal('revenue', 'percentage', 20), 18_000, 15_000)).toBeCloseTo(20, 12)
    expect(goalValue(goal('scripts', 'value', 100), 612, 500)).toBe(112)
    expect(goalValue(goal('scripts', 'percentage', 5), 612, 0)).toBeNull()
    expect(goalValue(goal('scripts', 'value', 5), 612, null)).toBeNull()
    expect(goalValue(goal('scripts', 'target', 5), 612, null)).toBe(612)
    expect(goalValue(goal('scripts', 'target', 5), null, 3)).toBeNull()
    // If refunds make last year's revenue negative, a rise is still a rise.
    expect(goalValue(goal('revenue', 'percentage', 20), 500, -100)).toBe(600)
    expect(goalValue(goal('revenue', 'percentage', 20), -300, -100)).toBe(-200)
    // 10.3 - 10.1 is 0.20000000000000107.
    expect(goalValue(goal('revenue', 'value', 5), 10.3, 10.1)).toBe(0.2)
    // And never negative zero, which would be written '-$0.00'.
    expect(goalValue(goal('revenue', 'value', 5), 10, 10.001)).toBe(0)
  })

  test('adherence and loyalty: targets in percent, changes in points, also from zero', () => {
    expect(goalValue(goal('adherence', 'target', 80), 0.62, null)).toBe(62)
    expect(goalValue(goal('adherence', 'percentage', 3), 0.641, 0.62)).toBeCloseTo(2.1, 12)
    expect(goalValue(goal('loyalty', 'percentage', 3), 0.05, 0)).toBe(5)
  })

  test('a goal is reached at the exact amount despite floating point', () => {
    const points = goal('adherence', 'percentage', 3)
    const value = goalValue(points, 0.83, 0.8)!
    expect(value).toBeLessThan(3)
    expect(madeGoal(points, value)).toBe(true)
    expect(madeGoal(points, 2.9999)).toBe(false)
    expect(madeGoal(points, null)).toBe(false)
  })

  test('value is not offered for adherence and loyalty, and selecting them clears it', () => {
    expect(measuresFor('adherence')).toEqual(['target', 'percentage'])
    expect(measuresFor('revenue')).toEqual(MEASURES)
    expect(keptMeasure('loyalty', 'value')).toBeNull()
    expect(keptMeasure('loyalty', 'target')).toBe('target')
    expect(keptMeasure('scripts', 'value')).toBe('value')
    expect(keptMeasure('scripts', null)).toBeNull()
  })

  test('goals in words', () => {
    expect(goalText('AU', goal('revenue', 'target', 40_000))).toBe('Revenue to $40,000')
    expect(goalText('GB', goal('revenue', 'value', 1234.5))).toBe('Revenue by £1,234.50')
    expect(goalText('AU', goal('revenue', 'percentage', 6))).toBe('Revenue by 6.00%')
    expect(goalText('AU', goal('adherence', 'target', 80))).toBe('Adherence to 80.00%')
    expect(goalText('AU', goal('loyalty', 'percentage', 3))).toBe('Loyalty by 3.00%')
    expect(goalText('AU', goal('scripts', 'value', 1200))).toBe('Scripts by 1,200')
    expect(formatGoalAmount('AU', goal('adherence', 'target', 1), null)).toBe('–')
    expect(goalAffix('GB', goal('revenue', 'target', 1))).toEqual({ prefix: '£', suffix: '' })
    expect(goalAffix('AU', goal('revenue', 'percentage', 1))).toEqual({ prefix: '', suffix: '%' })
    expect(goalAffix('AU', goal('scripts', 'value', 1))).toEqual({ prefix: '', suffix: '' })
  })

  test('changes compare with the baseline', () => {
    expect(goalKpi('adherence', 0.641, 0.62)).toBeCloseTo(2.1, 12)
    expect(goalKpi('scripts', 1061, 1000)).toBeCloseTo(0.061, 12)
    expect(goalKpi('visits', 5, 0)).toBeNull()
    expect(goalKpi('loyalty', null, 0.5)).toBeNull()
  })

  test('days left turn red at seven', () => {
    const left = (end: string) => daysLeft(day(end), day('2026-11-20'))
    expect([left('2026-12-07'), left('2026-11-27'), left('2026-11-20'), left('2026-11-01')]).toEqual([17, 7, 0, 0])
    expect(daysLeft(null, day('2026-11-20'))).toBeNull()
    expect([8, 7, 0, null].map(isRed)).toEqual([false, true, true, false])
  })

  test('property: a full meter means a target is reached', () => {
    const amounts = fc.double({ min: 0.01, max: 1e6, noNaN: true })
    const values = fc.double({ min: -1e6, max: 2e6, noNaN: true })
    fc.assert(
      fc.property(
        fc.constantFrom(...GOAL_TYPES),
        fc.constantFrom(...MEASURES),
        amounts,
        values,
        (type, by, amount, v) => {
          const meter = placeMeter({ start: 0, now: v, goal: amount })!
          expect(meter).toBeGreaterThanOrEqual(0)
          expect(meter).toBeLessThanOrEqual(1)
          if (meter === 1) expect(madeGoal(goal(type, by, amount), v)).toBe(true)
          if (madeGoal(goal(type, by, amount), v)) expect(meter).toBeGreaterThan(1 - 1e-6)
        },
      ),
    )
  })
})
