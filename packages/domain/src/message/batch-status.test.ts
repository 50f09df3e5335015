import { expect, test } from 'vitest'
import { batchStatus, reasonProblems } from './batch-status.ts'

const NONE = { queued: 0, sending: 0, sent: 0, delivered: 0, failed: 0, skipped: 0, unknown: 0 }

test('a batch is pending while anything is still to be sent, then has its best outcome', () => {
  const status = (counts: Partial<typeof NONE>, stopped = false) => batchStatus({ ...NONE, ...counts }, stopped)
  expect(status({})).toBe('PENDING')
  expect(status({ queued: 1, delivered: 5 })).toBe('PENDING')
  expect(status({ queued: 1, delivered: 5 }, true)).toBe('STOPPED')
  expect(status({ sending: 1, delivered: 5 }, true)).toBe('PENDING')
  expect(status({ delivered: 1, sent: 4, failed: 9, skipped: 9, unknown: 9 }, true)).toBe('DELIVERED')
  expect(status({ sent: 1, failed: 9, skipped: 9, unknown: 9 })).toBe('SENT')
  expect(status({ failed: 9, skipped: 9, unknown: 1 })).toBe('UNKNOWN')
  expect(status({ failed: 1, skipped: 9 })).toBe('FAILED')
  expect(status({ skipped: 1 })).toBe('SKIPPED')
})

test('a reason has at least three letters or digits, and at most 300 characters without the spaces around it', () => {
  expect(reasonProblems('  ')).toEqual([{ field: 'reason', words: 'enter a reason, such as a ticket number' }])
  expect(reasonProblems('...')[0]?.words).toBe('enter a reason, such as a ticket number')
  expect(reasonProblems('\u200b\u200b\u200b')[0]?.words).toBe('enter a reason, such as a ticket number')
  expect(reasonProblems(' ab ')[0]?.words).toBe('enter a reason of at least 3 letters or digits')
  expect(reasonProblems('abc')).toEqual([])
  expect(reasonProblems('x'.repeat(300))).toEqual([])
  expect(reasonProblems('x'.repeat(301))[0]?.words).toBe('enter a reason of at most 300 characters')
})
