import type { ResultBasis } from '@pillar/contract/campaign/result'
import { expect, test } from 'vitest'
import { selectedWords } from './stats-words.ts'

const basis: ResultBasis = {
  ...{ reason: null, method: 'holdout', method_name: 'Holdout', low: 1, high: 2 },
  ...{ n_messaged: 1437, n_compared: 296 },
}

test('says who was messaged, and who was held out at random', () => {
  const words = (more: Partial<ResultBasis> = {}) => selectedWords('AU', { ...basis, ...more })
  expect(words()).toBe('1,733 patients: 1,437 messaged, 296 held out at random')
  expect(words({ method: 'difference_in_differences' })).toBe('1,437 patients messaged')
  expect(words({ method: 'run_rate', n_compared: null, n_messaged: 1 })).toBe('1 patient messaged')
  expect(words({ method: null, n_messaged: 0, n_compared: null })).toBe('')
})
