import { expect, test } from 'vitest'
import { widthOfColumns } from './useGridWindow.ts'

test('a whole number of columns fills the space', () => {
  expect(widthOfColumns(736, 136, 25)).toBe(147)
  expect(widthOfColumns(242, 104, 25)).toBe(121)
})
test('a few columns are wider, and none is narrower than the minimum', () => {
  expect(widthOfColumns(800, 136, 2)).toBe(400)
  expect(widthOfColumns(60, 104, 9)).toBe(104)
  expect(widthOfColumns(0, 136, 0)).toBe(136)
})
