import { expect, test } from 'vitest'
import { companyRemovalProblem } from './company.ts'

test('a company that still owns something cannot be removed, and the reason names only that', () => {
  const nothing = { pharmacies: 0, activeCampaigns: 0, liveRuns: 0 }
  expect(companyRemovalProblem('Saltbush', nothing)).toBe('')
  expect(companyRemovalProblem('Saltbush', { ...nothing, pharmacies: 1 })).toBe(
    'Saltbush still has 1 pharmacy. Please remove its pharmacies first.',
  )
  expect(companyRemovalProblem('Saltbush', { ...nothing, activeCampaigns: 1 })).toBe(
    'Saltbush still has 1 active campaign. Please deactivate its campaigns first.',
  )
  expect(companyRemovalProblem('Saltbush', { ...nothing, liveRuns: 1 })).toBe(
    'Saltbush still has 1 unfinished send. Please deactivate its campaigns first.',
  )
})
