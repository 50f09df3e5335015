import type { Target } from '@pillar/contract/target'
import { expect, test } from 'vitest'
import { filtersOf } from '../search.ts'
import { targetLines, withTargets } from './chart-targets.ts'

const ID = '01980000-0000-7000-8000-00000000000b'
const SHORT = '00000000000b'
const one = (part: Partial<Target>) =>
  ({
    ...{ figure: 'revenue', pharmacy_id: null, target: 4000, expected: 1000, words: '$100 ahead of the pace needed' },
    ...{ business_days_elapsed: 5, business_days: 20, ...part },
  }) as Target
const filters = (search: Parameters<typeof filtersOf>[0]) => filtersOf(search, 'AU', 20_000)

test('a bar has the target of its own pharmacy, never the company’s', () => {
  const bars = [
    { id: SHORT, label: 'A', value: 1100 },
    { id: 'other', label: 'B', value: 900 },
  ]
  expect(withTargets(bars, [one({}), one({ pharmacy_id: ID, target: 3000, expected: 750 })])).toEqual([
    { ...bars[0], target: { whole: 3000, byNow: 750, words: '$100 ahead of the pace needed' } },
    bars[1],
  ])
})

test('dots of sums are compared with the part due by now for one pharmacy, and the highlighted one with its own target', () => {
  const targets = [one({}), one({ pharmacy_id: ID, expected: 300 })]
  expect(targetLines(filters({ mark: SHORT }), targets, 4)).toEqual([
    { label: 'Company target by now, per pharmacy', value: 250 },
    { label: 'Its target by now', value: 300 },
  ])
  expect(targetLines(filters({}), [one({ business_days_elapsed: 20, expected: 4000 })], 4)).toEqual([
    { label: 'Company target, per pharmacy', value: 1000 },
  ])
})

test('a share is the same for each pharmacy; a selection is not compared with the company’s target', () => {
  const share = [one({ figure: 'loyalty', target: 0.8, expected: 0.8 })]
  expect(targetLines(filters({ statistic: 'loyalty' }), share, 4)).toEqual([{ label: 'Company target', value: 0.8 }])
  for (const some of [{ state: 'VIC' }, { postcode: '3000' }, { pharmacies: SHORT }, { without: SHORT }])
    expect(targetLines(filters({ statistic: 'loyalty', ...some }), share, 4)).toEqual([])
  expect(targetLines(filters({}), [one({ expected: null })], 4)).toEqual([])
})
