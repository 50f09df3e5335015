import { expect, it } from 'vitest'
import { keptState, sameState } from './view-state.ts'

it('keeps everything that is set in an address, and nothing else', () => {
  expect(keptState({ period: '2026-11', state: undefined, columns: ['a'], postcode: 3350 })).toEqual({
    ...{ period: '2026-11', columns: ['a'], postcode: 3350 },
  })
})

it('compares views by their content, not by the order of the address', () => {
  expect(sameState({ a: '1', b: ['x', 'y'] }, { b: ['x', 'y'], a: '1' })).toBe(true)
  expect(sameState({ b: ['x', 'y'] }, { b: ['y', 'x'] })).toBe(false)
  expect(sameState({}, { a: '1' })).toBe(false)
})
