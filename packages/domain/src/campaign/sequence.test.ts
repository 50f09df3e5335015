import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { day } from '../time/day.ts'
import { localTime } from '../time/local-time.ts'
import {
  dueAt,
  type EventFacts,
  enrols,
  eventDay,
  eventInUseProblem,
  type FollowUpFacts,
  followUpAnswer,
  followUpProblem,
  goalReached,
  responded,
  sequenceEventProblem,
} from './sequence.ts'

const zone = 'Australia/Sydney'
const at = (order: number, days: number) => ({ follow_up_order: order, days_after: days })
const steps = [at(1, 3), at(2, 23), at(3, 35)]
const facts: FollowUpFacts = {
  sequenceActive: true,
  startDay: null,
  endDay: null,
  consented: true,
  deceased: false,
  deceasedElsewhere: false,
  cents: 12,
  budgetLeft: null,
  goalReached: false,
  restoredUntil: null,
}

describe('the worked example', () => {
  test('first script 1 August: 4 August, 24 August, 5 September, at ten', () => {
    expect(steps.map((step) => dueAt(zone, day('2026-08-01'), step).toISOString())).toEqual([
      '2026-08-04T00:00:00.000Z',
      '2026-08-24T00:00:00.000Z',
      '2026-09-05T00:00:00.000Z',
    ])
  })

  test('a repeat on 28 August cancels the third follow-up', () => {
    const supplies = [day('2026-08-01'), day('2026-08-28')]
    const answers = steps.map((step) => {
      const due = dueAt(zone, day('2026-08-01'), step)
      const today = localTime(zone, due).day
      const reached = goalReached(day('2026-08-01'), supplies, today)
      return followUpAnswer(due, due, today, { ...facts, goalReached: reached })
    })
    expect(answers).toEqual([{ act: 'send' }, { act: 'send' }, { act: 'skip', reason: 'goal_reached' }])
  })

  test('a repeat counts from the day after the event to the day it is known of, that day too', () => {
    expect([100, 101, 110, 111].map((supply) => goalReached(100, [supply], 110))).toEqual([false, true, true, false])
  })
})

describe('events', () => {
  const known: EventFacts = {
    supplied: day('2026-08-01'),
    suppliedBefore: null,
    historyFrom: day('2024-01-01'),
    runOut: day('2026-08-31'),
    repeatsLeft: 5,
    dispenseNumber: 1,
    repeatsAuthorised: 5,
    expires: day('2027-07-31'),
    lastVisit: day('2026-08-01'),
    meanCycle: 31,
  }

  test('each event falls on its day', () => {
    expect(eventDay('first_script', known)).toBe(day('2026-08-01'))
    expect(eventDay('refill_due', known)).toBe(day('2026-08-26'))
    expect(eventDay('refill_overdue', known)).toBe(day('2026-09-07'))
    expect(eventDay('script_expiring', known)).toBe(day('2027-07-01'))
    expect(eventDay('lapsed_patient', known)).toBe(day('2026-08-01') + 47)
    expect(eventDay('last_repeat_dispensed', { ...known, dispenseNumber: 6 })).toBe(day('2026-08-01'))
  })

  test('events do not happen otherwise', () => {
    expect(eventDay('first_script', { ...known, suppliedBefore: known.supplied - 365 })).toBeNull()
    expect(eventDay('first_script', { ...known, suppliedBefore: known.supplied - 366 })).toBe(known.supplied)
    expect(eventDay('first_script', { ...known, historyFrom: known.supplied - 364 })).toBeNull()
    expect(eventDay('first_script', { ...known, historyFrom: known.supplied - 365 })).toBe(known.supplied)
    for (const event of ['refill_due', 'refill_overdue', 'script_expiring'] as const) {
      expect(eventDay(event, { ...known, repeatsLeft: 0 })).toBeNull()
      expect(eventDay(event, { ...known, repeatsLeft: 1 })).toBe(eventDay(event, known))
    }
    expect(eventDay('last_repeat_dispensed', known)).toBeNull()
    expect(eventDay('lapsed_patient', { ...known, meanCycle: null })).toBeNull()
  })

  test('events older than 7 days start nothing, and the sequence can restart after 90 days', () => {
    expect([-1, 0, 7, 8].map((age) => enrols(100, 100 + age, null))).toEqual([false, true, true, false])
    expect([89, 90].map((days) => enrols(100 + days, 100 + days, 100))).toEqual([false, true])
  })
})

describe('an event of the console', () => {
  test('needs a name and what starts the sequence', () => {
    expect(sequenceEventProblem({ name: 'New to a medicine', value: 'first_script' })).toBe('')
    expect(sequenceEventProblem({ name: ' ', value: null })).toBe(
      'Please enter an event name and select what starts the sequence.',
    )
  })
})

