import { expect, it } from 'vitest'
import { Filters } from './cohort.ts'

it('a filter is a list; a single value is a list of one, and null is no filter', () => {
  const none = Filters.parse({})
  expect(Filters.parse({ age: '65+', loyalty: 3, adherence: null, molecules: null })).toEqual({
    ...none,
    ...{ age: ['65+'], loyalty: [3] },
  })
  for (const wrong of [{ age: 65 }, { age: { from: 65 } }, { loyalty: '3' }, { age: Array(51).fill('65+') }])
    expect([wrong, Filters.safeParse(wrong).success]).toEqual([wrong, false])
})
