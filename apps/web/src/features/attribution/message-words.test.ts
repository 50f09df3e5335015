import { expect, it } from 'vitest'
import { progressParts } from '../../kit/display/figure/progress-parts.ts'
import {
  ageTexts,
  allMessages,
  costPerPatient,
  instantText,
  outcomeCounts,
  purposeParts,
  rankText,
  roiNote,
  roiSum,
  roiText,
} from './message-words.ts'

it('the kinds of sent messages add up', () => {
  const counts = { num_campaign_messages: 15930, num_trial_messages: 312, num_normal_messages: 1962 }
  expect(allMessages(counts)).toBe(18204)
  expect(purposeParts('AU', counts).map(({ label, text }) => `${label} ${text}`)).toEqual([
    'Campaigns 15,930',
    'Trials 312',
    'Communications 1,962',
  ])
})

it('outcomes add up, including held back and waiting', () => {
  const counts = outcomeCounts({ delivered: 636, sent: 7, failed: 15, held_back: 61, queued: 3, unknown: 2 })
  expect(counts.messages).toBe(724)
  expect(progressParts('AU', counts).reduce((sum, { value }) => sum + value, 0)).toBe(724)
})

it('a missing figure is a dash with its reason', () => {
  expect(roiText('AU', 34.61)).toBe('34.6×')
  expect(roiText('AU', -0.5)).toBe('−0.5×')
  expect(roiText('AU', null)).toBe('–')
  expect(roiNote('GB', { total_roi: 2, total_cost: 1, total_result: { reason: null } })).toBe('for each £1 spent')
  expect(roiNote('AU', { total_roi: null, total_cost: 0, total_result: { reason: null } })).toBe('nothing paid yet')
  expect(roiNote('AU', { total_roi: null, total_cost: 3, total_result: { reason: 'no_data' } })).toBe(
    'no revenue to count yet',
  )
  expect(roiNote('AU', { total_roi: null, total_cost: 3, total_result: { reason: 'too_few' } })).toBe('too few to tell')
  expect(costPerPatient('AU', 1803.36, 9877)).toBe('$0.18 a patient')
  expect(costPerPatient('AU', 0, 0)).toBeNull()
})

it('ages use the reader’s clock, and say when there are none', () => {
  expect(instantText('AU', '2026-11-20T03:14:00.000Z', 'Australia/Sydney')).toBe('Fri 20 Nov 2026, 2:14 pm')
  expect(instantText('AU', '2026-11-20T13:30:00.000Z', 'Australia/Sydney')).toBe('Sat 21 Nov 2026, 12:30 am')
  expect(instantText('GB', '2026-11-20T03:14:00.000Z', 'Europe/London')).toBe('Fri 20 Nov 2026, 3:14 am')
  expect(instantText('US', '2026-11-20T20:14:00.000Z', 'America/New_York')).toBe('Fri Nov 20, 2026, 3:14 PM')
  // In any time zone of the reader's machine.
  expect(ageTexts('AU', { receipts_to: '2026-11-20T13:30:00.000Z', data_to: null })[0]).toBe(
    'Receipts to Sat 21 Nov 2026, 12:30 am',
  )
  expect(ageTexts('AU', { receipts_to: null, data_to: null })).toEqual(['No receipts yet', 'no sales data yet'])
  expect(ageTexts('AU', { receipts_to: null, data_to: '2026-11-19' }, true).slice(1)).toEqual([
    'sales to Thu 19 Nov 2026',
    'could not be refreshed just now',
  ])
})

it('ROI names its sum, and the costs it leaves out', () => {
  const stats = { total_revenue: 600, total_cost: 36, total_roi_cost: 24, total_roi: 24 }
  expect(roiSum('AU', { ...stats, total_cost: 24 })).toBe('($600.00 − $24.00) ÷ $24.00 = 24.0×.')
  expect(roiSum('AU', stats)).toBe(
    '($600.00 − $24.00) ÷ $24.00 = 24.0×. This leaves out $12.00 for messages to patients whose revenue is not known: their data does not go back a year, or does not reach the message yet.',
  )
  expect(roiSum('AU', { ...stats, total_cost: 24.01 })).toContain('This leaves out $0.01 for')
  expect(roiSum('AU', { ...stats, total_roi: null })).toMatch(/^Nothing was paid in this period/)
})

it('a pharmacy whose revenue is not known has no rank', () => {
  expect(rankText('AU', { rank: 1, revenue: null })).toBe('–')
  expect(rankText('AU', { rank: 1024, revenue: 0 })).toBe('1,024')
})
