import { expect, it } from 'vitest'
import { datePattern, fieldDate, firstDayOfWeek, typedDate } from './typed-date.ts'

it('reads a date in the order of the country, short or long, and in the calendar’s format', () => {
  expect(typedDate('AU', '1/12/26')).toBe('2026-12-01')
  expect(typedDate('AU', '31/12/26')).toBe('2026-12-31')
  expect(typedDate('GB', '01.12.2026')).toBe('2026-12-01')
  expect(typedDate('US', '12/1/2026')).toBe('2026-12-01')
  expect(typedDate('US', '2026-12-01')).toBe('2026-12-01')
})

it('reads a date as Pillar writes it, with the name of the month', () => {
  for (const typed of ['3 Dec 2026', '3 december 2026', 'Dec 3, 2026', '2026-dec-03'])
    expect(typedDate('AU', typed), typed).toBe('2026-12-03')
  expect(typedDate('US', 'Sept 4, 2026')).toBe('2026-09-04')
  expect(typedDate('US', '4 Sep 26')).toBe('2026-09-04')
  for (const typed of ['3 Dec', 'Dec Dec 2026', '32 Dec 2026', '3 Foo 2026', '3 Marbles 2026', '3 Decimal 2026'])
    expect(typedDate('AU', typed)).toBeNull()
})

it('refuses a day that does not exist, a missing part, and words', () => {
  for (const typed of ['31/2/2026', '1/13/2026', '12/2026', 'tomorrow', '', '1/2/3/4']) {
    expect(typedDate('AU', typed), typed).toBeNull()
  }
  expect(typedDate('AU', '29/2/2028')).toBe('2028-02-29')
})

it('shows a date in the format it reads', () => {
  for (const country of ['AU', 'GB', 'US'] as const) {
    expect(typedDate(country, fieldDate(country, '2026-03-09'))).toBe('2026-03-09')
  }
})

it('asks for a date in the order it is shown, with the country’s weeks', () => {
  expect([datePattern('US'), fieldDate('US', '2026-12-31')]).toEqual(['mm/dd/yyyy', '12/31/2026'])
  expect([datePattern('GB'), fieldDate('GB', '2026-12-31')]).toEqual(['dd/mm/yyyy', '31/12/2026'])
  expect((['US', 'GB', 'AU'] as const).map(firstDayOfWeek)).toEqual([0, 1, 1])
})
