import { expect, it } from 'vitest'
import { csvOf } from './csv.ts'

it('quotes text that would end a cell, and leaves no formula', () => {
  const rows = [
    ['=SUM(A1)', 1],
    ['Fred, "Classic"', null],
    ['Two\nlines', 0.5],
  ] as const
  expect(csvOf({ heads: ['Status', 'Pharmacies'], rows })).toBe(
    'Status,Pharmacies\r\n\'=SUM(A1),1\r\n"Fred, ""Classic""",\r\n"Two\nlines",0.5',
  )
})
