import { expect, test } from 'vitest'
import { nextSearch } from './useListState.ts'

test('a change keeps the rest and returns to the first page', () => {
  expect(nextSearch({ page: 3, sort: 'name', state: ['NSW'] }, { sort: 'revenue' })).toEqual({
    sort: 'revenue',
    state: ['NSW'],
  })
})
test('a change of the page keeps everything; the first page is not written', () => {
  expect(nextSearch({ sort: 'name' }, { page: 2 })).toEqual({ sort: 'name', page: 2 })
  expect(nextSearch({ sort: 'name', page: 2 }, { page: 1 })).toEqual({ sort: 'name' })
})
test('empty values disappear; false and 0 stay', () => {
  expect(nextSearch({ a: 1, b: 2, c: 3, d: 4 }, { a: undefined, b: '', c: [], d: null })).toEqual({})
  expect(nextSearch({}, { a: false, b: 0 })).toEqual({ a: false, b: 0 })
})
test('the given search is not modified', () => {
  const current = { page: 3, a: 1 }
  nextSearch(current, { a: 2 })
  expect(current).toEqual({ page: 3, a: 1 })
})
