import { day } from '@pillar/domain/time/day'
import { expect, it } from 'vitest'
import { type BoardLine, lookBack, monthFacts, yearFacts } from './board-fact.ts'

const YEAR = { from: day('2025-07-01'), to: day('2026-06-30') }
const line = (patient: number, on: string, brand: string): BoardLine => ({
  ...{ patient, day: day(on), days: 30, died: null, molecule: 1, drug_class: 7, lasting: true, brand },
})
const known = { dataFrom: lookBack(YEAR.from), dataTo: day('2026-11-01') }

it('a month has the scripts of its first and last day, and each patient of a product once', () => {
  const lines = [
    line(1, '2026-09-30', 'a'),
    line(1, '2026-10-01', 'a'),
    line(1, '2026-10-15', 'a'),
    line(2, '2026-10-31', 'a'),
    line(2, '2026-11-01', 'a'),
    line(2, '2026-10-02', 'b'),
  ]
  expect(monthFacts(lines, day('2026-10-01'), day('2026-10-31'))).toEqual([
    { molecule: 1, brand: 'a', scripts: 3, patients: 2 },
    { molecule: 1, brand: 'b', scripts: 1, patients: 1 },
  ])
})

it('a patient who begins or changes to a product is counted there', () => {
  const lines = [line(1, '2025-08-01', 'a'), line(2, '2025-08-01', 'a'), line(2, '2025-10-01', 'b')]
  const { arrivals } = yearFacts(lines, YEAR, known)
  expect(arrivals.map(({ to, from, events, patients }) => [from, to, events, patients])).toEqual([
    [null, '1|a', 2, 2],
    ['1|a', '1|b', 1, 1],
  ])
})

it('nobody is new if the data do not go back far enough to show earlier supplies', () => {
  const lines = [line(1, '2025-09-01', 'a')]
  expect(yearFacts(lines, YEAR, known).arrivals).toHaveLength(1)
  expect(yearFacts(lines, YEAR, { ...known, dataFrom: known.dataFrom + 1 })).toEqual({ arrivals: [], stays: [] })
})

it('nobody begins or returns to a product after their death', () => {
  const died = day('2025-10-10')
  const lines = [
    line(1, '2025-08-01', 'a'),
    line(1, '2025-10-10', 'b'),
    line(1, '2025-11-01', 'a'),
    line(1, '2025-11-01', 'c'),
  ].map((one) => ({ ...one, died }))
  expect(yearFacts(lines, YEAR, known).arrivals.map(({ from, to }) => [from, to])).toEqual([
    [null, '1|a'],
    ['1|a', '1|b'],
  ])
})
