import { expect, test } from 'vitest'
import { tilePlaces } from './tile-places.ts'

test('areas outside the map begin at the top, or below the map if there is one, without gaps', () => {
  expect(tilePlaces(['MA', 'NY', 'CA', 'TX', 'WY'])).toEqual([
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 1],
    [1, 2],
  ])
  expect(tilePlaces(['NSW', 'Norfolk Island', 'TAS', 'Cocos Islands'])).toEqual([
    [3, 2],
    [1, 5],
    [3, 4],
    [2, 5],
  ])
  expect(tilePlaces([])).toEqual([])
})
