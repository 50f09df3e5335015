import type { CohortForecast } from '@pillar/contract/campaign/cohort'
import { NO_RATE } from '@pillar/domain/message/sending-rules'
import { day } from '@pillar/domain/time/day'
import { expect, test } from 'vitest'
import { editedWords, forecastWords, partsWords, sendWords } from '../cohort/forecast-words.ts'
import { durationWords, finishWords, timeWords, whenWords } from '../sending/time-words.ts'
import {
  attachmentWords,
  datesWords,
  daysLeftWords,
  deactivateWords,
  elapsedWords,
  goalMethodWords,
  goalPercent,
  meterOf,
  noValueWords,
  paceWords,
  sentWithWords,
  wayWords,
} from './campaign-words.ts'
import { matchingPharmacies, pointsText } from './detail/stats-words.ts'
import { nobodyWords, sendingWords } from './sending-words.ts'

const channel = {
  selected: 0,
  will_receive: 0,
  held_back: 0,
  reasons: [],
  parts: 0,
  cents: 0,
  by_parts: [],
  tipping: [],
}
const sms = (messages: number) => ({ ...channel, channel: 'sms' as const, messages })
const email = (messages: number) => ({ ...channel, channel: 'email' as const, messages })

test('the button names its effect and its cost', () => {
  expect(sendWords({ channels: [sms(3906)], cents: 49224 }, 'AU')).toBe('Send 3,906 texts, $492.24')
  expect(sendWords({ channels: [sms(1), email(120)], cents: 12 }, 'GB')).toBe('Send 1 text and 120 emails, £0.12')
  expect(sendWords({ channels: [sms(0), email(1)], cents: 0 }, 'AU')).toBe('Send 1 email, $0.00')
  expect(sendWords({ channels: [sms(0)], cents: 0 }, 'AU')).toBe('Nobody to send to')
})

test('numbers known only once messages are written', () => {
  expect(forecastWords({ expected_held_out: 0, no_hour: 0 }, 'AU')).toEqual([])
  expect(forecastWords({ expected_held_out: 1062, no_hour: 1 }, 'AU')).toEqual([
    'About 1,062 of these patients are in the comparison group, to measure the effect: no message, no cost.',
    '1 of these patients is at a pharmacy that has no sending hours left before the campaign ends: no message, no cost.',
  ])
})

test('the effects of deactivating', () => {
  expect(deactivateWords(1361, 2, 'AU')).toBe(
    '1,361 unsent messages will be cancelled. 2 templates will be deactivated.',
  )
  expect(deactivateWords(1, 0, 'AU')).toBe('1 unsent message will be cancelled.')
  expect(deactivateWords(0, 0, 'AU')).toBe('Deactivating ends it today.')
})

test('dates, days left and progress', () => {
  expect(datesWords({ start_date: '2026-11-09', end_date: '2026-12-07' }, 'AU')).toBe('9 Nov – 7 Dec 2026')
  expect(datesWords({ start_date: '2026-11-09', end_date: null }, 'AU')).toBe('From 9 Nov 2026')
  expect(datesWords({ start_date: null, end_date: null }, 'AU')).toBe('No dates')
  const left = (days_left: number, on: string, active = true) =>
    daysLeftWords({ active, days_left, end_date: '2026-12-07' }, day(on))
  expect(left(17, '2026-11-20')).toBe('17 days left')
  expect(left(1, '2026-12-06')).toBe('1 day left')
  expect(left(0, '2026-12-07')).toBe('Last day')
  expect(left(0, '2026-12-08')).toBe('Ended')
  expect(left(3, '2026-12-04', false)).toBe(null)
  const dates = { start_date: '2026-11-09', end_date: '2026-12-07' }
  expect(elapsedWords(dates, day('2026-11-09'))).toBe('after 1 of 29 days')
  expect(elapsedWords(dates, day('2026-11-20'))).toBe('after 12 of 29 days')
  expect(elapsedWords(dates, day('2027-01-01'))).toBe('after 29 of 29 days')
  expect(elapsedWords(dates, day('2026-11-01'))).toBe(null)
})

