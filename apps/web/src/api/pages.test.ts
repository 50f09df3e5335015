import { expect, it } from 'vitest'
import { nextPage, once } from './pages.ts'

it('leads to the next page, and to none from the last or from an empty list', () => {
  expect(nextPage({ current_page: 1, page_count: 3 })).toBe(2)
  expect(nextPage({ current_page: 3, page_count: 3 })).toBeUndefined()
  expect(nextPage({ current_page: 1, page_count: 0 })).toBeUndefined()
})

it('shows a row once that moved onto the next page between two reads', () => {
  const rows = [{ id: 'a' }, { id: 'b' }, { id: 'b' }, { id: 'c' }]
  expect(once(rows, ({ id }) => id).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
})
