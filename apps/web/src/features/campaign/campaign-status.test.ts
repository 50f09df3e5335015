import { expect, it } from 'vitest'
import { campaignStatus, goalWords, liveEvery } from './campaign-status.ts'

const NOW = new Date('2026-11-27T14:00:00.000Z')

it('a campaign has one status word', () => {
  const word = (active: boolean, run_state: Parameters<typeof campaignStatus>[0]['run_state'], made_goal = false) =>
    campaignStatus({ active, run_state, made_goal, next_at: null }, NOW)
  expect(word(true, 'sending', true)).toBe('Sending')
  expect(word(true, 'holding')).toBe('Scheduled')
  expect(word(true, 'preparing')).toBe('Scheduled')
  expect(word(true, 'stopped', true)).toBe('Stopped')
  expect(word(true, 'done', true)).toBe('Goal made')
  expect(word(true, 'done')).toBe('Active')
  expect(word(true, null)).toBe('Active')
  expect(word(false, 'sending')).toBe('Inactive')
  expect(word(false, 'stopped')).toBe('Inactive')
  expect(word(true, 'failed', true)).toBe('Failed')
  expect(campaignStatus({ active: false, run_state: 'failed', run_held: true, made_goal: false, next_at: null })).toBe(
    'Held back',
  )
})

it('a campaign that waits for its sending hours is not shown as sending', () => {
  const word = (next_at: string | null, run_state: 'sending' | 'done' = 'sending') =>
    campaignStatus({ active: true, run_state, made_goal: false, next_at }, NOW)
  expect(word('2026-11-28T23:00:00.000Z')).toBe('Waiting for sending hours')
  // The gateway's pace is the limit, not the hours.
  expect(word('2026-11-27T14:01:00.000Z')).toBe('Sending')
  expect(word(null)).toBe('Sending')
  expect(word('2026-11-28T23:00:00.000Z', 'done')).toBe('Active')
})

it('a list is read again only while something in it changes', () => {
  expect(liveEvery([])).toBe(false)
  expect(liveEvery([{ run_state: 'done' }, { run_state: null }, { run_state: 'stopped' }])).toBe(false)
  for (const run_state of ['preparing', 'holding', 'sending'] as const)
    expect(liveEvery([{ run_state: 'done' }, { run_state }])).toBe(3000)
})

it('a goal reads as words, whether met or not', () => {
  const goal = { goal_type: 'scripts', measure_by: 'percentage', goal: 6, made_goal: false } as const
  expect(goalWords('AU', goal)).toBe('Scripts by 6.00%')
  expect(goalWords('AU', { ...goal, made_goal: true })).toBe('Made: Scripts by 6.00%')
  expect(goalWords('AU', { ...goal, goal: null })).toBeNull()
})
