import type { Cell } from '@pillar/contract/financials'
import { day } from '@pillar/domain/time/day'
import { describe, expect, test } from 'vitest'
import {
  byName,
  columnLabel,
  dayText,
  figureOf,
  plural,
  shortDay,
  statisticValue,
  statusText,
  unitText,
} from './figures.ts'

const cell: Cell = {
  revenue_value: 146_836.6,
  script_count: 6417,
  adherent_script_percent: 0.7958,
  adherence_performance: 0.0512,
  loyalty_script_percent: 0.9,
  loyalty_performance: -0.05,
}

describe('a cell', () => {
  test('shows its statistic over the context', () => {
    expect(figureOf('AU', 'Revenue', cell)).toEqual({ figure: '$146,837', context: '6,417 scripts', tone: 'plain' })
    expect(figureOf('GB', 'Number of Scripts', cell)).toEqual({ figure: '6,417', context: '£146,837', tone: 'plain' })
    expect(figureOf('AU', 'Adherence', cell)).toEqual({ figure: '79.58%', context: '5.12% above avg', tone: 'good' })
    expect(figureOf('AU', 'Revenue', { ...cell, script_count: 1 }).context).toBe('1 script')
  })

  test('is coloured only beyond 5%', () => {
    expect(figureOf('AU', 'Loyalty', cell)).toMatchObject({ context: '5.00% below avg', tone: 'plain' })
    expect(figureOf('AU', 'Loyalty', { ...cell, loyalty_performance: -0.0501 }).tone).toBe('bad')
    expect(figureOf('AU', 'Loyalty', { ...cell, loyalty_performance: 0.00001 }).context).toBe('as average')
  })

  test('nothing is an en dash, never a zero', () => {
    expect(figureOf('AU', 'Revenue', undefined)).toEqual({ figure: '–', context: '', tone: 'plain' })
    expect(
      figureOf('AU', 'Adherence', { ...cell, adherent_script_percent: null, adherence_performance: null }),
    ).toEqual({
      figure: '–',
      context: '',
      tone: 'plain',
    })
    expect(figureOf('AU', 'Revenue', { ...cell, revenue_value: 0 }).figure).toBe('$0')
    expect(statisticValue('Adherence', undefined)).toBeNull()
    expect(statisticValue('Adherence', { ...cell, adherent_script_percent: 0.728449 })).toBe(72.84)
  })
})

describe('words', () => {
  test('units', () => {
    expect(unitText('AU', 'money', 2_867_000, 'short')).toBe('$2.87m')
    expect(unitText('AU', 'money', 2_867_000)).toBe('$2,867,000')
    expect(unitText('AU', 'fraction', 0.5)).toBe('50.00%')
    expect(unitText('AU', 'count', null)).toBe('–')
  })

  test('upload states', () => {
    expect(['COMPLETED', 'NOT_RECEIVED', 'Never uploaded'].map(statusText)).toEqual([
      'Completed',
      'Not received',
      'Never uploaded',
    ])
  })

  test('days', () => {
    expect(dayText('AU', day('2026-11-19'))).toBe('Thu 19 Nov 2026')
    expect(shortDay('AU', day('2026-11-11'), day('2026-11-20'))).toBe('11 Nov')
    expect(shortDay('US', day('2026-11-11'), day('2026-11-20'))).toBe('Nov 11')
    expect(shortDay('AU', day('2025-11-11'), day('2026-11-20'))).toBe('11 Nov 2025')
  })

  test('groups', () => {
    expect(plural('Drug Type')).toBe('drug types')
    expect(plural('Sex')).toBe('sexes')
    expect(columnLabel('Drug Type', 'TOTAL')).toBe('All drug types')
    expect(columnLabel('Drug Type', 'Cardiac')).toBe('Cardiac')
  })

  test('ties keep name order', () => {
    const rows = ['Canal', 'Bridge', 'Anchor'].map((pharmacy_name) => ({ pharmacy_name, cells: {} }))
    expect(byName(rows).map(({ pharmacy_name }) => pharmacy_name)).toEqual(['Anchor', 'Bridge', 'Canal'])
  })
})
