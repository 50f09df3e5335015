import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { day, formatDay } from '../time/day.ts'
import { loyalty, loyaltyLevel, type Prescription, type Slot, slotsOf, supplyNumber } from './loyalty.ts'

const classes = (prescription: Prescription, t: string) =>
  slotsOf(prescription, day(t))
    .map((slot) => slot.class)
    .join(' ')

const countsOf = (slots: readonly Slot[]) => {
  const count = (kind: Slot['class']) => slots.filter((slot) => slot.class === kind).length
  return { here: count('here'), leaked: count('leaked') }
}

const worked: Prescription = {
  repeatsAuthorised: 5,
  prescribedOn: day('2025-01-10'),
  seen: [
    { number: 1, date: day('2025-01-10'), days: 30 },
    { number: 2, date: day('2025-02-09'), days: 30 },
    { number: 5, date: day('2025-05-10'), days: 30 },
  ],
}

describe('worked example of docs/metrics.md, Loyalty', () => {
  test('R = 5, seen 1, 2, 5: 3 and 4 leaked, 6 missed; loyalty .60, level 3', () => {
    const t = day('2025-08-01')
    const slots = slotsOf(worked, t)
    expect(classes(worked, '2025-08-01')).toBe('here here leaked leaked here missed')
    const counts = countsOf(slots)
    expect(counts).toEqual({ here: 3, leaked: 2 })
    expect(loyalty(counts)).toBe(0.6)
    expect(loyaltyLevel(counts)).toBe(3)
  })

  test('leaked slots are dated between their neighbours', () => {
    const dates = slotsOf(worked, day('2025-08-01')).map((slot) => formatDay(slot.date!))
    expect(dates.slice(2, 4)).toEqual(['2025-03-11', '2025-04-10'])
  })
})

describe('slots', () => {
  test('if a number is seen twice, the earlier supply counts', () => {
    const again = { ...worked, seen: [...worked.seen, { number: 2, date: day('2025-03-01'), days: 30 }] }
    expect(slotsOf(again, day('2025-08-01'))).toEqual(slotsOf(worked, day('2025-08-01')))
  })

  test('the next slot is open until 14 days past run-out', () => {
    // 30 days from 10 May run out on 8 June.
    expect(classes(worked, '2025-06-22')).toBe('here here leaked leaked here open')
    expect(classes(worked, '2025-06-23')).toBe('here here leaked leaked here missed')
  })

  test('an expired script has no missed slots', () => {
    expect(classes(worked, '2026-01-10')).toContain('missed')
    expect(classes(worked, '2026-01-11')).not.toContain('missed')
    expect(classes({ ...worked, expiryMonths: 6 }, '2025-07-11')).not.toContain('missed')
    expect(classes({ ...worked, prescribedOn: null }, '2027-01-11')).toContain('missed')
  })

  test('slots after the highest are due one supply apart', () => {
    const one: Prescription = { ...worked, seen: worked.seen.slice(0, 1) }
    expect(classes(one, '2025-03-01')).toBe('here missed open open open open')
    expect(classes(one, '2025-03-24')).toBe('here missed open open open open')
    expect(classes(one, '2025-03-25')).toBe('here missed missed open open open')
  })

  test('an outside script first seen as number 4 leaked 1 to 3, stepping back by its days', () => {
    const outside: Prescription = {
      repeatsAuthorised: 5,
      prescribedOn: null,
      seen: [{ number: 4, date: 400, days: 30 }],
    }
    const slots = slotsOf(outside, 405)
    expect(slots.slice(0, 3).map((slot) => [slot.class, slot.date])).toEqual([
      ['leaked', 310],
      ['leaked', 340],
      ['leaked', 370],
    ])
    expect(countsOf(slots)).toEqual({ here: 1, leaked: 3 })
  })

  test('slots before the first day of data are unseen and count for nothing', () => {
    // Supply 5 of a prescription on 10 March: stepping back by 30 days, 1 to 4 fall on 10 November, 10 December, 9 January, 8 February.
    const cut: Prescription = {
      repeatsAuthorised: 5,
      prescribedOn: null,
      seen: [{ number: 5, date: day('2025-03-10'), days: 30 }],
      dataFrom: day('2025-01-09'),
    }
    const from = (dataFrom: string) => classes({ ...cut, dataFrom: day(dataFrom) }, '2025-03-31')
    expect(classes(cut, '2025-03-31')).toBe('unseen unseen leaked leaked here open')
    expect(from('2025-01-10')).toBe('unseen unseen unseen leaked here open')
    expect(from('2025-03-01')).toBe('unseen unseen unseen unseen here open')
    expect(from('2024-01-01')).toBe('leaked leaked leaked leaked here open')
  })

  test('supplies after t are ignored', () => {
    expect(classes(worked, '2025-03-01')).toBe('here here open open open open')
  })

  test('bad data: a number twice, beyond R + 1, nothing seen', () => {
    const twice = { ...worked, seen: [...worked.seen, { number: 5, date: day('2025-05-12'), days: 30 }] }
    expect(countsOf(slotsOf(twice, day('2025-08-01')))).toEqual({ here: 3, leaked: 2 })
    const beyond: Prescription = { repeatsAuthorised: 1, prescribedOn: null, seen: [{ number: 3, date: 0, days: 30 }] }
    expect(slotsOf(beyond, 0).map((slot) => slot.class)).toEqual(['open', 'open'])
    const unknown = { ...beyond, repeatsAuthorised: null }
    expect(slotsOf(unknown, 0).map((slot) => slot.class)).toEqual(['leaked', 'leaked', 'here'])
    expect(classes({ ...worked, seen: [] }, '2025-08-01')).toBe('open open open open open open')
  })

  test('each slot has one class, and leaked ones lie between their neighbours', () => {
    const supply = fc.record({ number: fc.integer({ min: 1, max: 6 }), days: fc.integer({ min: 1, max: 60 }) })
    fc.assert(
      fc.property(fc.array(supply, { maxLength: 6 }), fc.integer({ min: 0, max: 400 }), (list, t) => {
        const seen = list.map((item) => ({ ...item, date: item.number * 30 }))
        const slots = slotsOf({ repeatsAuthorised: 5, prescribedOn: 0, seen }, t)
        expect(slots.map((slot) => slot.number)).toEqual([1, 2, 3, 4, 5, 6])
        const highest = Math.max(0, ...seen.filter((item) => item.date <= t).map((item) => item.number))
        for (const slot of slots) {
          expect(slot.class === 'here' || slot.class === 'leaked').toBe(slot.number <= highest)
          if (slot.class === 'leaked' && slots[slot.number - 2]?.class === 'here') expect(slot.date! % 30).toBe(0)
        }
      }),
    )
  })
})

test('the supply number follows from repeats left', () => {
  expect(supplyNumber(5, 2)).toBe(4)
  expect(supplyNumber(5, 5)).toBe(1)
  expect(supplyNumber(0, 0)).toBe(1)
  expect(supplyNumber(5, 6)).toBeNull()
  expect(supplyNumber(5, -1)).toBeNull()
})

test('loyalty is null under 3 scripts', () => {
  expect(loyalty({ here: 1, leaked: 1 })).toBeNull()
  expect(loyalty({ here: 2, leaked: 1 })).toBeCloseTo(2 / 3, 12)
  expect(loyalty({ here: 4, leaked: 1 })).toBe(0.8)
})
