import { expect, test } from 'vitest'
import { allChosen, matching, toggled, toggledAll } from './multi-select-model.ts'

const options = [
  { value: 'a', label: 'Harbour Street Pharmacy', note: 'NSW 2500' },
  { value: 'b', label: 'Northgate Pharmacy', note: 'QLD 4013' },
  { value: 'c', label: 'Saltbush Pharmacy Coburg', note: 'VIC 3058' },
]
const values = (found: readonly { value: string }[]) => found.map(({ value }) => value)

test('every typed word must be in the label or the note', () => {
  expect(values(matching(options, ''))).toEqual(['a', 'b', 'c'])
  expect(values(matching(options, 'pharmacy NSW'))).toEqual(['a'])
  expect(values(matching(options, '  COBURG '))).toEqual(['c'])
  expect(values(matching(options, 'northgate vic'))).toEqual([])
})
test('a value is added and removed in the order of the options', () => {
  expect(toggled(options, ['c'], 'a')).toEqual(['a', 'c'])
  expect(toggled(options, ['a', 'c'], 'a')).toEqual(['c'])
})
test('Select All adds the visible options and keeps the rest; again removes the visible ones', () => {
  const shown = options.slice(0, 2)
  expect(toggledAll(options, shown, ['c'])).toEqual(['a', 'b', 'c'])
  expect(toggledAll(options, shown, ['a', 'c'])).toEqual(['a', 'b', 'c'])
  expect(toggledAll(options, shown, ['a', 'b', 'c'])).toEqual(['c'])
})
test('Select All skips options that cannot be selected', () => {
  const some = [...options, { value: 'd', label: 'Unley', note: 'No Contact Set', disabled: true }]
  expect(toggledAll(some, some, [])).toEqual(['a', 'b', 'c'])
  expect(toggledAll(some, some, ['a', 'b', 'c'])).toEqual([])
  expect(allChosen(some, new Set(['a', 'b', 'c']))).toBe(true)
  expect(allChosen(some.slice(3), new Set())).toBe(false)
})
