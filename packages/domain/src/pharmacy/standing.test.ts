import { expect, test } from 'vitest'
import { standingOf } from './standing.ts'

test('the largest is first, equals share a rank, and the next rank counts all of them', () => {
  const all = [10, 30, 20, 20]
  expect(all.map((own) => standingOf(own, all).rank)).toEqual([4, 1, 2, 2])
})

test('a pharmacy without a value takes no part', () => {
  expect(standingOf(5, [5, null, 7])).toEqual({ rank: 2, ranked: 2 })
  expect(standingOf(null, [5, null, 7])).toEqual({ rank: null, ranked: 2 })
})
