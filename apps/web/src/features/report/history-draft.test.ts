import { day } from '@pillar/domain/time/day'
import { expect, it } from 'vitest'
import { afterSelectAll, blockedBy, found, type ReportPharmacy } from './history-draft.ts'

const PHARMACIES: ReportPharmacy[] = [
  { pharmacy_id: 'a', pharmacy_name: 'Coburg', state: 'VIC', contact: { name: 'Jo Nguyen', email: 'jo@example.test' } },
  { pharmacy_id: 'b', pharmacy_name: 'Unley', state: 'SA', contact: null },
  { pharmacy_id: 'c', pharmacy_name: 'Marrickville', state: 'NSW', contact: { name: 'Al', email: 'al@example.test' } },
]

it('says why no report can be made', () => {
  const today = day('2026-11-20')
  const values = { from: '2026-10-20', to: '2026-11-20', ids: ['a'] }
  expect(blockedBy(values, today, false)).toBe('')
  expect(blockedBy({ ...values, ids: [] }, today, false)).toBe('Select a pharmacy with a contact first')
  expect(blockedBy({ ...values, to: '' }, today, false)).toBe('Please choose an end date.')
  expect(blockedBy({ ...values, from: '2026-11-21' }, today, false)).toMatch(/not after the end/)
  expect(blockedBy({ ...values, ids: [] }, today, true)).toBe('None of the pharmacies has a contact set')
})

it('finds by name, state and contact', () => {
  const ids = (words: string) => found(PHARMACIES, words).map(({ pharmacy_id }) => pharmacy_id)
  expect(ids(' ')).toEqual(['a', 'b', 'c'])
  expect(ids('MARR')).toEqual(['c'])
  expect(ids('nguyen')).toEqual(['a'])
  expect(ids('sa')).toEqual(['b'])
})

it('selects all that are shown and have a contact, and takes them off again', () => {
  const all = afterSelectAll(PHARMACIES, new Set())
  expect([...all]).toEqual(['a', 'c'])
  expect([...afterSelectAll(PHARMACIES.slice(0, 2), all)]).toEqual(['c'])
  expect([...afterSelectAll(PHARMACIES.slice(1, 2), new Set(['c']))]).toEqual(['c'])
})
