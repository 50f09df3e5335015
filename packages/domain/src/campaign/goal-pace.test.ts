import { describe, expect, test } from 'vitest'
import type { Goal } from './goal.ts'
import { type GoalState, goalPace, goalPlace, placeMeter } from './goal-pace.ts'

const state = (more: Partial<GoalState>): GoalState => ({
  current: null,
  compared: null,
  baseline: null,
  wholeBaseline: null,
  ...more,
})
const scripts: Goal = { type: 'scripts', measureBy: 'percentage', amount: 8 }
// 5,310 scripts in 48 days against 5,012 last year; 7,852 last year in all 75 days.
const far = state({ current: 5310, compared: 5310, baseline: 5012, wholeBaseline: 7852 })
const value = (5310 / 5012 - 1) * 100

describe('the marks of a meter', () => {
  test('start a percentage at last year’s same dates and end it above them', () => {
    const place = goalPlace(scripts, far)
    expect(place).toEqual({ start: 5012, now: 5310, goal: expect.closeTo(5412.96, 9) })
    expect(placeMeter(place)).toBeCloseTo(298 / 400.96, 9)
  })

  test('end a percentage above a year that refunds made negative, too', () => {
    const up: Goal = { type: 'revenue', measureBy: 'percentage', amount: 20 }
    const place = goalPlace(up, state({ current: -90, compared: -90, baseline: -100 }))
    expect(place).toEqual({ start: -100, now: -90, goal: -80 })
    expect(placeMeter(place)).toBe(0.5)
  })

  test('start a target at zero, and an increase at last year', () => {
    const revenue = state({ current: 36_000, compared: 36_000, baseline: 30_000 })
    const target: Goal = { type: 'revenue', measureBy: 'target', amount: 40_000 }
    expect(goalPlace(target, revenue)).toEqual({ start: 0, now: 36_000, goal: 40_000 })
    const by: Goal = { type: 'revenue', measureBy: 'value', amount: 8_000 }
    expect(goalPlace(by, revenue)).toEqual({ start: 30_000, now: 36_000, goal: 38_000 })
  })

  test('take adherence from the day before the start to the goal, in percent: 72 of 80 is not 90%', () => {
    const to: Goal = { type: 'adherence', measureBy: 'target', amount: 80 }
    const place = goalPlace(to, state({ current: 0.72, compared: 0.72, baseline: 0.72 }))
    expect(place).toEqual({ start: 72, now: 72, goal: 80 })
    expect(placeMeter(place)).toBe(0)
    const by: Goal = { type: 'adherence', measureBy: 'percentage', amount: 3 }
    expect(goalPlace(by, state({ current: 0.7, compared: 0.74, baseline: 0.72 }))).toEqual({
      ...{ start: 72, now: 74, goal: 75 },
    })
  })

  test('leave unknown values unknown, and a goal below its start has no way', () => {
    expect(goalPlace(scripts, state({ current: 5 }))).toEqual({ start: null, now: null, goal: null })
    for (const missing of ['start', 'now', 'goal'])
      expect(placeMeter({ start: 2, now: 5, goal: 8, [missing]: null })).toBeNull()
    expect(placeMeter({ start: 8, now: 9, goal: 8 })).toBeNull()
    expect(placeMeter({ start: 8, now: 7, goal: 9 })).toBe(0)
    expect(placeMeter({ start: 8, now: 12, goal: 9 })).toBe(1)
  })
})

