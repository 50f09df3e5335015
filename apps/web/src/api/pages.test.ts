import { expect, it } from 'vitest'
import { nextPage, once } from './pages.ts'

it('gives the next page, and none after the last or for an empty list', () => {
  expect(nextPage({ current_page: 1, page_count: 3 })).toBe(2)
  expect(nextPage({ current_page: 3, page_count: 3 })).toBeUndefined()
  expect(nextPage({ current_page: 1, page_count: 0 })).toBeUndefined()
})

it('shows a row once if it moved to the next page between two reads', () => {
  const rows = [{ id: 'a' }, { id: 'b' }, { id: 'b' }, { id: 'c' }]
  expect(once(rows, ({ id }) => id).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
})
