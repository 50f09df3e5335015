import { describe, expect, test } from 'vitest'
import { adherenceWindow, isInactive, lastObservedDay, levelOf, measurable, replaces, switchDay } from './adherence.ts'

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

  test('measured from 90 days and 2 supplies on', () => {
    expect(measurable(910, 2, 1000)).toBe(true)
    expect(measurable(911, 2, 1000)).toBe(false)
    expect(measurable(910, 1, 1000)).toBe(false)
  })

  test('inactive after 180 days without any supply', () => {
    expect(isInactive(821, 1000)).toBe(false)
    expect(isInactive(820, 1000)).toBe(true)
  })
})

describe('end of observation', () => {
  test('death, cessation, switch: the earliest', () => {
    expect(lastObservedDay({ lastSupply: 100 })).toBeNull()
    expect(lastObservedDay({ lastSupply: 100, died: 150 })).toBe(150)
    expect(lastObservedDay({ lastSupply: 100, ceased: 120, died: 150 })).toBe(120)
    expect(lastObservedDay({ lastSupply: 100, switched: 140, died: 150 })).toBe(139)
  })

  test('a supply after a recorded cessation voids it', () => {
    expect(lastObservedDay({ lastSupply: 121, ceased: 120 })).toBeNull()
    expect(lastObservedDay({ lastSupply: 120, ceased: 120 })).toBe(120)
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
