import { describe, expect, test } from 'vitest'
import {
  adherentWords,
  againstText,
  begunText,
  endsWithinMonth,
  goneText,
  lateText,
  noChange,
  perWeekday,
  type StatsReply,
  sums,
} from './stats-words.ts'

const stat = (total: number | null) => ({ total, rate_of_change: null, trend: [] })
const patients = (all: number, female: number, male: number, yes: number | null, no: number | null) =>
  ({
    patients: {
      ...stat(all),
      sex: { female: stat(female), male: stat(male) },
      adherence: stat(yes),
      non_adherence: stat(no),
      adherent_share: { value: null, n: 0, low: null, high: null },
    },
  }) satisfies Pick<StatsReply, 'patients'>

describe('patients', () => {
  test('measured means adherent or not; those of unknown sex are the rest', () => {
    expect(sums(patients(100, 60, 38, 30, 10))).toEqual({ measured: 40, unstated: 2 })
    expect(sums(patients(100, 60, 40, 30, null))).toEqual({ measured: 30, unstated: 0 })
    expect(sums(patients(100, 60, 40, null, 10))).toEqual({ measured: 10, unstated: 0 })
  })

  test('no measured patients give no share', () => {
    expect(sums(patients(5, 5, 0, null, null))).toEqual({ measured: null, unstated: 0 })
    const share = (value: number | null, n: number) => ({ value, n, low: value && 0.7, high: value && 0.85 })
    expect(adherentWords(share(null, 0), 'AU')).toEqual({ share: 'none measured', between: null })
    expect(adherentWords(share(null, 9), 'AU').share).toMatch(/^too few to tell/)
    expect(adherentWords(share(0.8, 34), 'AU')).toEqual({
      share: '80.00% of patients adherent',
      between: '70.0% – 85.0%',
    })
  })
})

describe('the as-at line', () => {
  const prior = { from: '2025-07-01', to: '2025-11-19' }

  test('names the comparison dates, and how many pharmacies have complete data', () => {
    expect(againstText({ prior, pharmacies_compared: 31, pharmacies_counted: 31 }, 'AU')).toBe(
      'Compared with 1 Jul – 19 Nov 2025',
    )
    expect(againstText({ prior, pharmacies_compared: 29, pharmacies_counted: 31 }, 'AU')).toBe(
      'Compared with 1 Jul – 19 Nov 2025, for the 29 with complete data in both',
    )
    expect(againstText({ prior, pharmacies_compared: 0, pharmacies_counted: 31 }, 'AU')).toMatch(
      /^No complete data for the previous year/,
    )
    expect(noChange({ pharmacies_compared: 0 })).not.toBe(noChange({ pharmacies_compared: 1 }))
  })

  test('counts the late', () => {
    expect([lateText(2, 31), lateText(1, 31), lateText(1, 1)]).toEqual([
      '2 of 31 pharmacies are late',
      '1 of 31 pharmacies is late',
      'This pharmacy is late',
    ])
  })

  test('counts those whose data begins within the period', () => {
    expect([begunText(2, 31), begunText(1, 31), begunText(1, 1)]).toEqual([
      'Data of 2 of 31 pharmacies begins within this period',
      'Data of 1 of 31 pharmacies begins within this period',
      'Data begins within this period',
    ])
  })
})

test('the trend’s last month counts as running until its last day is included', () => {
  const trend = [
    { month: '2026-10', value: 1, prior: 1 },
    { month: '2026-11', value: 1, prior: 1 },
  ]
  const to = (data_to: string | null) => endsWithinMonth({ data_to, scripts: { ...stat(1), trend } })
  expect(to('2026-11-19')).toBe(true)
  expect(to('2026-11-30')).toBe(false)
  expect(to('2026-10-30')).toBe(false)
  expect(to(null)).toBe(false)
})

test('a running month is counted by the weekdays its data covers, a complete one by all of them', () => {
  const trend = [
    { month: '2026-10', value: 220, prior: 110 },
    { month: '2026-11', value: 100, prior: null },
  ]
  // October has 22 weekdays, November to the 13th has 10.
  expect(perWeekday(trend, '2026-11-13')).toEqual([
    { value: 10, prior: 5 },
    { value: 10, prior: null },
  ])
})

test('pharmacies that were picked and have left the company', () => {
  expect(goneText(1)).toBe('1 selected pharmacy is no longer in the company')
  expect(goneText(12)).toBe('12 selected pharmacies are no longer in the company')
})
