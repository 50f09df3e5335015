import { expect, test } from 'vitest'
import { comparedNotes, deliveredTitle, effectTitle, everyDay, overTimeTitle } from './picture-words.ts'

const day = (date: string, delivered: number, held_back = 0) => ({
  ...{ day: date, delivered, failed: 1, held_back, unsettled: 0 },
})

test('days without messages are drawn empty, and the title totals all of them', () => {
  const days = [day('2026-10-05', 130, 100), day('2026-10-08', 1_200)]
  expect(everyDay(days).map((one) => [one.day, one.delivered])).toEqual([
    ['2026-10-05', 130],
    ['2026-10-06', 0],
    ['2026-10-07', 0],
    ['2026-10-08', 1_200],
  ])
  expect(everyDay([])).toEqual([])
  expect(everyDay([day('2025-10-05', 1), day('2026-10-05', 1)])).toHaveLength(2)
  expect(deliveredTitle(days, 0, 'AU')).toBe('1,330 of 1,432 messages were delivered')
  expect(deliveredTitle(days, 68, 'AU')).toBe('1,330 of 1,500 messages were delivered so far')
  const one = (delivered: number, failed = 0) => [{ ...day('2026-10-05', delivered), failed }]
  expect(deliveredTitle(one(1), 0, 'AU')).toBe('The message was delivered')
  expect(deliveredTitle(one(0, 1), 0, 'AU')).toBe('The message was not delivered')
  expect(deliveredTitle(one(1, 1), 2, 'AU')).toBe('1 of 4 messages was delivered so far')
})

test('the title of the comparison is its answer', () => {
  const groups = (mean: number, low: number, high: number) => ({
    method: 'holdout' as const,
    means: [{ part: 'messaged' as const, n: 1366, mean: 61.4, low: 59, high: 63 }],
    difference: { mean, low, high },
    subgroups: [],
  })
  expect(effectTitle(groups(4.2, 0.83, 7.57), 'AU')).toBe('Messages added $4.20 a patient, $5,737 in all')
  expect(effectTitle(groups(-4.2, -7.57, -0.83), 'AU')).toBe('Messages cost $4.20 a patient, $5,737 in all')
  expect(effectTitle(groups(4.2, -1, 9), 'AU')).toBe('No clear effect: it could be chance')
})

test('below the comparison are both means, and the hollow or missing groups only if there are any', () => {
  const mean = (part: 'messaged' | 'compared', value: number) => ({ part, n: 200, mean: value, low: 0, high: 1 })
  const women = (difference: { mean: number; low: number; high: number } | null) => ({
    ...{ subgroup: 'women' as const, messaged: 120, compared: 90, difference },
  })
  const groups = (low: number, subgroups: ReturnType<typeof women>[]) => ({
    ...{ method: 'holdout' as const, means: [mean('messaged', 58.2), mean('compared', 52)] },
    ...{ difference: { mean: 6.2, low, high: 9 }, subgroups },
  })
  expect(comparedNotes(groups(2, []), 'Held out', 'AU')).toEqual(['Messaged $58.20 a patient, held out $52.00.'])
  expect(comparedNotes(groups(-2, [women(null)]), 'Held out', 'AU')[1]).toBe(
    'Hollow: the interval includes $0. Groups with under 100 messaged or held out are not compared.',
  )
  expect(comparedNotes(groups(2, [women({ mean: 1, low: -1, high: 3 })]), 'Held out', 'AU')[1]).toBe(
    'Hollow: the interval includes $0.',
  )
})

test('a goal that is reached says since when, and one that was lost and reached again says since it came back', () => {
  const campaign = { goal: 5, made_goal: true } as Parameters<typeof overTimeTitle>[0]
  const points = (...values: (number | null)[]) => values.map((value, at) => ({ day: `2026-10-${10 + at}`, value }))
  expect(overTimeTitle(campaign, points(null, 2, 6, 7), 'AU')).toBe('The goal has been made since 12 Oct 2026')
  expect(overTimeTitle(campaign, points(6, 2, 6), 'AU')).toBe('The goal has been made since 12 Oct 2026')
  expect(overTimeTitle(campaign, points(6, 2), 'AU')).toBe('The goal is made')
  expect(overTimeTitle(campaign, points(6, null), 'AU')).toBe('The goal is made')
})
