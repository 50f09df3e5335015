import type { ResultBasis } from '@pillar/contract/campaign/result'
import { expect, test } from 'vitest'
import { basisWords, pointsText, selectedWords, statsFigures } from './stats-words.ts'

const basis: ResultBasis = {
  ...{ reason: null, method: 'holdout', method_name: 'Holdout', low: 1, high: 2 },
  ...{ n_messaged: 1437, n_compared: 296 },
}

test('says who was messaged, and who was held out at random', () => {
  const words = (more: Partial<ResultBasis> = {}, no_holdout = false) =>
    selectedWords('AU', { ...basis, ...more }, { no_holdout })
  expect(words()).toBe('1,733 patients: 1,437 messaged, 296 held out at random')
  expect(words({ method: 'difference_in_differences' })).toBe('1,437 patients messaged')
  expect(words({ method: 'difference_in_differences' }, true)).toBe(
    '1,437 patients messaged. Nobody is held out: this campaign keeps nobody back at random.',
  )
  expect(words({}, true)).toBe('1,733 patients: 1,437 messaged, 296 held out at random')
  expect(words({ method: 'run_rate', n_compared: null, n_messaged: 1 })).toBe('1 patient messaged')
  expect(words({ method: null, n_messaged: 0, n_compared: null })).toBe('')
})

test('says how a result was found and how sure it is, or that there are too few to tell', () => {
  expect(basisWords('AU', basis)).toMatch(/^Holdout \(1,437 messaged, 296 compared\), .+ \(95%\)$/)
  expect(basisWords('AU', { ...basis, reason: 'too_few', n_messaged: 3 })).toMatch(/^too few to tell \(/)
  expect(basisWords('AU', { ...basis, low: null })).toBe('Holdout (1,437 messaged, 296 compared)')
})

test('every figure of a pharmacy has its own name', () => {
  const row = {
    ...{ roi: 3.2, current_goal_value: 41, sms_delivered: 120, email_delivered: 35, templates: 2 },
    ...{ adherence_kpi: 1.25, loyalty_kpi: -0.5, scripts_kpi: 0.12, visits_kpi: -0.03 },
  } as Parameters<typeof statsFigures>[0]
  const goal = { goal_type: 'scripts', measure_by: 'target', goal: 300 } as const
  const shown = statsFigures(row, goal, 'AU').map(({ label, value }) => [label, value])
  expect(Object.fromEntries(shown)).toMatchObject({
    ...{ Current: '41', Goal: '300', 'SMS delivered': '120', 'Email delivered': '35', Templates: '2' },
    ...{ Adherence: '+1.25 pts', Loyalty: '−0.50 pts', Scripts: '+12.00%', Visits: '−3.00%' },
  })
  expect(pointsText('AU', 0.001)).toBe('0.00 pts')
  expect(pointsText('AU', null)).toBe('–')
})
