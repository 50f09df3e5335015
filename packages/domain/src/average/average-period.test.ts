import { describe, expect, it } from 'vitest'
import { day } from '../time/day.ts'
import { periodOf } from '../time/period.ts'
import { type AverageSums, cellOver, coverageOf, dueOn, monthsIn } from './average-period.ts'

const october = periodOf('AU', { year: 2026, month: 10 })
const year = periodOf('AU', { year: 2026 })
const sums = (pharmacies: number, scripts: number, more: Partial<AverageSums> = {}): AverageSums => ({
  pharmacies,
  script_count: scripts,
  revenue_cents: scripts * 3000,
  measured_scripts: scripts,
  adherent_scripts: Math.round(scripts * 0.6),
  here_slots: scripts,
  leaked_slots: 0,
  ...more,
})

it('a financial year has its own twelve months', () => {
  const months = monthsIn('AU', year)
  expect([months.length, months[0]!.key, months[11]!.key]).toEqual([12, '2026-07', '2027-06'])
  expect(monthsIn('AU', october).map((month) => month.key)).toEqual(['2026-10'])
})

it('a month is published eight days after its end', () => {
  expect(dueOn(october)).toBe(day('2026-11-08'))
})

describe('a cell', () => {
  it('is the mean per pharmacy over the groups that show it, rounded', () => {
    const groups = [sums(7, 1000), sums(5, 600), sums(9, 0, { script_count: null, revenue_cents: null })]
    expect(cellOver([groups], null)).toMatchObject({ script_count: 133, revenue_value: 4000 })
  })

  it('adds up a quarter’s months as published, and is null if one hides it', () => {
    const [first, second] = [[sums(7, 1000)], [sums(9, 1000)]]
    // 142.86 and 111.11 were published as 143 and 111.
    expect(cellOver([first, second], null).script_count).toBe(254)
    expect(cellOver([first, [sums(9, 0, { script_count: null })]], null).script_count).toBeNull()
    expect(cellOver([first, []], null).script_count).toBeNull()
    expect(cellOver([[], first], null).script_count).toBeNull()
  })

  it('takes adherence from the period once that is published, else from its months', () => {
    const months = [[sums(7, 1000)], [sums(7, 500, { adherent_scripts: 450 })]]
    expect(cellOver(months, null).adherent_script_percent).toBe(0.7)
    expect(
      cellOver(months, [sums(7, 0, { measured_scripts: 200, adherent_scripts: 110 })]).adherent_script_percent,
    ).toBe(0.55)
    expect(cellOver(months, []).adherent_script_percent).toBeNull()
    expect(cellOver([months[0]!, []], null).adherent_script_percent).toBeNull()
  })

  it('pools loyalty over the months', () => {
    const months = [[sums(7, 300)], [sums(7, 600, { leaked_slots: 100 })]]
    expect(cellOver(months, null).loyalty_script_percent).toBe(0.9)
    expect(cellOver([[sums(7, 300, { here_slots: null })]], null).loyalty_script_percent).toBeNull()
  })
})

describe('what an average covers', () => {
  const today = day('2026-11-22')
  const all = () => true
  const ran = today

  it('for a running year: its published months', () => {
    const covered = coverageOf('AU', year, today, all, ran)
    expect('months' in covered && covered.months.map((month) => month.key)).toEqual([
      '2026-07',
      '2026-08',
      '2026-09',
      '2026-10',
    ])
  })

  it('for a running month: nothing yet, with the date it is due', () => {
    expect(coverageOf('AU', periodOf('AU', { year: 2026, month: 11 }), today, all, ran)).toEqual({
      reason: 'November 2026 appears on 8 Dec 2026. See October 2026 until then.',
    })
  })

  it('for a month that ended eight days ago: that month', () => {
    const october = periodOf('AU', { year: 2026, month: 10 })
    expect(coverageOf('AU', october, day('2026-11-08'), all, ran)).toMatchObject({ months: [{ key: '2026-10' }] })
    expect(coverageOf('AU', october, day('2026-11-07'), all, ran)).toHaveProperty('reason')
  })

  it('for the last month due: not October on 7 November', () => {
    expect(coverageOf('AU', periodOf('AU', { year: 2026, month: 11 }), day('2026-11-07'), all, ran)).toEqual({
      reason: 'November 2026 appears on 8 Dec 2026. See September 2026 until then.',
    })
  })

  it('before October is published on the day it is due: the months before, and no claim that pharmacies are too few', () => {
    const [today, published] = [day('2026-11-08'), (month: { key: string }) => month.key < '2026-10']
    const running = coverageOf('AU', year, today, published, ran)
    expect('months' in running && running.months.map(({ key }) => key)).toEqual(['2026-07', '2026-08', '2026-09'])
    expect(coverageOf('AU', october, today, published, ran)).toEqual({
      reason: 'October 2026 appears on 8 Nov 2026. See September 2026 until then.',
    })
    expect(coverageOf('AU', october, today + 1, published, ran)).toEqual({
      reason: 'In October 2026 there are too few other pharmacies, or one company is too large.',
    })
  })

  it('says that a month has not been calculated yet, not that there are too few pharmacies', () => {
    const reason = 'October 2026 has not been calculated yet. Averages are calculated every night.'
    const [nothing, due] = [() => false, dueOn(october)]
    for (const lastRun of [null, due - 1]) {
      expect(coverageOf('AU', october, today, nothing, lastRun)).toEqual({ reason })
      expect(coverageOf('AU', october, today, all, lastRun)).toHaveProperty('months')
    }
    expect(coverageOf('AU', october, today, nothing, due)).toEqual({
      reason: 'In October 2026 there are too few other pharmacies, or one company is too large.',
    })
  })

  it('nothing if a month that is due is missing', () => {
    const covered = coverageOf('AU', year, today, (month) => month.key !== '2026-08', ran)
    expect(covered).toEqual({
      reason: 'In August 2026 there are too few other pharmacies, or one company is too large.',
    })
  })
})
