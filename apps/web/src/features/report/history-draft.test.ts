import { day } from '@pillar/domain/time/day'
import { expect, it } from 'vitest'
import { blockedBy } from './history-draft.ts'

it('says why no report can be made', () => {
  const today = day('2026-11-20')
  const values = { from: '2026-10-20', to: '2026-11-20', ids: ['a'] }
  expect(blockedBy(values, today, false)).toBe('')
  expect(blockedBy({ ...values, ids: [] }, today, false)).toBe('Select a pharmacy with a contact first')
  expect(blockedBy({ ...values, to: '' }, today, false)).toBe('Please choose an end date.')
  expect(blockedBy({ ...values, from: '2026-11-21' }, today, false)).toMatch(/not after the end/)
  expect(blockedBy({ ...values, ids: [] }, today, true)).toBe('None of the pharmacies has a contact set')
})
