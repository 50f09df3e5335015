import { expect, test } from 'vitest'
import { placeLabels, shareText } from './doughnut-labels.ts'

const at = (index: number, y: number, right = true) => ({ index, y, right })

test('labels of one side are pushed apart, those of the other side stay', () => {
  const placed = placeLabels([at(0, 100), at(1, 110), at(2, 105, false)], 34, 280)
  expect(placed).toEqual([at(0, 100), at(1, 134), at(2, 105, false)])
})

test('labels stay within the picture', () => {
  expect(placeLabels([at(0, 270), at(1, 275)], 34, 280).map(({ y }) => y)).toEqual([229, 263])
  expect(placeLabels([at(0, -5)], 34, 280)[0]?.y).toBe(17)
})

test('a share is a whole percent of the sum, and nothing is no percent', () => {
  expect(shareText(9, 23)).toBe('9 · 39%')
  expect(shareText(0, 0)).toBe('0 · 0%')
})
