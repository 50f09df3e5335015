import { describe, expect, test } from 'vitest'
import { day } from './day.ts'
import {
  formatCents,
  formatChange,
  formatCounted,
  formatDate,
  formatMoney,
  formatMoneyCompact,
  formatNumber,
  formatPercent,
  formatSpan,
  formatWeekday,
  LOCALES,
  plainDecimals,
  postcodeWord,
  withoutYear,
} from './locale.ts'

describe('locale', () => {
  test('base paths and units', () => {
    expect([LOCALES.AU.basePath, LOCALES.GB.basePath, LOCALES.US.basePath]).toEqual(['/', '/en_gb', '/en_us'])
    expect([LOCALES.AU.distanceUnit, LOCALES.GB.distanceUnit, LOCALES.US.distanceUnit]).toEqual(['km', 'mi', 'mi'])
  })

  test('a count’s noun agrees with the figure shown', () => {
    const scripts = (count: number | null) => formatCounted('AU', count, 'script', 'scripts')
    expect([0, 0.8, 1, 1.2, 2, 1234, null].map(scripts)).toEqual([
      ...['0 scripts', '1 script', '1 script', '1 script', '2 scripts', '1,234 scripts', '– scripts'],
    ])
  })

  test('numbers and money', () => {
    expect(formatNumber('AU', 1234)).toBe('1,234')
    expect(formatNumber('AU', -1234.4)).toBe('−1,234')
    expect(formatNumber('AU', -0.4)).toBe('0')
    expect(formatNumber('AU', null)).toBe('–')
    expect(formatMoney('AU', 1234)).toBe('$1,234')
    expect(formatMoney('GB', -1234.5, 2)).toBe('−£1,234.50')
    expect(formatMoney('US', 148.08, 2)).toBe('$148.08')
  })

  test('small amounts in cents or pence, larger ones in full', () => {
    expect([12, 99, 100, 120].map((cents) => formatCents('AU', cents))).toEqual(['12c', '99c', '$1.00', '$1.20'])
    expect([12, 120].map((pence) => formatCents('GB', pence))).toEqual(['12p', '£1.20'])
    expect(formatCents('US', 12)).toBe('12c')
  })

  test.each([
    [1_810_000, '$1.81m'],
    [-1_810_000, '−$1.81m'],
    [12_440, '$12.4k'],
    [980, '$980'],
    [999.6, '$1.00k'],
    [999_999, '$1.00m'],
    [99_960, '$100k'],
    [181_000_000, '$181m'],
    [2_345_000_000, '$2.35b'],
    [0, '$0'],
  ])('compact money %d is %s', (value, text) => {
    expect(formatMoneyCompact('AU', value)).toBe(text)
  })

  test('an exact half is rounded up, whatever its digits in floating point, as in a spreadsheet', () => {
    // 23 of 160 are 14.375%, and 0.14375 × 100 is a hair less.
    expect(formatPercent('AU', 23 / 160)).toBe('14.38%')
    expect(formatPercent('AU', -23 / 160)).toBe('−14.38%')
    expect(formatNumber('AU', (0.5 - 0.4565) * 100, 1)).toBe('4.4')
    expect(plainDecimals(23 / 1.6)).toBe('14.38')
    expect(plainDecimals(-1.005)).toBe('-1.01')
    expect([plainDecimals(-0.004), plainDecimals(1234.5)]).toEqual(['0.00', '1234.50'])
    for (let whole = 32; whole <= 4000; whole += 32)
      for (let part = 1; part < whole; part++) {
        const halves = (20_000 * part) / whole
        if (halves % 2 !== 1) continue
        const shown = (halves + 1) / 2
        const text = `${Math.floor(shown / 100)}.${String(shown % 100).padStart(2, '0')}`
        expect([formatPercent('AU', part / whole), plainDecimals((part / whole) * 100)]).toEqual([`${text}%`, text])
      }
  })

  test('percent is value times 100 with two decimals', () => {
    expect(formatPercent('AU', 295 / 365)).toBe('80.82%')
    expect(formatPercent('AU', -0.031)).toBe('−3.10%')
    expect(formatPercent('AU', null)).toBe('–')
    expect(formatChange('AU', 10_000 / 110_000)).toBe('+9.09%')
    expect(formatChange('AU', -0.05)).toBe('−5.00%')
    expect(formatChange('AU', 0.000001)).toBe('0.00%')
    expect(formatChange('AU', -0.000001)).toBe('0.00%')
  })

  test('an American postcode is a ZIP code, also within a sentence', () => {
    expect((['AU', 'GB', 'US'] as const).map(postcodeWord)).toEqual(['postcode', 'postcode', 'ZIP code'])
  })

  test('dates', () => {
    const at = day('2026-11-09')
    const written = (['AU', 'GB', 'US'] as const).map((country) => formatDate(country, at))
    expect(written).toEqual(['9 Nov 2026', '9 Nov 2026', 'Nov 9, 2026'])
    const days = (['AU', 'US'] as const).map((country) => formatWeekday(country, day('2026-09-28')))
    expect(days).toEqual(['Mon 28 Sep 2026', 'Mon Sep 28, 2026'])
    expect(days.map(withoutYear)).toEqual(['Mon 28 Sep', 'Mon Sep 28'])
  })

  test('date ranges state each shared part once', () => {
    expect(formatSpan('AU', day('2026-07-01'), day('2026-11-19'))).toBe('1 Jul – 19 Nov 2026')
    expect(formatSpan('AU', day('2025-07-01'), day('2026-06-30'))).toBe('1 Jul 2025 – 30 Jun 2026')
    expect(formatSpan('AU', day('2026-11-01'), day('2026-11-30'))).toBe('1 – 30 Nov 2026')
    expect(formatSpan('AU', day('2026-11-01'), day('2026-11-01'))).toBe('1 Nov 2026')
    expect(formatSpan('US', day('2026-01-01'), day('2026-11-19'))).toBe('Jan 1 – Nov 19, 2026')
    expect(formatSpan('US', day('2026-11-01'), day('2026-11-19'))).toBe('Nov 1 – 19, 2026')
  })
})
