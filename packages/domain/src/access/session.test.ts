import { expect, test } from 'vitest'
import { countdown, formatCountdown, refreshDue } from './session.ts'

const start = 1_700_000_000_000
const after = (seconds: number, refreshed = 0) => countdown(start, start + refreshed * 1000, start + seconds * 1000)

test('a session ends after 900 idle seconds, with a warning from 120', () => {
  expect(after(0)).toEqual({ state: 'open', seconds: 900 })
  expect(after(779)).toEqual({ state: 'open', seconds: 121 })
  expect(after(780)).toEqual({ state: 'warning', seconds: 120 })
  expect(after(899)).toEqual({ state: 'warning', seconds: 1 })
  expect(after(899.5)).toEqual({ state: 'warning', seconds: 1 })
  expect(after(900)).toEqual({ state: 'ended', seconds: 0 })
  expect(after(5000)).toEqual({ state: 'ended', seconds: 0 })
})

test('a refresh restarts the window', () => {
  expect(after(900, 880)).toEqual({ state: 'open', seconds: 880 })
})

test('a session ends after 12 hours even when active', () => {
  const hours = 12 * 3600
  expect(after(hours - 120, hours - 130)).toEqual({ state: 'warning', seconds: 120 })
  expect(after(hours, hours - 10)).toEqual({ state: 'ended', seconds: 0 })
})

test('setting a clock back does not lengthen it', () => {
  expect(countdown(start, start + 60_000, start)).toEqual({ state: 'open', seconds: 900 })
})

test('calls refresh the session after 5 minutes', () => {
  expect(refreshDue(start, start + 300_000)).toBe(false)
  expect(refreshDue(start, start + 300_001)).toBe(true)
})

test('the time left is in minutes and seconds', () => {
  expect([formatCountdown(120), formatCountdown(69), formatCountdown(9), formatCountdown(0)]).toEqual([
    '2:00',
    '1:09',
    '0:09',
    '0:00',
  ])
})
