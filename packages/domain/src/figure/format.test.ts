import { describe, expect, test } from 'vitest'
import {
  byName,
  type CellFigures,
  columnLabel,
  figureOf,
  intervalText,
  pinnedWords,
  plural,
  scriptsText,
  shareText,
  statisticValue,
  sureText,
} from './format.ts'

const cell: CellFigures = {
  revenue_value: 146_836.6,
  script_count: 6417,
  adherent_script_percent: 0.7958,
  adherence_n: 640,
  adherence_low: 0.7629,
  adherence_high: 0.8253,
  adherence_performance: 0.0512,
  loyalty_script_percent: 0.9,
  loyalty_n: 7000,
  loyalty_low: 0.8928,
  loyalty_high: 0.9068,
  loyalty_performance: -0.05,
}
const few = { ...cell, adherence_n: 29, adherence_low: 0.6247, adherence_high: 0.9021 }
const none = {
  ...cell,
  adherent_script_percent: null,
  adherence_low: null,
  adherence_high: null,
  adherence_performance: null,
}

describe('a cell', () => {
  test('shows its statistic over the context', () => {
    const plain = { tone: 'plain', unsure: false }
    expect(figureOf('AU', 'Revenue', cell)).toEqual({ figure: '$146,837', context: '6,417', ...plain })
    expect(figureOf('GB', 'Number of Scripts', cell)).toEqual({ figure: '6,417', context: '£146,837', ...plain })
    expect(figureOf('AU', 'Adherence', cell)).toEqual({
      figure: '79.58%',
      context: '+3.9',
      tone: 'good',
      unsure: false,
      title: 'Between 76.3% and 82.5%, from 640 measured',
    })
    expect(figureOf('AU', 'Revenue', { ...cell, script_count: 1 }).context).toBe('1')
  })

  test('is coloured only beyond 5%', () => {
    expect(figureOf('AU', 'Loyalty', cell)).toMatchObject({ context: '−4.7', tone: 'plain' })
    expect(figureOf('AU', 'Loyalty', { ...cell, loyalty_performance: -0.0501 }).tone).toBe('bad')
    expect(figureOf('AU', 'Loyalty', { ...cell, loyalty_performance: 0.00001 }).context).toBe('0.0')
  })

  test('with 0% is below the average by an unknown number of points, because a distance of 100% does not reveal it', () => {
    const zero = { ...cell, adherent_script_percent: 0, adherence_low: 0, adherence_performance: -1 }
    expect(figureOf('AU', 'Adherence', zero)).toMatchObject({ figure: '0.00%', context: 'below average', tone: 'bad' })
  })

  test('shows nothing as an en dash, never as zero', () => {
    expect(figureOf('AU', 'Revenue', undefined)).toMatchObject({ figure: '–', context: '', tone: 'plain' })
    expect(figureOf('AU', 'Adherence', { ...none, adherence_n: 0 })).toMatchObject({ figure: '–', context: '' })
    expect(figureOf('AU', 'Adherence', { ...none, adherence_n: 40 }).figure).toBe('–')
    expect(figureOf('AU', 'Revenue', { ...cell, revenue_value: 0 }).figure).toBe('$0')
    expect(statisticValue('Adherence', undefined)).toBeNull()
    expect(statisticValue('Adherence', { ...cell, adherent_script_percent: 0.728449 })).toBe(72.84)
  })

  test('under 10 is too few to tell, and says how few', () => {
    expect(figureOf('AU', 'Adherence', { ...none, adherence_n: 9 })).toEqual({
      figure: 'too few to tell',
      context: '',
      tone: 'plain',
      unsure: true,
      title: 'Too few to tell: 9 measured, 10 needed',
    })
    expect(shareText('AU', { value: null, n: 1 })).toBe('too few to tell')
    expect(scriptsText('AU', 0.9)).toBe('1 script')
  })

  test('under 30 is grey, uncoloured, and says so in words', () => {
    expect(figureOf('AU', 'Adherence', few)).toEqual({
      figure: '79.58%',
      context: 'only 29 measured',
      tone: 'plain',
      unsure: true,
      title: 'Between 62.5% and 90.2%, from only 29 measured. Too few to compare.',
    })
    expect(figureOf('AU', 'Adherence', { ...few, adherence_n: 30 })).toMatchObject({ tone: 'good', unsure: false })
  })

  test('of other companies shows no number of patients', () => {
    const { adherence_n, adherence_low, adherence_high, adherence_performance, ...average } = cell
    expect(figureOf('AU', 'Adherence', average)).toEqual({
      figure: '79.58%',
      context: '',
      tone: 'plain',
      unsure: false,
    })
  })
})

test('bounds have one decimal', () => {
  expect(intervalText('AU', { low: 0.7, high: 0.85 })).toBe('70.0% – 85.0%')
  expect(intervalText('AU', { low: null, high: null })).toBe('')
  const share = { value: 0.8, n: 34, low: 0.7, high: 0.85 }
  expect(sureText('AU', share, 'measured')).toBe('between 70.0% and 85.0%, from 34 measured')
  expect(sureText('AU', { ...share, n: 30 }, 'measured')).toBe('between 70.0% and 85.0%, from 30 measured')
  expect(sureText('AU', { ...share, n: null }, 'measured')).toBeNull()
})

test('groups', () => {
  expect(plural('Drug Type')).toBe('drug types')
  expect(plural('Sex')).toBe('sexes')
  expect(columnLabel('Drug Type', 'TOTAL')).toBe('All drug types')
  expect(columnLabel('Drug Type', 'Cardiac')).toBe('Cardiac')
  expect(columnLabel('Drug Type', 'pharmacy')).toBe('Pharmacy')
})

test('ties keep name order', () => {
  const rows = ['Canal', 'Bridge', 'Anchor'].map((pharmacy_name) => ({ pharmacy_name, cells: {} }))
  expect(byName(rows).map(({ pharmacy_name }) => pharmacy_name)).toEqual(['Anchor', 'Bridge', 'Canal'])
})

test('the rows above the pharmacies name their scope, how far the average goes, or why there is none', () => {
  const table = {
    ...{ pharmacies: new Array(31), selected_pharmacies: 31, baseline_pharmacies: 1212, baseline_reason: null },
    ...{ baseline_to: '2027-06-30' as string | null, period: { ends: '2027-06-30' } },
  }
  expect(pinnedWords(table, 'Pillar', 'AU')).toEqual({
    total: { name: 'TOTAL', note: '31 selected pharmacies' },
    baseline: { name: 'Pillar average', note: '1,212 pharmacies, Australia' },
    selected: { name: 'Selected average', note: '31 pharmacies' },
  })
  expect(pinnedWords({ ...table, baseline_to: '2026-10-31' }, 'Pillar', 'AU').baseline.note).toBe(
    '1,212 pharmacies, Australia, to 31 Oct 2026',
  )
  const none = { ...table, selected_pharmacies: 1, baseline_to: null, baseline_reason: 'Too few.' }
  expect(pinnedWords(none, 'Pillar', 'AU')).toMatchObject({
    total: { note: '1 of 31 selected have data' },
    baseline: { note: 'Too few.' },
    selected: { note: '1 pharmacy' },
  })
})
