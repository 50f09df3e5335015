import { expect, it } from 'vitest'
import type { z } from 'zod'
import { type Call, contract } from '../index.ts'
import { pageField, pagesOf, searchField, windowOf } from './paging.ts'

const lists = Object.entries(contract).flatMap(([noun, calls]) =>
  Object.entries(calls as Record<string, Call>).flatMap(([name, call]) => {
    const shape = (call.input as Partial<z.ZodObject>).shape ?? {}
    const isList = call.kind === 'read' && 'page' in shape
    const fields = ['search_term', 'name'].filter((field) => isList && field in shape)
    return fields.map((field) => ({ call, field, what: `${field} of ${noun}.${name}` }))
  }),
)

it('a search field that is null or left out finds everything, in every list', () => {
  const wrong = lists.filter(({ call, field }) => {
    const { [field]: _, ...rest } = call.example as Record<string, unknown>
    return [{ ...rest, [field]: null }, rest].some((asked) => {
      const { success, data } = call.input.safeParse(asked)
      // Some lists filter by name as well as by the search; there, null means no filter.
      return !success || !['', null, undefined].includes((data as Record<string, string | null | undefined>)[field])
    })
  })
  expect(lists.length).toBeGreaterThan(20)
  expect(wrong.map(({ what }) => what)).toEqual([])
})

it('a search field accepts typed text of up to 200 characters', () => {
  for (const [typed, found] of [
    ['Sturt', 'Sturt'],
    [null, ''],
    [undefined, ''],
  ] as const)
    expect(searchField.parse(typed)).toBe(found)
  expect([200, 201].map((length) => searchField.safeParse('x'.repeat(length)).success)).toEqual([true, false])
})

it('a page has 20 rows, and an empty list has one page', () => {
  expect([0, '0', 1, '2'].map((page) => pageField.safeParse(page).success)).toEqual([false, false, true, true])
  expect([0, 1, 20, 21].map((total) => pagesOf(1, total).page_count)).toEqual([1, 1, 1, 2])
  expect(pagesOf(2, 21)).toEqual({ current_page: 2, page_count: 2, per_page: 20, total: 21 })
  expect([windowOf(1), windowOf(2)]).toEqual([
    { limit: 20, offset: 0 },
    { limit: 20, offset: 20 },
  ])
})
