import { expect, it } from 'vitest'
import type { Cohort } from './cohort-question.ts'
import type { CohortGroup } from './count/alike.queries.ts'
import { forecast } from './send-window.ts'

const GOES = -1
const HELD = 0
/** A Friday evening in Sydney, a Friday afternoon in Perth. */
const NOW = new Date('2026-11-20T09:00:00Z')
/** Weekdays from nine to five. */
const WEEK = [1, 2, 3, 4, 5].map(() => [540, 1020] as const)

type Day = readonly [from: number, to: number]

/** @param own a pharmacy's Saturday hours, by its id, if it sends on that day */
function cohortOf(
  holdoutPercent: number,
  channels: ('sms' | 'email')[] = ['sms'],
  own: Readonly<Record<number, Day>> = {},
): Cohort {
  const texts = (channel: 'sms' | 'email') => (channels.includes(channel) ? { marketing: [false] } : null)
  return {
    question: { now: NOW, sms: texts('sms'), email: texts('email') },
    pharmacies: [
      { id: 1, calendar: { zone: 'Australia/Sydney', holidays: new Set() } },
      { id: 2, calendar: { zone: 'Australia/Perth', holidays: new Set() } },
    ],
    rules: { holdoutPercent },
    hoursAt: (id: number) => ({ week: [...WEEK, own[id] ?? null, null], holidaysQuiet: false }),
  } as unknown as Cohort
}
const group = (location_id: number, sms: number, email: number, patients: number) =>
  ({ location_id, sms, email, patients }) as CohortGroup
const OPEN = { from: null, until: null }
const GROUPS = [group(1, GOES, HELD, 500), group(1, HELD, GOES, 70), group(2, GOES, GOES, 120), group(2, HELD, HELD, 9)]

it('the holdout is the expected share of those who would receive', () => {
  expect(forecast(cohortOf(10), GROUPS, OPEN)).toEqual({ expected_held_out: 62, no_hour: 0 })
  expect(forecast(cohortOf(10, ['sms', 'email']), GROUPS, OPEN).expected_held_out).toBe(69)
  expect(forecast(cohortOf(0), GROUPS, OPEN).expected_held_out).toBe(0)
  // Without texts nobody receives anything yet.
  expect(forecast(cohortOf(10, []), GROUPS, OPEN)).toEqual({ expected_held_out: 0, no_hour: 0 })
})

it('patients of pharmacies without a sending hour between the dates are counted', () => {
  const until = (iso: string) => ({ from: null, until: new Date(iso) })
  // Both open only on Monday; Sydney an hour or more before Perth.
  expect(forecast(cohortOf(0), GROUPS, until('2026-11-22T12:00:00Z')).no_hour).toBe(620)
  expect(forecast(cohortOf(0), GROUPS, until('2026-11-22T23:00:00Z')).no_hour).toBe(120)
  expect(forecast(cohortOf(0), GROUPS, until('2026-11-23T12:00:00Z')).no_hour).toBe(0)
  const late = { from: new Date('2026-11-27T12:00:00Z'), until: new Date('2026-11-29T12:00:00Z') }
  expect(forecast(cohortOf(0), GROUPS, late).no_hour).toBe(620)
})

it('a pharmacy with its own hours is open by them', () => {
  const until = { from: null, until: new Date('2026-11-22T12:00:00Z') }
  expect(forecast(cohortOf(0, ['sms'], { 2: [540, 720] }), GROUPS, until).no_hour).toBe(500)
  expect(forecast(cohortOf(0, ['sms'], { 1: [540, 720], 2: [540, 720] }), GROUPS, until).no_hour).toBe(0)
})
