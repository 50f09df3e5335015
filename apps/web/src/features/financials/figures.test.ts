import { day } from '@pillar/domain/time/day'
import { describe, expect, test } from 'vitest'
import { changeOf, changeText, dataAge, shortDay, statusText, unitText } from './figures.ts'

describe('words', () => {
  test('units', () => {
    expect(unitText('AU', 'money', 2_867_000, 'short')).toBe('$2.87m')
    expect(unitText('AU', 'money', 2_867_000)).toBe('$2,867,000')
    expect(unitText('AU', 'fraction', 0.5)).toBe('50.00%')
    expect(unitText('AU', 'count', null)).toBe('–')
  })

  test('changes', () => {
    expect(changeText('AU', 'money', changeOf('money', 120, 100))).toBe('+20.00%')
    // A year made negative by refunds: a rise from there is still a rise.
    expect(changeText('AU', 'money', changeOf('money', 20, -40))).toBe('+150.00%')
    expect(changeText('AU', 'fraction', changeOf('fraction', 0.5, 0.512))).toBe('−1.20 points')
    expect(changeText('AU', 'count', changeOf('count', 5, 0))).toBe('–')
    expect(changeText('AU', 'fraction', changeOf('fraction', 0.5, null))).toBe('–')
  })

  test('upload states', () => {
    expect(['COMPLETED', 'NOT_RECEIVED', 'Never uploaded'].map(statusText)).toEqual([
      'Completed',
      'Not received',
      'Never uploaded',
    ])
  })

  test('days', () => {
    expect(shortDay('AU', day('2026-11-11'), day('2026-11-20'))).toBe('11 Nov')
    expect(shortDay('US', day('2026-11-11'), day('2026-11-20'))).toBe('Nov 11')
    expect(shortDay('AU', day('2025-11-11'), day('2026-11-20'))).toBe('11 Nov 2025')
  })

  test('how far a pharmacy’s data goes', () => {
    const row = { data_from: '2023-11-03', data_to: '2026-11-11', begins_before_data: false, late: false }
    const today = day('2026-11-20')
    expect(dataAge(row, 'AU', today)).toBe('')
    expect(dataAge({ ...row, late: true }, 'AU', today)).toBe('data to 11 Nov')
    expect(dataAge({ ...row, begins_before_data: true }, 'AU', today)).toBe('data from 3 Nov 2023')
    expect(dataAge({ ...row, begins_before_data: true, late: true }, 'AU', today)).toBe('data 3 Nov 2023 – 11 Nov')
    expect(dataAge({ ...row, data_from: null, data_to: null, late: true }, 'AU', today)).toBe('no data yet')
  })
})
