import { expect, test } from 'vitest'
import { labelEnd, placeLabels, shareText } from './doughnut-labels.ts'

const at = (index: number, y: number, right = true) => ({ index, y, right })

test('overlapping labels of one side are pushed apart, and those of the other side stay', () => {
  const placed = placeLabels([at(0, 100), at(1, 110), at(2, 105, false)], 34, 280)
  expect(placed).toEqual([at(0, 100), at(1, 134), at(2, 105, false)])
})

test('labels stay within the chart', () => {
  expect(placeLabels([at(0, 270), at(1, 275)], 34, 280).map(({ y }) => y)).toEqual([229, 263])
  expect(placeLabels([at(0, -5)], 34, 280)[0]?.y).toBe(17)
})

const RING = { x: 171, y: 140, radius: 70 }

test('a label’s words begin outside the ring, wherever they were moved to', () => {
  expect(labelEnd(at(0, 140), RING, 40, 342)).toBe(171 + 70 + 15)
  // Pushed down by the label above it, a small part's words stand beside a wider place of the ring.
  expect(labelEnd(at(0, 95), RING, 40, 342)).toBeCloseTo(171 + Math.sqrt(70 ** 2 - 28 ** 2) + 15)
  expect(labelEnd(at(0, 20, false), RING, 40, 342)).toBe(171 - 15)
})

test('a label’s words are not cut off at the edge of a narrow chart', () => {
  const words = 91
  expect(labelEnd(at(0, 140, false), RING, words, 342) - 5 - words).toBeGreaterThanOrEqual(0)
  expect(labelEnd(at(0, 140), RING, words, 342) + 5 + words).toBeLessThanOrEqual(342)
})

test('a share is a whole percent of the sum, and an empty sum gives no percent', () => {
  // 14.5% of 200, which floating point makes a hair less.
  expect(shareText(29, 200)).toBe('29 · 15%')
  expect(shareText(9, 23)).toBe('9 · 39%')
  expect(shareText(0, 0)).toBe('0 · 0%')
  expect(shareText(3, 9_000)).toBe('3 · under 1%')
  expect(shareText(8_997, 9_000)).toBe('8,997 · over 99%')
  expect(shareText(9_000, 9_000)).toBe('9,000 · 100%')
})
