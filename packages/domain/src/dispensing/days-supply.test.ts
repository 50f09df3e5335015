import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { daysSupply, type SupplyFacts } from './days-supply.ts'

describe("days' supply", () => {
  const everything: SupplyFacts = {
    sourceDays: 56,
    units: 60,
    directions: 'Take ONE tablet twice a day',
    packSize: 60,
    defaultDays: 60,
    ddd: { strength: 20, dose: 40 },
  }

  test('comes from the first rule that has its facts', () => {
    expect(daysSupply(everything)).toEqual({ days: 56, basis: 'source' })
    expect(daysSupply({ ...everything, sourceDays: null })).toEqual({ days: 30, basis: 'directions' })
    expect(daysSupply({ ...everything, sourceDays: 0, directions: 'as directed' })).toEqual({
      days: 60,
      basis: 'default',
    })
    expect(daysSupply({ units: 60, packSize: 60, ddd: { strength: 20, dose: 40 } })).toEqual({ days: 30, basis: 'ddd' })
    expect(daysSupply({ units: 60, packSize: 60 })).toEqual({ days: 30, basis: 'thirty' })
    expect(daysSupply({})).toEqual({ days: 30, basis: 'thirty' })
  })

  test('counts default days by packs', () => {
    expect(daysSupply({ units: 56, packSize: 28 })).toEqual({ days: 56, basis: 'default' })
    expect(daysSupply({ units: 28, packSize: 28 })).toEqual({ days: 28, basis: 'default' })
    expect(daysSupply({ units: 14, packSize: 28 })).toEqual({ days: 14, basis: 'default' })
    expect(daysSupply({ units: 60, packSize: 30 })).toEqual({ days: 60, basis: 'default' })
    expect(daysSupply({ units: 2, packSize: 1, defaultDays: 25 })).toEqual({ days: 50, basis: 'default' })
    expect(daysSupply({ defaultDays: 25 })).toEqual({ days: 25, basis: 'default' })
  })

  test('is 60 for a 60-day item if neither pack nor directions say otherwise', () => {
    const sixtyDayItem = true
    expect(daysSupply({ sixtyDayItem })).toEqual({ days: 60, basis: 'default' })
    expect(daysSupply({ sixtyDayItem, units: 120, packSize: 60 })).toEqual({ days: 60, basis: 'default' })
    // A monthly pack counts by the number of packs; if that is unknown, the item counts for 60 days.
    expect(daysSupply({ sixtyDayItem, units: 28, packSize: 28 })).toEqual({ days: 28, basis: 'default' })
    expect(daysSupply({ sixtyDayItem, packSize: 28 })).toEqual({ days: 60, basis: 'default' })
    expect(daysSupply({ sixtyDayItem, defaultDays: 90 })).toEqual({ days: 90, basis: 'default' })
    expect(daysSupply({ sixtyDayItem, units: 56, directions: 'Take TWO daily' }).days).toBe(28)
  })

  test('ignores "when required", so the next rule decides', () => {
    expect(daysSupply({ units: 100, directions: 'Take ONE or TWO when required', packSize: 100 }).basis).toBe('thirty')
  })

  test('is rounded to the nearest day, within 1 to 365', () => {
    expect(daysSupply({ units: 28, directions: '1.5 tablets daily' }).days).toBe(19)
    // 4.36 packs of a week are exactly 30.5 days, although 61 ÷ 14 in floating point is a hair less.
    expect(daysSupply({ units: 61, packSize: 14, defaultDays: 7 }).days).toBe(31)
    expect(daysSupply({ units: 61, packSize: 56, defaultDays: 28 }).days).toBe(31)
    expect(daysSupply({ sourceDays: 900 }).days).toBe(365)
    expect(daysSupply({ units: 1, directions: 'FOUR tablets daily' }).days).toBe(1)
    expect(daysSupply({ sourceDays: Number.NaN }).basis).toBe('thirty')
  })

  test('is always a whole number of 1 to 365 days', () => {
    const number = fc.option(fc.double({ min: -10, max: 10_000 }))
    fc.assert(
      fc.property(
        number,
        number,
        number,
        number,
        fc.string(),
        (sourceDays, units, packSize, defaultDays, directions) => {
          const { days } = daysSupply({ sourceDays, units, packSize, defaultDays, directions })
          expect(Number.isInteger(days) && days >= 1 && days <= 365).toBe(true)
        },
      ),
    )
  })
})
