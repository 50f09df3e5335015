import type { MessageBatch } from '@pillar/contract/message/run-admin'
import { expect, test } from 'vitest'
import { momentIn } from '../../kit/display/dates.ts'
import { batchCounts, batchFacts, batchName, batchWord, pausedWords, stopWords } from './message-info-words.ts'

const batch = {
  campaign_id: null,
  campaign_name: null,
  trial_name: null,
  sequence_title: null,
  follow_up_order: null,
  template_name: 'Repeat due',
  location_name: 'Saltbush Bendigo',
  message_date: '2026-11-19T03:14:00Z',
  time_zone: 'Australia/Melbourne',
  message_context: 'communication',
  communication_type: 'sms',
  user_name: null,
  num_queued: 1,
} as MessageBatch

test('a batch has the name of what sent it', () => {
  expect(batchName(batch)).toBe('Repeat due')
  expect(batchName({ ...batch, campaign_name: 'Flu' })).toBe('Flu')
  expect(batchName({ ...batch, trial_name: 'Heart failure' })).toBe('Heart failure')
  expect(batchName({ ...batch, sequence_title: 'First script', follow_up_order: 2 })).toBe('First script, follow-up 2')
})

test('its facts name the template and the sender, if any', () => {
  expect(batchFacts('AU', batch)).toBe('19 Nov 2026, 2:14 pm · Saltbush Bendigo · Single message, SMS')
  expect(batchFacts('AU', { ...batch, message_context: 'campaign', campaign_name: 'Flu', user_name: 'Jo Marsh' })).toBe(
    '19 Nov 2026, 2:14 pm · Saltbush Bendigo · Campaign, SMS · Template Repeat due · Sent by Jo Marsh',
  )
})

test('a gateway that refuses messages is shown with its reason, since when, and the last attempt', () => {
  const paused = {
    communication_type: 'sms',
    reason: 'The account at the gateway has no credit: Insufficient funds',
    refused_since: '2026-11-19T03:14:10Z',
    refused_at: '2026-11-19T03:14:40Z',
  } as const
  expect(pausedWords('AU', paused)).toBe(
    'Texts have been waiting since 19 Nov 2026, 2:14 pm. The account at the gateway has no credit: Insufficient funds. They are sent automatically once it is fixed.',
  )
  const mail = {
    ...paused,
    communication_type: 'email',
    refused_at: '2026-11-19T04:10:00Z',
    reason: 'It is away.',
  } as const
  expect(pausedWords('AU', mail)).toBe(
    'Emails have been waiting since 19 Nov 2026, 2:14 pm. It is away. Last tried 19 Nov 2026, 3:10 pm. They are sent automatically once it is fixed.',
  )
})

test('times are by the pharmacy’s clock', () => {
  expect(momentIn('AU', 'Australia/Perth', '2026-11-19T20:30:00Z')).toBe('20 Nov 2026, 4:30 am')
})

test('a pending batch is shown as scheduled', () => {
  expect(batchWord('PENDING')).toBe('Scheduled')
  expect(batchWord('SKIPPED')).toBe('Held back')
  expect(batchWord('STOPPED')).toBe('Stopped')
  expect(batchWord('DELIVERED')).toBe('Delivered')
})

test('each count has its own name', () => {
  const counts = { num_patients: 28, num_queued: 1, num_sending: 2, num_sent: 3, num_delivered: 4 }
  expect(batchCounts({ ...batch, ...counts, num_failed: 5, num_skipped: 6, num_unknown: 7 })).toEqual({
    ...{ messages: 28, queued: 1, sending: 2, sent: 3, delivered: 4, failed: 5, skipped: 6, unknown: 7 },
  })
})

test('stopping says whether it can be resumed', () => {
  expect(stopWords(batch)).toBe('1 unsent message of Saltbush Bendigo will be cancelled. This can’t be undone.')
  expect(stopWords({ ...batch, campaign_id: 'x', num_queued: 3 })).toBe(
    '3 unsent messages of Saltbush Bendigo will not be sent unless the head office resumes the campaign.',
  )
})
