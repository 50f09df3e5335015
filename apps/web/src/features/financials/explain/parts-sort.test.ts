import { expect, it } from 'vitest'
import { sortedParts } from './parts-sort.ts'

const line = (pharmacy_name: string, now: number | null, previous: number | null) =>
  ({ pharmacy_name, numerator: now ?? 0, denominator: null, value: now, now, previous }) as Parameters<
    typeof sortedParts
  >[0][number]
const lines = [line('Harbour', 110, 100), line('Airport', 50, 100), line('Central', null, null), line('Dune', 90, 60)]
const names = (field: string, order: 'asc' | 'desc') =>
  sortedParts(lines, { field, order }, 'money').map(({ pharmacy_name }) => pharmacy_name)

it('sorts pharmacies by a column; those without its number come last either way', () => {
  expect(names('change', 'asc')).toEqual(['Airport', 'Harbour', 'Dune', 'Central'])
  expect(names('change', 'desc')).toEqual(['Dune', 'Harbour', 'Airport', 'Central'])
  expect(names('previous', 'desc')).toEqual(['Harbour', 'Airport', 'Dune', 'Central'])
  expect(names('name', 'asc')).toEqual(['Airport', 'Central', 'Dune', 'Harbour'])
  expect(names('name', 'desc')).toEqual(['Harbour', 'Dune', 'Central', 'Airport'])
})

it('keeps the given order without a column', () => {
  expect(sortedParts(lines, null, 'money')).toBe(lines)
})
