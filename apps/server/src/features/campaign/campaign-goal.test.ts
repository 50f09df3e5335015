import { expect, it } from 'vitest'
import type { GoalSums } from '../attribution/campaign-stat.queries.ts'
import { progressOf } from './campaign-goal.ts'

it('a revenue goal adds up its pharmacies in whole cents', () => {
  const rows = [10, 20].map((cents) => ({ started: true, cents, base_cents: 0 }) as GoalSums)
  const aim = { goal_type: 'revenue', goal: 5, start_day: null, end_day: null } as const
  expect(0.1 + 0.2).not.toBe(0.3)
  for (const measure_by of ['target', 'value'] as const) expect(progressOf(rows, { ...aim, measure_by })).toBe(0.3)
})