describe('the pace that is needed', () => {
  test('for a percentage: 5.95% above last year so far, so the last 27 days need 11.63%', () => {
    const pace = goalPace(scripts, far, value, { days: 48, left: 27 })!
    expect(pace).toMatchObject({ unit: 'percent', days: 27, behind: true, soFar: expect.closeTo(5.946, 3) })
    expect(pace.needed).toBeCloseTo(11.625, 3)
  })

  test('for an amount: the rest over the days left', () => {
    const to: Goal = { type: 'revenue', measureBy: 'target', amount: 40_000 }
    expect(goalPace(to, state({ current: 30_000 }), 30_000, { days: 60, left: 20 })).toEqual({
      ...{ unit: 'a_day', needed: 500, soFar: 500, days: 20, behind: false },
    })
    // Before a day has passed there is no pace so far.
    expect(goalPace(to, state({ current: 30_000 }), 30_000, { days: 0, left: 20 })).toMatchObject({ soFar: null })
  })

  test('for adherence: points a week', () => {
    const by: Goal = { type: 'adherence', measureBy: 'percentage', amount: 3 }
    const now = state({ current: 0.74, compared: 0.74, baseline: 0.73 })
    expect(goalPace(by, now, 1, { days: 28, left: 14 })).toEqual({
      ...{ unit: 'points_a_week', needed: 1, soFar: 0.25, days: 14, behind: true },
    })
    const to: Goal = { type: 'adherence', measureBy: 'target', amount: 80 }
    expect(goalPace(to, state({ current: 0.74 }), 74, { days: 28, left: 14 })).toMatchObject({
      ...{ needed: 3, soFar: null, behind: false },
    })
  })

  test('is exact for every kind of goal, and being on pace is not behind', () => {
    const percent = state({ current: 999, compared: 110, baseline: 100, wholeBaseline: 200 })
    const raise: Goal = { type: 'visits', measureBy: 'percentage', amount: 25 }
    // 200 raised by 25% is 250: the 140 still missing are 40% above the 100 of last year's remaining days.
    expect(goalPace(raise, percent, 10, { days: 30, left: 12 })).toEqual({
      ...{ unit: 'percent', needed: 40, soFar: 10, days: 12, behind: true },
    })
    // 200 raised by 12.5% is 225: the remaining days need 15% more.
    expect(goalPace({ ...raise, amount: 12.5 }, percent, 10, { days: 30, left: 12 })).toMatchObject({
      ...{ needed: expect.closeTo(15, 9), soFar: 10, behind: true },
    })
    // Refunds made last year -200: raised by 20% it is -160, so the last 100 may fall by a tenth.
    const refunds = state({ compared: -250, baseline: -300, wholeBaseline: -200 })
    const up: Goal = { type: 'revenue', measureBy: 'percentage', amount: 20 }
    expect(goalPace(up, refunds, 16, { days: 30, left: 12 })).toEqual({
      ...{ unit: 'percent', needed: expect.closeTo(-10, 9), soFar: 16, days: 12, behind: false },
    })
    const by: Goal = { type: 'revenue', measureBy: 'value', amount: 8000 }
    expect(goalPace(by, state({ compared: 36_000, baseline: 30_000 }), 6000, { days: 40, left: 10 })).toEqual({
      ...{ unit: 'a_day', needed: 200, soFar: 150, days: 10, behind: true },
    })
    const to: Goal = { type: 'loyalty', measureBy: 'target', amount: 80 }
    expect(goalPace(to, state({ current: 0.74, baseline: 0.7 }), 74, { days: 28, left: 21 })).toEqual({
      ...{ unit: 'points_a_week', needed: 2, soFar: 1, days: 21, behind: true },
    })
    // $100.10 in 7 days and $42.90 in 3 are both $14.30 a day; floating point leaves them a hair apart.
    const even: Goal = { type: 'revenue', measureBy: 'target', amount: 143 }
    expect(goalPace(even, state({ current: 100.1 }), 100.1, { days: 7, left: 3 })).toMatchObject({ behind: false })
    expect(goalPace(even, state({ current: 100 }), 100, { days: 7, left: 3 })).toMatchObject({ behind: true })
  })

  test('is missing once reached, after the end, and without last year’s rest', () => {
    expect(goalPace(scripts, far, 8, { days: 48, left: 27 })).toBeNull()
    expect(goalPace(scripts, far, value, { days: 75, left: 0 })).toBeNull()
    for (const missing of ['compared', 'baseline', 'wholeBaseline'])
      expect(goalPace(scripts, { ...far, [missing]: null }, value, { days: 48, left: 27 })).toBeNull()
    expect(goalPace(scripts, { ...far, wholeBaseline: 5012 }, value, { days: 48, left: 27 })).toBeNull()
    expect(goalPace(scripts, far, null, { days: 48, left: 27 })).toBeNull()
  })
})