test('the goal: percent of the way may exceed 100, the meter may not; empty before anything is sent', () => {
  const place = { started: true, start: 200, now: 812, goal: 600, measured_to: null, pace: null }
  expect(goalPercent({ goal_place: place })).toBe(153)
  const percents = [599, 600 - 1e-9, 600].map((now) => goalPercent({ goal_place: { ...place, now } }))
  expect(percents).toEqual([99, 100, 100])
  expect(goalPercent({ goal_place: { ...place, start: place.goal } })).toBeNull()
  expect(meterOf({ goal_place: place })).toBe(1)
  expect(meterOf({ goal_place: { ...place, now: 190 } })).toBe(0)
  expect([-182, -1, 0, 62, 100, 1530].map((percent) => wayWords(percent, 'AU'))).toEqual([
    'Below the starting point',
    'Below the starting point',
    '0% of the way',
    '62% of the way',
    'At the goal',
    'Past the goal',
  ])
  const waiting = { goal_place: { ...place, started: false, now: null } }
  expect([goalPercent(waiting), meterOf(waiting), noValueWords(waiting)]).toEqual([null, 0, 'Not started'])
})

test('the pace a goal needs', () => {
  const place = { started: true, start: 0, now: 1, goal: 2, measured_to: null }
  const pace = { unit: 'percent' as const, needed: 11.6176, so_far: 5.9457, days: 27, behind: true }
  const words = (goal_type: 'scripts' | 'revenue' | 'adherence', more: Record<string, unknown>) =>
    paceWords({ goal_type, goal_place: { ...place, pace: { ...pace, ...more } as typeof pace } }, 'AU')
  expect(words('scripts', {})).toBe('The last 27 days need +11.62% on last year; so far +5.95%.')
  expect(words('revenue', { unit: 'a_day', needed: 500, days: 1 })).toBe(
    'The last day needs $500 a day; so far $6 a day.',
  )
  expect(words('adherence', { unit: 'points_a_week', needed: 0.5, so_far: 0.25 })).toBe(
    'The last 27 days need 0.50 points a week; so far 0.25 points a week.',
  )
  expect(paceWords({ goal_type: 'scripts', goal_place: { ...place, pace: null } }, 'AU')).toBeNull()
})

test('a revenue goal says what it counts once it is measured', () => {
  const goal = { goal_type: 'revenue' as const, measure_by: 'target' as const, current_goal_value: 18420 }
  expect(goalMethodWords(goal)).toBe('All dispensed to the campaign’s patients since it started, messaged or not')
  expect(goalMethodWords({ ...goal, measure_by: 'percentage' })).toMatch(/compared with the same dates last year$/)
  expect(goalMethodWords({ ...goal, current_goal_value: null })).toBe(null)
  expect(goalMethodWords({ ...goal, goal_type: 'scripts' })).toBe(null)
})

test('attachments, parts, durations', () => {
  const template = { template_id: '', template_name: '', sms_template: true, email_template: false, active: true }
  expect(attachmentWords({ templates: [template, template], note: 'x' })).toBe('2 templates, 1 note')
  expect(attachmentWords({ templates: [template], note: null })).toBe('1 template')
  expect(attachmentWords({ templates: [], note: null })).toBe(null)
  expect([1, 2, 9].map(partsWords)).toEqual(['Texts in one part', 'Texts in two parts', 'Texts in 9 parts'])
  expect([20_000, 49 * 60_000, 3 * 3_600_000, 50 * 3_600_000].map(durationWords)).toEqual([
    'about a minute',
    'about 49 minutes',
    'about 3 hours',
    'about 2 days',
  ])
})

const NOW = new Date('2026-11-20T03:14:00Z')

test('times: without a day for today, with it for another day', () => {
  expect(timeWords('2026-11-20T03:14:00Z', NOW, 'AU', 'Australia/Sydney')).toBe('2:14 pm')
  expect(timeWords('2026-11-22T23:00:00Z', NOW, 'AU', 'Australia/Sydney')).toBe('Mon 23 Nov, 10:00 am')
  expect(timeWords('2026-11-22T23:00:00Z', NOW, 'AU', 'Australia/Perth')).toBe('Mon 23 Nov, 10:00 am (Sydney time)')
  expect(timeWords('2026-11-22T15:00:00Z', NOW, 'US', 'UTC')).toBe('Sun Nov 22, 10:00 AM (New York time)')
})