describe('follow-ups', () => {
  test('days never decrease along the order', () => {
    expect(followUpProblem(steps)).toBe('')
    expect(followUpProblem([at(1, 3), at(2, 3)])).toBe('')
    expect(followUpProblem([at(2, 3), at(1, 3)])).toBe('')
    expect(followUpProblem([at(2, 23), at(3, 35), at(1, 3)])).toBe('')
    expect(followUpProblem([at(1, 730)])).toBe('')
    expect([731, -1].map((days) => followUpProblem([at(1, days)]))).toEqual(
      Array(2).fill('Please enter whole days after the event.'),
    )
    expect(followUpProblem([at(1, 23), at(2, 3)])).toBe('Please let no follow-up come before the one above it.')
    expect(followUpProblem([])).toBe('Please add at least one follow-up.')
    expect(followUpProblem([at(1, 1.5)])).toBe('Please enter whole days after the event.')
    expect(followUpProblem([at(1, 1), at(1, 2)])).toBe('Please give each follow-up its own place.')
  })

  test('all conditions are checked again at sending, in order', () => {
    const due = new Date('2026-08-04T00:00:00Z')
    const today = day('2026-08-04')
    const answer = (over: Partial<FollowUpFacts>, now = due) => followUpAnswer(due, now, today, { ...facts, ...over })
    expect(answer({}, new Date(due.getTime() - 1))).toEqual({ act: 'wait' })
    expect(answer({}, new Date(due.getTime() + 3 * 86_400_000))).toEqual({ act: 'send' })
    expect(answer({}, new Date(due.getTime() + 3 * 86_400_000 + 1))).toEqual({ act: 'skip', reason: 'missed' })
    expect(answer({ sequenceActive: false })).toEqual({ act: 'skip', reason: 'inactive' })
    expect(answer({ endDay: today - 1 })).toEqual({ act: 'skip', reason: 'outside_dates' })
    expect(answer({ startDay: today, endDay: today })).toEqual({ act: 'send' })
    expect(answer({ startDay: today + 1 })).toEqual({ act: 'skip', reason: 'outside_dates' })
    expect(answer({ deceased: true })).toEqual({ act: 'skip', reason: 'deceased' })
    expect(answer({ deceasedElsewhere: true })).toEqual({ act: 'skip', reason: 'deceased_elsewhere' })
    expect(answer({ consented: false })).toEqual({ act: 'skip', reason: 'no_consent' })
    expect(answer({ budgetLeft: 11 })).toEqual({ act: 'skip', reason: 'budget' })
    expect(answer({ budgetLeft: 12 })).toEqual({ act: 'send' })
    expect(answer({ restoredUntil: due })).toEqual({ act: 'skip', reason: 'restored' })
    expect(answer({ restoredUntil: new Date(due.getTime() - 1) })).toEqual({ act: 'send' })
    expect(answer({ goalReached: true }, new Date(0))).toEqual({ act: 'skip', reason: 'goal_reached' })
  })

  test('a response is a supply within 14 days', () => {
    expect([99, 100, 114, 115].map((supply) => responded(100, [supply]))).toEqual([false, true, true, false])
    expect(responded(100, [])).toBe(false)
    expect([[100], [100, 101]].map((supplies) => responded(100, supplies, 100))).toEqual([false, true])
  })

  test('property: follow-ups are due at ten, in order, across clock changes', () => {
    const days = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 6 })
    const zones = fc.constantFrom(zone, 'Europe/London', 'America/New_York', 'Australia/Lord_Howe')
    fc.assert(
      fc.property(days, zones, fc.integer({ min: 20_000, max: 22_000 }), (list, where, event) => {
        const sorted = [...list].sort((a, b) => a - b).map((after, index) => at(index + 1, after))
        expect(followUpProblem(sorted)).toBe('')
        const dues = sorted.map((step) => dueAt(where, event, step))
        dues.forEach((due, index) => {
          expect(localTime(where, due)).toEqual({ day: event + sorted[index]!.days_after, minute: 600 })
          if (index > 0) expect(due.getTime()).toBeGreaterThanOrEqual(dues[index - 1]!.getTime())
        })
      }),
      { numRuns: 100 },
    )
  })
})

test('an event names what it starts', () => {
  expect(eventInUseProblem('Repeat is due', 0, 0)).toBe('')
  expect(eventInUseProblem('Repeat is due', 1, 0)).toMatch(/^"Repeat is due" starts 1 sequence\. /)
  expect(eventInUseProblem('Repeat is due', 2, 1)).toMatch(
    /^"Repeat is due" starts 2 sequences and 1 recommended sequence\. /,
  )
})
