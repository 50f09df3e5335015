import { formatDay } from '@pillar/domain/time/day'
import { afterEach, expect, test, vi } from 'vitest'
import { todayOf } from './today.ts'

afterEach(() => vi.useRealTimers())

test('today is the day in the company’s country, wherever the machine is', () => {
  const dayAt = (instant: string) => {
    vi.setSystemTime(new Date(instant))
    return (['AU', 'GB', 'US'] as const).map((country) => formatDay(todayOf(country)))
  }
  expect(dayAt('2026-12-31T20:00:00Z')).toEqual(['2027-01-01', '2026-12-31', '2026-12-31'])
  expect(dayAt('2027-03-01T04:30:00Z')).toEqual(['2027-03-01', '2027-03-01', '2027-02-28'])
})