test('the finish: with a start only if sending cannot begin soon', () => {
  const ledger = {
    counted_at: '',
    channels: [{ channel: 'sms', messages: 3_900 }] as unknown as CohortForecast['channels'],
    rate_per_minute: 80,
    finishes_at: '2026-11-20T04:05:00Z',
    starts_at: '2026-11-20T03:16:00Z',
  }
  expect(finishWords(ledger, NOW, 'AU')).toBe('Sending takes about 49 minutes at 80 a minute')
  expect(finishWords({ ...ledger, finishes_at: null }, NOW, 'AU')).toBe('Sends 80 a minute')
  expect(finishWords({ ...ledger, finishes_at: null, rate_per_minute: NO_RATE }, NOW, 'AU')).toBe(
    'Sends as fast as the gateway takes them',
  )
  expect(
    finishWords(
      { ...ledger, finishes_at: null, rate_per_minute: NO_RATE, starts_at: '2026-11-22T23:00:00Z' },
      NOW,
      'AU',
    ),
  ).toBe('Sending starts at 10:00 am on Mon 23 Nov (Sydney time), as fast as the gateway takes them')
  const later = { ...ledger, starts_at: '2026-11-22T23:00:00Z', finishes_at: '2026-11-22T23:49:00Z' }
  expect(finishWords(later, NOW, 'AU')).toBe(
    'Sending starts at 10:00 am on Mon 23 Nov (Sydney time) and takes about 49 minutes at 80 a minute',
  )
  // The last pharmacy opens three hours after the first, so the pace is not what delays the finish.
  const west = finishWords({ ...later, finishes_at: '2026-11-23T02:00:00Z', rate_per_minute: 1200 }, NOW, 'AU')
  expect(west).toMatch(/ and takes about 3 hours, in each pharmacy’s sending hours$/)
})

test('before sending, the day and the zone are always named', () => {
  expect(whenWords('2026-11-20T03:14:00Z', NOW, 'AU')).toBe('2:14 pm today (Sydney time)')
  expect(whenWords('2026-11-20T22:00:00Z', NOW, 'AU')).toBe('9:00 am tomorrow (Sydney time)')
  expect(whenWords('2099-01-04T22:00:00Z', NOW, 'AU')).toBe('9:00 am on Mon 5 Jan 2099 (Sydney time)')
  expect(whenWords('2026-11-22T15:00:00Z', NOW, 'US')).toBe('10:00 AM on Sun Nov 22 (New York time)')
  const ledger = {
    channels: [{ channel: 'sms', messages: 8 }] as unknown as CohortForecast['channels'],
    ...{ will_receive: 8, held_back: 1, starts_at: '2026-11-20T03:14:00Z' },
    pharmacies: [{ will_receive: 8 }, { will_receive: 0 }] as CohortForecast['pharmacies'],
  }
  expect(sendingWords(ledger, NOW, 'AU')).toBe(
    '8 texts to 8 patients at 1 pharmacy, from 2:14 pm today (Sydney time). 1 patient is held back.',
  )
  expect(sendingWords({ ...ledger, held_back: 0 }, NOW, 'AU')).toMatch(/\(Sydney time\)\.$/)
  expect(sendingWords({ ...ledger, channels: [] }, NOW, 'AU')).toBeNull()
  expect([0, 1, 1200].map((held) => nobodyWords(held, 'AU').slice('Nobody would receive this: '.length))).toEqual([
    'no patient matches.',
    'the one who matches is held back.',
    'all 1,200 who match are held back.',
  ])
})

test('how many patients an active campaign has reached, while it is edited', () => {
  const reasons = [{ reason: 'already_contacted', text: '', count: 14 }]
  expect(editedWords({ selected: 17, will_receive: 2, reasons }, 'AU')).toBe(
    '17 patients match. 14 of them already have this campaign’s message or are queued for it. 2 more would receive it at the next activation, 1 is held back.',
  )
  expect(editedWords({ selected: 14, will_receive: 0, reasons }, 'AU')).toMatch(
    /^14 patients match\. All of them already/,
  )
  expect(editedWords({ selected: 1, will_receive: 1, reasons: [] }, 'AU')).toMatch(
    /^1 patient matches\. None of them has/,
  )
})

test('only inactive templates are announced as activated', () => {
  const on = { template_name: 'Repeat ready', active: true }
  const off = { template_name: 'Second notice', active: false }
  expect(sentWithWords([on])).toBe('Sent with 1 template: Repeat ready.')
  expect(sentWithWords([on, off])).toBe(
    'Sent with 2 templates: Repeat ready and Second notice. Inactive templates will be activated.',
  )
})

test('points have their sign, and a search for pharmacies uses every word', () => {
  expect([2.1, -0.4, 0, null].map((points) => pointsText('AU', points))).toEqual([
    '+2.10 pts',
    '−0.40 pts',
    '0.00 pts',
    '–',
  ])
  const locations = [
    { location_id: 'a', location_name: 'Saltbush Pharmacy Coburg' },
    { location_id: 'b', location_name: 'Canal Road Pharmacy' },
  ]
  expect(matchingPharmacies(locations, ' ')).toBe(null)
  expect(matchingPharmacies(locations, 'pharm cob')).toEqual(['a'])
  expect(matchingPharmacies(locations, 'zzz')).toEqual([])
})
