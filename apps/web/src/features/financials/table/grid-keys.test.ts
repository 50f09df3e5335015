import { expect, test } from 'vitest'
import { moved } from './grid-keys.ts'

const size = { rows: 35, cols: 6, page: 9 }

test.each([
  ['ArrowDown', false, { row: 5, col: 2 }],
  ['ArrowUp', false, { row: 3, col: 2 }],
  ['ArrowLeft', false, { row: 4, col: 1 }],
  ['ArrowRight', false, { row: 4, col: 3 }],
  ['PageDown', false, { row: 13, col: 2 }],
  ['PageUp', false, { row: 0, col: 2 }],
  ['Home', false, { row: 4, col: 0 }],
  ['End', false, { row: 4, col: 5 }],
  ['Home', true, { row: 0, col: 0 }],
  ['End', true, { row: 34, col: 5 }],
])('%s (ctrl %s) from row 4, column 2', (key, ctrl, to) => {
  expect(moved(key, ctrl, { row: 4, col: 2 }, size)).toEqual(to)
})

test('stops at the edges and leaves other keys alone', () => {
  expect(moved('ArrowLeft', false, { row: 0, col: 0 }, size)).toEqual({ row: 0, col: 0 })
  expect(moved('PageDown', false, { row: 30, col: 0 }, size)).toEqual({ row: 34, col: 0 })
  expect(moved('Tab', false, { row: 0, col: 0 }, size)).toBeNull()
})
