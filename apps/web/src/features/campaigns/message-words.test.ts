import { expect, it } from 'vitest'
import { progressParts } from '../../kit/display/progress-parts.ts'
import { campaignStatus, goalWords, liveEvery } from './campaign-status.ts'
import {
  ageTexts,
  allMessages,
  costPerPatient,
  instantText,
  outcomeCounts,
  purposeParts,
  roiNote,
  roiText,
} from './message-words.ts'
import { recommendationNote, shownFirst } from './recommended.ts'
import { centsText, countedText, exampleCost, partPrice } from './sms-cost.ts'

it('what was sent adds up', () => {
  const counts = { num_campaign_messages: 15930, num_trial_messages: 312, num_normal_messages: 1962 }
  expect(allMessages(counts)).toBe(18204)
  expect(purposeParts('AU', counts).map(({ label, text }) => `${label} ${text}`)).toEqual([
    'Campaigns 15,930',
    'Trials 312',
    'Communications 1,962',
  ])
})

it('what happened adds up, held back and waiting included', () => {
  const counts = outcomeCounts({ delivered: 636, sent: 7, failed: 15, held_back: 61, queued: 3, unknown: 2 })
  expect(counts.messages).toBe(724)
  expect(progressParts('AU', counts).reduce((sum, { value }) => sum + value, 0)).toBe(724)
})

it('a figure that does not exist is a dash with its reason', () => {
  expect(roiText('AU', 34.61)).toBe('34.6×')
  expect(roiText('AU', -0.5)).toBe('−0.5×')
  expect(roiText('AU', null)).toBe('–')
  expect(roiNote('GB', { total_roi: 2, total_cost: 1 })).toBe('for each £1 spent')
  expect(roiNote('AU', { total_roi: null, total_cost: 0 })).toBe('nothing paid yet')
  expect(roiNote('AU', { total_roi: null, total_cost: 3 })).toBe('no revenue to count yet')
  expect(costPerPatient('AU', 1803.36, 9877)).toBe('$0.18 a patient')
  expect(costPerPatient('AU', 0, 0)).toBeNull()
})

it('ages are by the clock of the person looking, and say when there are none', () => {
  expect(instantText('AU', '2026-11-20T03:14:00.000Z', 'Australia/Sydney')).toBe('Fri 20 Nov 2026, 2:14 pm')
  expect(instantText('AU', '2026-11-20T13:30:00.000Z', 'Australia/Sydney')).toBe('Sat 21 Nov 2026, 12:30 am')
  expect(ageTexts('AU', { receipts_to: null, data_to: null })).toEqual(['No receipts yet', 'no sales data yet'])
  expect(ageTexts('AU', { receipts_to: null, data_to: '2026-11-19' }, true).slice(1)).toEqual([
    'sales to Thu 19 Nov 2026',
    'could not be refreshed just now',
  ])
})

it('a campaign has one status word', () => {
  const word = (active: boolean, run_state: Parameters<typeof campaignStatus>[0]['run_state'], made_goal = false) =>
    campaignStatus({ active, run_state, made_goal })
  expect(word(true, 'sending', true)).toBe('Sending')
  expect(word(true, 'holding')).toBe('Scheduled')
  expect(word(true, 'preparing')).toBe('Scheduled')
  expect(word(true, 'stopped', true)).toBe('Stopped')
  expect(word(true, 'done', true)).toBe('Goal made')
  expect(word(true, 'done')).toBe('Active')
  expect(word(true, null)).toBe('Active')
  expect(word(false, 'sending')).toBe('Inactive')
  expect(word(true, 'failed', true)).toBe('Failed')
})

it('a list is read again only while something in it moves', () => {
  expect(liveEvery([])).toBe(false)
  expect(liveEvery([{ run_state: 'done' }, { run_state: null }, { run_state: 'stopped' }])).toBe(false)
  expect(liveEvery([{ run_state: 'done' }, { run_state: 'holding' }])).toBe(3000)
})

it('a goal is said in words, made or not', () => {
  const goal = { goal_type: 'scripts', measure_by: 'percentage', goal: 6, made_goal: false } as const
  expect(goalWords('AU', goal)).toBe('Scripts by 6.00%')
  expect(goalWords('AU', { ...goal, made_goal: true })).toBe('Made: Scripts by 6.00%')
  expect(goalWords('AU', { ...goal, goal: null })).toBeNull()
})

it('new recommendations come first, and say what they are', () => {
  const template = { type: 'template', sms_template: true, email_template: false } as never
  expect(
    shownFirst([
      { n: 1, new: false },
      { n: 2, new: true },
      { n: 3, new: true },
    ]).map(({ n }) => n),
  ).toEqual([2, 3, 1])
  expect(recommendationNote('AU', template)).toBe('SMS template')
  expect(recommendationNote('AU', { ...(template as object), email_template: true } as never)).toBe(
    'SMS and email template',
  )
  expect(
    recommendationNote('AU', { ...(template as object), sms_template: false, email_template: true } as never),
  ).toBe('Email template')
  expect(recommendationNote('AU', { type: 'campaign', patients: 1204 } as never)).toBe(
    'Campaign · 1,204 patients match',
  )
  expect(recommendationNote('AU', { type: 'campaign', patients: null } as never)).toBe('Campaign')
})

it('texts are priced and counted in words', () => {
  expect(partPrice('AU')).toBe('12c')
  expect(partPrice('GB')).toBe('12p')
  expect(centsText('AU', 120)).toBe('$1.20')
  expect(exampleCost('AU', 1000, 2)).toBe('$240.00')
  expect(countedText('AU', '')).toEqual({ count: 'Nothing to count yet.', forced: '' })
  expect(
    countedText('AU', 'Hi {First Name}, your next repeat is due at {Pharmacy Name}. Call {Pharmacy Number}.'),
  ).toEqual({
    count: 'About 120 of 160 characters · 1 part, 12c a text',
    forced: '',
  })
  const emoji = countedText('AU', 'Time for your repeat 💊 and some more words so that it takes two parts, ok?')
  expect(emoji.count).toMatch(/2 parts, 24c a text$/)
  expect(emoji.forced).toBe('‘💊’ is a special character, so each part holds fewer.')
})
