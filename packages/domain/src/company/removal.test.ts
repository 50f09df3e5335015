import { expect, test } from 'vitest'
import { isRestorable, restorableSince } from './removal.ts'

test('anything removed can be restored for 30 days', () => {
  const removed = new Date('2026-11-01T00:00:00Z')
  expect(isRestorable(removed, new Date('2026-11-30T23:59:59Z'))).toBe(true)
  expect(isRestorable(removed, new Date('2026-12-01T00:00:00Z'))).toBe(false)
  expect(restorableSince(new Date('2026-12-01T00:00:00Z'))).toEqual(removed)
})
