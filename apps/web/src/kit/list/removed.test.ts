import { expect, it } from 'vitest'
import { isRemoved } from './removed.ts'

it('deleted rows are selected one by one, or by the filter of the list that shows them alone', () => {
  const [deleted, there] = [{ removed_at: '2026-11-20T00:00:00Z' }, { removed_at: null }]
  expect(isRemoved({ rows: [deleted], filter: null })).toBe(true)
  expect(isRemoved({ rows: [], filter: { removed: true } })).toBe(true)
  expect(isRemoved({ rows: [there], filter: null })).toBe(false)
  expect(isRemoved({ rows: [], filter: { removed: false } })).toBe(false)
  expect(isRemoved({ rows: [], filter: { name: 'flu' } })).toBe(false)
})
