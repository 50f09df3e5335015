import { NO_RATE } from '@pillar/domain/message/sending-rules'
import { expect, test } from 'vitest'
import { type Run, runEvery, runWords } from './run-words.ts'

const NOW = new Date('2026-11-20T03:14:00Z')

const progress = {
  messages: 4812,
  delivered: 2412,
  sent: 96,
  failed: 31,
  skipped: 912,
  queued: 1300,
  sending: 61,
  unknown: 0,
}
const run = (part: Partial<Run>): Run => ({
  run_id: 'r',
  state: 'sending',
  starts_at: null,
  next_at: null,
  finishes_at: null,
  rate_per_minute: 80,
  counting: false,
  progress,
  skipped: [],
  failed: [],
  cents: 0,
  simulated: false,
  pharmacies: [],
  ...part,
})

test('with nothing left but messages in doubt, no time to go is promised', () => {
  const left = (unknown: number) =>
    run({ finishes_at: NOW.toISOString(), progress: { ...progress, queued: 0, sending: 0, unknown } })
  expect(runWords(left(1216), NOW, 'AU')).toBe(
    'Nothing more to send. The gateway has not said yet whether it took 1,216 messages.',
  )
  expect(runWords(left(1), NOW, 'AU')).toMatch(/took 1 message\.$/)
  expect(runWords(left(0), NOW, 'AU')).toBe('About a minute to go, at 80 a minute.')
})

test('the state of a run, in words', () => {
  expect(runWords(run({ state: 'holding', starts_at: '2026-11-20T03:15:42Z' }), NOW, 'AU')).toBe(
    'You can cancel this for 1:42.',
  )
  // Not 0:00 while there is still time.
  expect(runWords(run({ state: 'holding', starts_at: '2026-11-20T03:14:00.400Z' }), NOW, 'AU')).toMatch(/ 0:01\.$/)
  for (const starts_at of ['2026-11-20T03:14:00Z', '2026-11-20T03:13:00Z'])
    expect(runWords(run({ state: 'holding', starts_at }), NOW, 'AU')).toBe('Sending starts in a moment.')
  const later = { starts_at: '2026-11-22T23:00:00Z', finishes_at: '2026-11-23T01:00:00Z' }
  expect(runWords(run({ state: 'holding', ...later }), NOW, 'AU')).toMatch(
    /^You can cancel this until Mon 23 Nov, 10:00 am.*\. All sent by Mon 23 Nov, 12:00 pm.*\.$/,
  )
  expect(runWords(run(later), NOW, 'AU')).toMatch(
    /^1,361 messages to go, at 80 a minute during sending hours\. All sent by Mon 23 Nov, 12:00 pm.*\.$/,
  )
  const untouched = { ...progress, delivered: 0, sent: 0, failed: 0, sending: 0, queued: 1 }
  expect(runWords(run({ state: 'stopped', progress: untouched }), NOW, 'AU')).toMatch(
    /^Sending cancelled\. Nothing has been sent\. Resume to send 1 message,/,
  )
  for (const some of ['sending', 'unknown'] as const)
    expect(runWords(run({ state: 'stopped', progress: { ...untouched, [some]: 1 } }), NOW, 'AU')).toMatch(/^Stopped\. /)
  expect(runWords(run({ finishes_at: '2026-11-20T03:31:00Z' }), NOW, 'AU')).toBe(
    'About 17 minutes to go, at 80 a minute.',
  )
  expect(runWords(run({}), NOW, 'AU')).toBe('1,361 messages to go, at 80 a minute.')
  expect(runWords(run({ rate_per_minute: NO_RATE }), NOW, 'AU')).toBe(
    '1,361 messages to go, as fast as the gateway takes them.',
  )
  expect(runWords(run({ state: 'stopped' }), NOW, 'AU')).toBe('Stopped. 1,361 messages have not been sent.')
  expect(runWords(run({ state: 'done' }), NOW, 'AU')).toBe(null)
  const held_reason = 'The approval is for up to 1 person and $1.00, but 2 people would be messaged. Nothing was sent.'
  expect(runWords(run({ state: 'failed', held_reason }), NOW, 'AU')).toBe(`Held back. ${held_reason}`)
  expect(runWords(run({ state: 'failed' }), NOW, 'AU')).toMatch(/^The messages could not be prepared/)
})

test('outside sending hours a run says when sending starts', () => {
  const next_at = '2026-11-22T23:00:00Z'
  const finishes_at = '2026-11-22T23:02:00Z'
  expect(runWords(run({ next_at, finishes_at }), NOW, 'AU')).toMatch(
    /^1,361 messages to go\. Outside sending hours: sending starts Mon 23 Nov, 10:00 am.*\. All sent by Mon 23 Nov, 10:02 am.*\.$/,
  )
  const held = run({ state: 'holding', starts_at: '2026-11-20T03:15:42Z', next_at })
  expect(runWords(held, NOW, 'AU')).toMatch(
    /^You can cancel this for 1:42\. Outside sending hours: sending starts Mon 23 Nov, 10:00 am.*\.$/,
  )
  expect(runWords({ ...held, starts_at: '2026-11-20T03:13:00Z' }, NOW, 'AU')).toMatch(/^Outside sending hours/)
  expect(runWords({ ...held, next_at: '2026-11-20T03:15:42Z' }, NOW, 'AU')).toBe('You can cancel this for 1:42.')
})

test('a run is read again every two seconds while it changes, seldom while receipts are missing, never once settled', () => {
  expect(runEvery(run({}))).toBe(2000)
  const still = { ...progress, sending: 0, unknown: 0 }
  for (const state of ['preparing', 'holding', 'sending'] as const)
    expect(runEvery(run({ state, progress: still }))).toBe(2000)
  expect(runEvery(run({ state: 'done', progress: still }))).toBe(15_000)
  expect(runEvery(run({ state: 'done', progress: { ...still, sent: 0 } }))).toBe(false)
  expect(runEvery(run({ state: 'done', progress: { ...still, sent: 0, unknown: 1 } }))).toBe(15_000)
})

test('a run that was stopped or has ended is read again until its last messages are counted', () => {
  const stopped = { ...progress, sending: 0, sent: 0, unknown: 0 }
  expect(runEvery(run({ state: 'stopped', progress: stopped }))).toBe(false)
  expect(runEvery(run({ state: 'stopped', progress: { ...stopped, sending: 3 } }))).toBe(2000)
  expect(runEvery(run({ state: 'stopped', progress: stopped, counting: true }))).toBe(2000)
  expect(runEvery(run({ state: 'done', progress: stopped, counting: true }))).toBe(2000)
  expect(runEvery(undefined)).toBe(false)
})
