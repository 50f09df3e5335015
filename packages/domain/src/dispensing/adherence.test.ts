import { describe, expect, test } from 'vitest'
import { day, formatDay } from '../time/day.ts'
import { closedDays, isAdherent, levelOf, measurable } from './adherence.ts'

describe('levels', () => {
  test.each([
    [1, 5],
    [0.9, 5],
    [0.8999, 4],
    [0.8, 4],
    [292 / 365, 4],
    [0.7999, 3],
    [0.6, 3],
    [0.5999, 2],
    [0.4, 2],
    [0.3999, 1],
    [0, 1],
    [null, null],
  ])('%d is level %d', (value, level) => {
    expect(levelOf(value)).toBe(level)
  })
})

test('exactly 80% of the days is adherent, and one day less is not', () => {
  expect(isAdherent(292, 365)).toBe(true)
  expect(isAdherent(291, 365)).toBe(false)
})

describe('a pair is measured', () => {
  test('from 90 days after its first supply on', () => {
    expect(measurable(910, [910, 940], 1000)).toBe(true)
    expect(measurable(911, [911, 940], 1000)).toBe(false)
  })

  test('with supplies on 2 different days inside the window', () => {
    const t = day('2026-06-30')
    const on = (...days: string[]) => measurable(day('2024-09-01'), days.map(day), t)
    // The window begins on 1 July 2025.
    expect(on('2024-09-01', '2025-07-01', '2026-01-10')).toBe(true)
    expect(on('2024-09-01', '2025-06-30', '2026-01-10')).toBe(false)
    expect(on('2024-09-01', '2026-01-10', '2026-01-10')).toBe(false)
    expect(on('2024-09-01', '2026-01-10', '2026-06-30')).toBe(true)
    expect(on('2024-09-01', '2026-01-10', '2026-07-01')).toBe(false)
  })
})

describe('cessations', () => {
  const closed = (cessations: string[], supplied: string[]) =>
    closedDays(cessations.map(day), supplied.map(day)).map(({ from, to }) => [
      formatDay(from),
      to === Number.POSITIVE_INFINITY ? 'for good' : formatDay(to),
    ])

  test('each closes the days after it until the next supply', () => {
    const supplied = ['2025-07-01', '2025-07-31', '2025-12-01', '2025-12-31', '2026-05-01', '2026-05-31']
    expect(closed(['2025-08-20', '2026-01-20'], supplied)).toEqual([
      ['2025-08-21', '2025-11-30'],
      ['2026-01-21', '2026-04-30'],
    ])
  })

  test('the last one closes for good, and of two without a supply between them the first counts', () => {
    expect(closed(['2026-03-10', '2026-02-10'], ['2025-07-01', '2026-02-01'])).toEqual([['2026-02-11', 'for good']])
  })

  test('before the first supply, or on the day before the next, close nothing', () => {
    expect(closed(['2025-06-30'], ['2025-07-01'])).toEqual([])
    expect(closed(['2025-06-29'], ['2025-08-02', '2025-07-01'])).toEqual([])
    expect(closed(['2025-07-10'], ['2025-09-01', '2025-07-01', '2025-08-01'])).toEqual([['2025-07-11', '2025-07-31']])
    expect(closed(['2025-08-01'], ['2025-07-01', '2025-08-02'])).toEqual([])
    expect(closed(['2025-07-01'], ['2025-07-01', '2025-08-02'])).toEqual([['2025-07-02', '2025-08-01']])
    expect(closed(['2025-07-01'], [])).toEqual([])
    // One day between is closed.
    expect(closed(['2025-08-01'], ['2025-07-01', '2025-08-03'])).toEqual([['2025-08-02', '2025-08-02']])
  })
})
