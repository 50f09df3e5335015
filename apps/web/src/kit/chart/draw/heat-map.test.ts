import { expect, test } from 'vitest'
import { pointAfter } from '../Picture.tsx'
import { stepNames, stepsOf, ticksOf } from '../steps.ts'
import { breakable, heatOf, stepOfCell } from './heat-map.ts'

const steps = stepsOf([0, 99])

test('a cell has the colour of its step; none if it is unknown or has too few observations', () => {
  expect(stepOfCell({ value: 99 }, steps)).toBe(4)
  expect(stepOfCell({ value: null }, steps)).toBeUndefined()
  expect(stepOfCell({ value: 99, hollow: true }, steps)).toBeUndefined()
})

test('the saved chart has every figure of every row', () => {
  const { marks } = heatOf(
    {
      ...{ columns: ['A', 'B'], endHeads: ['All'], steps, format: String },
      rows: [{ id: '1', label: 'One', cells: [{ value: 10 }, { value: null }], ends: [10] }],
    },
    600,
  )
  const words = marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
  expect(words).toEqual(['A', 'B', 'All', 'One', '10', '–', '10'])
  expect(marks.filter(({ kind }) => kind === 'box')).toHaveLength(1)
})

test('long words may break between syllables, short ones stay in one piece', () => {
  expect(breakable('Antihypertensives').split('\u00AD').length).toBeGreaterThan(3)
  expect(breakable('Antihypertensives').replaceAll('\u00AD', '')).toBe('Antihypertensives')
  expect(breakable('Mental health')).toBe('Mental health')
  // 'an-' or 'te-' would take a line for two letters.
  expect(breakable('Anticoagulants and antiplatelets').split('\u00AD')).toEqual([
    ...['Anti', 'coagu', 'lants and anti', 'plate', 'lets'],
  ])
})

test('steps are named from below the first border to above the last', () => {
  expect(stepNames(steps, String)).toEqual(['under 20', '20 – 40', '40 – 60', '60 – 80', '80 and over'])
  expect(stepNames([{ from: 0, to: 5 }], String)).toEqual(['0 – 5'])
})

test('an axis has round marks around its values', () => {
  expect(ticksOf(5989, 60_400, 6)).toEqual([0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000, 70_000])
  expect(ticksOf(0.55, 0.89, 3)).toEqual([0.45, 0.6, 0.75, 0.9])
  expect(ticksOf(7, 7, 6)).toHaveLength(2)
})

test('arrow keys read along a row and from row to row', () => {
  expect(pointAfter('ArrowRight', null, 12, 4)).toBe(0)
  expect(pointAfter('ArrowDown', 1, 12, 4)).toBe(5)
  expect(pointAfter('ArrowUp', 1, 12, 4)).toBe(1)
  expect(pointAfter('ArrowDown', 9, 12, 4)).toBe(9)
  expect(pointAfter('End', 1, 12)).toBe(11)
  expect(pointAfter('a', 1, 12)).toBeNull()
})
