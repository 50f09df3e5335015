import { describe, expect, test } from 'vitest'
import { day, formatDay } from '../time/day.ts'
import {
  adherenceWindow,
  closedDays,
  isInactive,
  lastObservedDay,
  levelOf,
  measurable,
  replaces,
  switchDay,
} from './adherence.ts'

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

describe('window', () => {
  test('365 days to t, or from the first supply', () => {
    expect(adherenceWindow(0, 1000)).toEqual({ from: 636, to: 1000 })
    expect(adherenceWindow(900, 1000)).toEqual({ from: 900, to: 1000 })
  })

  test('ends where observation ends, and is empty when that was before it began', () => {
    expect(adherenceWindow(0, 1000, 700)).toEqual({ from: 636, to: 700 })
    expect(adherenceWindow(0, 1000, 1200)).toEqual({ from: 636, to: 1000 })
    expect(adherenceWindow(0, 1000, 635)).toBeNull()
  })

  test('measured from 90 days on', () => {
    expect(measurable(910, [910, 940], 1000)).toBe(true)
    expect(measurable(911, [911, 940], 1000)).toBe(false)
  })

  test('measured with supplies on 2 different days inside the window', () => {
    const t = day('2026-06-30')
    const on = (...days: string[]) => measurable(day('2024-09-01'), days.map(day), t)
    // The window begins on 1 July 2025.
    expect(on('2024-09-01', '2025-07-01', '2026-01-10')).toBe(true)
    expect(on('2024-09-01', '2025-06-30', '2026-01-10')).toBe(false)
    expect(on('2024-09-01', '2026-01-10', '2026-01-10')).toBe(false)
    expect(on('2024-09-01', '2026-01-10', '2026-07-01')).toBe(false)
  })

  test('inactive after 180 days without any supply', () => {
    expect(isInactive(821, 1000)).toBe(false)
    expect(isInactive(820, 1000)).toBe(true)
  })
})

describe('end of observation', () => {
  test('death or a switch: the earlier', () => {
    expect(lastObservedDay({})).toBeNull()
    expect(lastObservedDay({ died: 150 })).toBe(150)
    expect(lastObservedDay({ switched: 140, died: 150 })).toBe(139)
  })

  const atorvastatin = { atc: 'C10AA05', molecule: 'atorvastatin' }
  const rosuvastatin = { atc: 'C10AA07', molecule: 'rosuvastatin' }
  const withAmlodipine = { atc: 'C10BX03', molecule: 'atorvastatin + amlodipine' }
  const ezetimibe = { atc: 'C10AX09', molecule: 'ezetimibe' }

  test('another molecule of ATC level 4 or a combination replaces', () => {
    expect(replaces(rosuvastatin, atorvastatin)).toBe(true)
    expect(replaces(withAmlodipine, atorvastatin)).toBe(true)
    expect(replaces({ ...withAmlodipine, molecule: 'Amlodipine + Atorvastatin' }, atorvastatin)).toBe(true)
    expect(replaces(ezetimibe, atorvastatin)).toBe(false)
    expect(replaces(atorvastatin, atorvastatin)).toBe(false)
    expect(replaces({ atc: '', molecule: 'x' }, { atc: '', molecule: 'y' })).toBe(false)
  })

  test('a switch is the first replacing supply after the last of the old one', () => {
    const others = [
      { date: 90, ...rosuvastatin },
      { date: 160, ...rosuvastatin },
      { date: 130, ...rosuvastatin },
      { date: 110, ...ezetimibe },
    ]
    expect(switchDay(atorvastatin, 100, others, 1000)).toBe(130)
    expect(switchDay(atorvastatin, 100, others, 129)).toBeNull()
    expect(switchDay(atorvastatin, 160, others, 1000)).toBeNull()
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

  test('the last one closes for good, the first of two without a supply between counts', () => {
    expect(closed(['2026-03-10', '2026-02-10'], ['2025-07-01', '2026-02-01'])).toEqual([['2026-02-11', 'for good']])
  })

  test('before the first supply, or on the eve of the next, nothing is closed', () => {
    expect(closed(['2025-06-30'], ['2025-07-01'])).toEqual([])
    expect(closed(['2025-08-01'], ['2025-07-01', '2025-08-02'])).toEqual([])
    expect(closed(['2025-07-01'], ['2025-07-01', '2025-08-02'])).toEqual([['2025-07-02', '2025-08-01']])
    expect(closed(['2025-07-01'], [])).toEqual([])
  })
})
