import { expect, test } from 'vitest'
import { type Segment, segmentAfter, tabStopOf } from './Segments.tsx'

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

test('while nothing is selected, arrows start from the option that has the focus', () => {
  const goals: Segment<string>[] = ['revenue', 'adherence', 'loyalty', 'scripts'].map((value) => ({
    value,
    label: value,
  }))
  const from = tabStopOf(goals, null)
  expect([from, segmentAfter('ArrowRight', from, goals), segmentAfter('ArrowLeft', from, goals)]).toEqual([0, 1, 3])
  expect(tabStopOf(goals, 'loyalty')).toBe(2)
  expect(tabStopOf([{ ...goals[0]!, disabled: true }, ...goals.slice(1)], null)).toBe(1)
})
