import { expect, test } from 'vitest'
import { ordered, shifted, tasteOf } from './taste.ts'

test('what cannot be read is the plain table; a part that is wrong is the plain part', () => {
  const plain = { density: 'roomy', panel: true, order: {} }
  expect(tasteOf(null)).toEqual(plain)
  expect(tasteOf('{')).toEqual(plain)
  expect(tasteOf('null')).toEqual(plain)
  expect(tasteOf('{"density":"tiny","panel":false,"order":{"Sex":["Male"]}}')).toEqual({
    density: 'roomy',
    panel: false,
    order: { Sex: ['Male'] },
  })
})

test('columns stand in the order kept; those it does not name follow, those gone are forgotten', () => {
  expect(ordered(['A', 'B', 'C', 'D'], ['C', 'X', 'A'])).toEqual(['C', 'A', 'B', 'D'])
  expect(ordered(['A', 'B'])).toEqual(['A', 'B'])
})

test('a column moves by one place and stops at the ends', () => {
  expect(shifted(['A', 'B', 'C'], 'C', -1)).toEqual(['A', 'C', 'B'])
  expect(shifted(['A', 'B', 'C'], 'A', -1)).toEqual(['A', 'B', 'C'])
  expect(shifted(['A', 'B', 'C'], 'C', 1)).toEqual(['A', 'B', 'C'])
  expect(shifted(['A', 'B', 'C'], 'X', 1)).toEqual(['A', 'B', 'C'])
})
