import { expect, test } from 'vitest'
import { segmentAfter } from './Segments.tsx'

const three = [{}, { disabled: true }, {}]

test.each([
  ['ArrowRight', 0, 2],
  ['ArrowDown', 2, 0],
  ['ArrowLeft', 0, 2],
  ['ArrowUp', 2, 0],
  ['Home', 2, 0],
  ['End', 0, 2],
  ['Enter', 0, null],
])('%s from %i leads to %s', (key, from, to) => {
  expect(segmentAfter(key, from, three)).toBe(to)
})
test('leads nowhere if nothing can be selected', () => {
  expect(segmentAfter('ArrowRight', 0, [{ disabled: true }])).toBeNull()
})
