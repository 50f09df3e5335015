import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { day } from '../time/day.ts'
import { instantAt } from '../time/local-time.ts'
import { businessDaysBetween, dayIn } from '../time/zone.ts'
import { FAULTY_RANK, FAULTY_STATES, nextStep, silentBefore, silentDays } from './faulty-upload.ts'

const ZONE = 'Australia/Melbourne'
const calendar = { zone: ZONE, holidays: new Set<number>() }
const at = (iso: string, hour: number) => instantAt(ZONE, day(iso), hour * 60)
const FOUR = { businessDays: 4 }

describe('a pharmacy without uploads', () => {
  test('counts by business days: the domain’s worked example', () => {
    const now = at('2025-08-21', 9)
    const last = at('2025-08-14', 20)
    // Fri, Mon, Tue and Wed.
    expect(silentDays(last, calendar, now)).toBe(4)
    expect(last < silentBefore(FOUR, calendar, now)).toBe(true)
    expect(at('2025-08-15', 0) < silentBefore(FOUR, calendar, now)).toBe(false)
    expect(last < silentBefore(FOUR, calendar, at('2025-08-20', 23))).toBe(false)
  })

  test('ignores a holiday of its region, and uses the days of its zone', () => {
    const holidays = new Set([day('2025-08-18')])
    expect(at('2025-08-14', 20) < silentBefore(FOUR, { zone: ZONE, holidays }, at('2025-08-21', 9))).toBe(false)
    expect(at('2025-08-14', 20) < silentBefore(FOUR, { zone: ZONE, holidays }, at('2025-08-22', 9))).toBe(true)
    // 14 August 23:00 in Melbourne is 14 August 21:00 in Perth; at 01:00 it is still the previous day there.
    const early = at('2025-08-15', 1)
    const now = at('2025-08-21', 9)
    expect(early < silentBefore(FOUR, calendar, now)).toBe(false)
    expect(early < silentBefore(FOUR, { ...calendar, zone: 'Australia/Perth' }, now)).toBe(true)
  })

  test('is found at the same cut as by counting business days, whatever the day and the holidays', () => {
    const date = fc.integer({ min: day('2024-01-01'), max: day('2026-12-31') })
    fc.assert(
      fc.property(
        ...[date, fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 12 })],
        ...[fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 6 }), fc.integer({ min: 0, max: 1439 })],
        (today, back, count, off, minute) => {
          const holidays = new Set(off.map((one) => today - one))
          const now = instantAt(ZONE, today, 720)
          const last = instantAt(ZONE, today - back, minute)
          const silent = last < silentBefore({ businessDays: count }, { zone: ZONE, holidays }, now)
          expect(silent).toBe(businessDaysBetween(dayIn(ZONE, last), today, holidays) >= count)
        },
      ),
    )
  })

  test('counts by hours: more than that many ago', () => {
    const now = at('2025-08-21', 9)
    expect(silentBefore({ hours: 24 }, calendar, now)).toEqual(at('2025-08-20', 9))
  })

  test('has no silent days if it never uploaded', () => {
    expect(silentDays(null, calendar, at('2025-08-21', 9))).toBeNull()
  })
})

test('the order of the list is the specification’s', () => {
  const order = ['NEVER UPLOADED', 'REQUESTED', 'RECEIVED', 'NOT RECEIVED', 'ERROR'] as const
  expect(order.map((state) => FAULTY_RANK[state])).toEqual([0, 1, 2, 3, 4])
})

test('every state has a next step, and a rejected upload with row faults starts with them', () => {
  for (const state of FAULTY_STATES) expect(nextStep({ state, faults: 0, requested: false })).toMatch(/^[A-Z].*\.$/)
  expect(nextStep({ state: 'ERROR', faults: 3, requested: false })).toContain('row faults')
  expect(nextStep({ state: 'ERROR', faults: 0, requested: false })).not.toContain('row faults')
  expect(nextStep({ state: 'NOT RECEIVED', faults: 0, requested: true })).toContain('did not arrive')
})
