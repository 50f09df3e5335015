import { afterEach, expect, test, vi } from 'vitest'
import { within } from './within.ts'

afterEach(() => vi.useRealTimers())

test('a signal aborts once its time is over', () => {
  vi.useFakeTimers()
  const signal = within(30_000)
  vi.advanceTimersByTime(29_999)
  expect(signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' })
})

test('a signal aborts with another one, now or later, for the same reason', () => {
  const other = new AbortController()
  const signal = within(30_000, other.signal)
  expect(signal.aborted).toBe(false)
  other.abort('left')
  expect([signal.reason, within(30_000, other.signal).reason]).toEqual(['left', 'left'])
})
