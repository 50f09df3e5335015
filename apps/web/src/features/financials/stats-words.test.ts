import { describe, expect, test } from 'vitest'
import { againstText, endsWithinMonth, lateText, noChange, type StatsReply, sums } from './stats-words.ts'

const stat = (total: number | null) => ({ total, rate_of_change: null, trend: [] })
const patients = (all: number, female: number, male: number, yes: number | null, no: number | null) =>
  ({
    patients: {
      ...stat(all),
      sex: { female: stat(female), male: stat(male) },
      adherence: stat(yes),
      non_adherence: stat(no),
    },
  }) satisfies Pick<StatsReply, 'patients'>

describe('patients', () => {
  test('measured is adherent and not; those of unknown sex are the rest', () => {
    expect(sums(patients(100, 60, 38, 30, 10))).toEqual({ measured: 40, adherent: 0.75, unstated: 2 })
  })

  test('nobody measured has no share', () => {
    expect(sums(patients(5, 5, 0, null, null))).toEqual({ measured: null, adherent: null, unstated: 0 })
    expect(sums(patients(5, 5, 0, 0, 0))).toMatchObject({ measured: 0, adherent: null })
  })
})

describe('the as-at line', () => {
  const prior = { from: '2025-07-01', to: '2025-11-19' }

  test('names the dates changes are against, and how many reach back', () => {
    expect(againstText({ prior, pharmacies_compared: 31, pharmacies_counted: 31 }, 'AU')).toBe(
      'Compared with 1 Jul – 19 Nov 2025',
    )
    expect(againstText({ prior, pharmacies_compared: 29, pharmacies_counted: 31 }, 'AU')).toBe(
      'Compared with 1 Jul – 19 Nov 2025, for the 29 that reach back',
    )
    expect(againstText({ prior, pharmacies_compared: 0, pharmacies_counted: 31 }, 'AU')).toMatch(
      /^No data for the previous year/,
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
})

test('the last month of the trend is running until its last day is in', () => {
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
