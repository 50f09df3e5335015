import { expect, it } from 'vitest'
import { progressParts } from './progress-parts.ts'

const counts = { messages: 21, queued: 4, sending: 2, sent: 3, delivered: 5, failed: 1, skipped: 6, unknown: 0 }

it('parts add up to all messages, with queued and sending combined', () => {
  const parts = progressParts('AU', counts)
  expect(parts.reduce((sum, part) => sum + part.value, 0)).toBe(21)
  expect(parts.map(({ label, text }) => `${label} ${text}`)).toEqual([
    'Delivered 5',
    'Sent 3',
    'Failed 1',
    'Held back 6',
    'To send 6',
  ])
})

it('says Delivered 0 when nothing has happened yet, and names unknown messages', () => {
  const none = { messages: 0, queued: 0, sending: 0, sent: 0, delivered: 0, failed: 0, skipped: 0, unknown: 0 }
  expect(progressParts('AU', none).map(({ label }) => label)).toEqual(['Delivered'])
  expect(progressParts('AU', { ...none, messages: 1, unknown: 1 }).map(({ label }) => label)).toContain('Unknown')
})
