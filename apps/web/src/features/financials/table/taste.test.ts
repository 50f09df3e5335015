import { expect, test } from 'vitest'
import { ordered, shifted, tasteOf } from './taste.ts'

test('unreadable preferences give the plain table, and a wrong part gives the plain part', () => {
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

test('columns keep their saved order; unnamed ones follow, and missing ones are dropped', () => {
  expect(ordered(['A', 'B', 'C', 'D'], ['C', 'X', 'A'])).toEqual(['C', 'A', 'B', 'D'])
  expect(ordered(['A', 'B'])).toEqual(['A', 'B'])
})

test('a column moves by one place and stops at the ends', () => {
  expect(shifted(['A', 'B', 'C'], 'C', -1)).toEqual(['A', 'C', 'B'])
  expect(shifted(['A', 'B', 'C'], 'A', -1)).toEqual(['A', 'B', 'C'])
  expect(shifted(['A', 'B', 'C'], 'C', 1)).toEqual(['A', 'B', 'C'])
  expect(shifted(['A', 'B', 'C'], 'X', 1)).toEqual(['A', 'B', 'C'])
})
