import { expect, test } from 'vitest'
import { perWeekday } from '../stats-words.ts'
import {
  likeForLikeNote,
  linesOf,
  runningFrom,
  runningNote,
  type TrendReply,
  targetNote,
  targetsDrawn,
  trendCaption,
  trendOf,
  trendTitle,
} from './trend-model.ts'

const month = (name: string, of: Partial<TrendReply['months'][number]> = {}): TrendReply['months'][number] => ({
  ...{ month: name, from: `${name}-01`, to: `${name}-28`, running: false, value: 100, previous: 80, change: 0.25 },
  ...{
    n: null,
    low: null,
    high: null,
    business_days: 20,
    per_business_day: 5,
    previous_per_business_day: 4,
    year_before: 4,
  },
  ...{ pharmacies_counted: 2, pharmacies_compared: 2, ...of },
})
const running = { running: true, to: '2026-11-22', value: 60, per_business_day: 6, change: 0.032 }
const reply: TrendReply = {
  ...{ figure: 'revenue', title: 'Revenue', formula: '', unit: 'money', rated: true },
  months: [month('2026-09'), month('2026-10'), month('2026-11', running)],
  period: { key: '2026', label: '', from: '2026-07-01', to: '2026-11-22', ends: '2027-06-30', running: true },
  ...{ data_to: '2026-11-22', pharmacies: 2 },
}
const share: TrendReply = {
  ...reply,
  figure: 'adherent_share',
  title: 'Adherent patients',
  unit: 'fraction',
  rated: false,
}

test('sums are drawn per pharmacy and business day, shares unchanged', () => {
  expect(linesOf(reply)).toEqual({ values: [5, 5, 6], before: [4, 4, 4] })
  expect(linesOf(share)).toEqual({ values: [100, 100, 60], before: [4, 4, 4] })
  expect([runningFrom(reply), runningFrom({ ...reply, months: [month('2026-09')] })]).toEqual([2, undefined])
})

test('the newest two months of loyalty are dashed, running or not, with a note that they read too high', () => {
  const months = [month('2026-07'), month('2026-08'), month('2026-09'), month('2026-10')]
  const loyalty: TrendReply = { ...share, figure: 'loyalty', title: 'Loyalty', months, data_to: '2026-10-31' }
  expect(runningFrom(loyalty)).toBe(2)
  expect(runningNote(loyalty, 'AU')).toBe(
    'Dashed: the newest months read too high. A repeat dispensed elsewhere is known once a later one is dispensed here.',
  )
  // Everything is known about a year that ended long ago.
  const over = { ...loyalty, data_to: '2027-10-31' }
  expect([runningFrom(over), runningNote(over, 'AU')]).toEqual([undefined, ''])
})

test('the title is the answer', () => {
  expect(trendTitle(reply, 'AU')).toBe('Revenue in November 2026 so far is 3.20% above the same days of 2025')
  const over = { ...reply, months: reply.months.slice(0, 2) }
  expect(trendTitle(over, 'AU')).toBe('Revenue in October 2026 is 25.00% above October 2025')
  const points = { ...share, months: [month('2026-10', { change: -0.006 })] }
  expect(trendTitle(points, 'AU')).toBe('Adherent patients in October 2026 are 0.6 points below October 2025')
  const alone = { ...reply, months: [month('2026-10', { change: null })] }
  expect(trendTitle(alone, 'AU')).toBe('Revenue in October 2026 is $100')
  expect(trendTitle({ ...reply, months: [month('2026-10', { value: null, change: null })] }, 'AU')).toBe(
    'Revenue: nothing to show',
  )
})

test('says whose change draws the year before, if not everybody’s', () => {
  expect(likeForLikeNote(reply, 'AU')).toBe('')
  const some = { pharmacies_counted: 23, pharmacies_compared: 16 }
  expect(likeForLikeNote({ months: [month('2026-10', some), month('2026-11', some)] }, 'AU')).toBe(
    'The year before is like for like: drawn by the change of pharmacies with complete data in both years, 16 of 23 in Nov 2026.',
  )
  expect(likeForLikeNote({ months: [month('2026-10', { ...some, year_before: null })] }, 'AU')).toBe('')
})

test('the caption says what is drawn, the note what is dashed', () => {
  expect(trendCaption(reply, 'AU')).toBe(
    'How are we doing, and since when? Revenue, per pharmacy per business day, Sep 2026 – 22 Nov 2026',
  )
  expect(trendCaption({ ...reply, pharmacies: 1 }, 'AU')).toContain('? Revenue per business day, Sep 2026')
  expect(runningNote(reply, 'AU')).toMatch(
    /^Dashed: Nov 2026 runs to Sun 22 Nov 2026, drawn as a rate per business day/,
  )
  expect(runningNote({ ...reply, months: [month('2026-10')] }, 'AU')).toBe('')
})

test('a number has the trend of its figure; a column’s part and a sex have none', () => {
  expect(trendOf('patients.adherence')).toBe('adherent_share')
  expect(trendOf('revenue_value')).toBe('revenue')
  expect(trendOf('revenue_value', 'Cardiac')).toBeNull()
  expect(trendOf('patients.sex.male')).toBeNull()
})

test('a running month is a rate per weekday, so that it does not drop', () => {
  // October 2026 has 22 weekdays, November 15 of them to the 22nd.
  const trend = [
    { month: '2026-10', value: 220, prior: 110 },
    { month: '2026-11', value: 150, prior: null },
  ]
  expect(perWeekday(trend, '2026-11-22')).toEqual([
    { value: 10, prior: 5 },
    { value: 10, prior: null },
  ])
  // Sunday 1 November has no weekday behind it, Monday has one.
  const [, sunday] = perWeekday(trend, '2026-11-01')
  expect(sunday).toEqual({ value: null, prior: null })
  expect(perWeekday([{ month: '2026-12', value: 9, prior: null }], '2026-12-01')).toEqual([{ value: 9, prior: null }])
})

test('a target is drawn in the unit of its line, and named in the sentence below', () => {
  const sums = [null, { target: 110, per_business_day: 5.5 }, null]
  expect(targetsDrawn(reply, sums)).toEqual([null, 5.5, null])
  expect(targetNote(reply, sums, 'AU')).toBe('Target of Oct 2026: $110, or $6 per pharmacy per business day.')
  expect(targetNote({ ...reply, pharmacies: 1 }, sums, 'AU')).toBe('Target of Oct 2026: $110, or $6 per business day.')
  const shares = [null, null, { target: 0.65, per_business_day: null }]
  expect(targetsDrawn(share, shares)).toEqual([null, null, 0.65])
  expect(targetNote(share, shares, 'AU')).toBe('Target of Nov 2026: 65.00%.')
  expect(targetNote(share, [null, null, null], 'AU')).toBe('')
})
