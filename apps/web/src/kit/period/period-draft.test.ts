import { day } from '@pillar/domain/time/day'
import { expect, test } from 'vitest'
import { choiceOfDraft, draftOf, hasBegun } from './period-draft.ts'
import { CALENDAR, FINANCIAL } from './period-rules.ts'

test('a draft becomes the choice it was made from', () => {
  for (const choice of [{ year: 2026 }, { year: 2026, quarter: 3 }, { year: 2025, month: 11 }]) {
    expect(choiceOfDraft(draftOf(choice))).toEqual(choice)
  }
})
test('a missing part is named', () => {
  expect(choiceOfDraft({ kind: 'month', year: 2026, unit: null })).toBe('Please select a month')
  expect(choiceOfDraft({ kind: 'quarter', year: 2026, unit: null })).toBe('Please select a quarter')
})
test('a period that has not begun cannot be picked', () => {
  const today = day('2026-11-20')
  const months = { kind: 'month', year: 2026, unit: null } as const
  expect(hasBegun(FINANCIAL, 'AU', today, months, 11)).toBe(true)
  expect(hasBegun(FINANCIAL, 'AU', today, months, 12)).toBe(false)
  // From its first day on, and long before its last.
  for (const rules of [FINANCIAL, CALENDAR])
    expect(['2026-11-30', '2026-12-01'].map((on) => hasBegun(rules, 'AU', day(on), months, 12))).toEqual([false, true])
  expect(hasBegun(FINANCIAL, 'AU', today, { ...months, kind: 'quarter' }, 4)).toBe(true)
})
test('calendar and financial years have their own names, dates and starts', () => {
  const today = day('2026-11-20')
  expect(FINANCIAL.label('AU', { year: 2026 })).toBe('Financial year 2026–27')
  expect(FINANCIAL.dates('AU', { year: 2026 }, today)).toBe('1 Jul – 20 Nov 2026')
  expect(CALENDAR.label('AU', { year: 2026 })).toBe('2026')
  expect(CALENDAR.dates('AU', { year: 2026 }, today)).toBe('1 Jan – 20 Nov 2026')
  expect(CALENDAR.initial('AU', today)).toEqual({ year: 2026, month: 11 })
  expect(FINANCIAL.initial('AU', today)).toEqual({ year: 2026 })
})
test('calendar arrows wrap across years and stop at the running period', () => {
  const today = day('2026-11-20')
  expect(CALENDAR.previous('AU', { year: 2026, month: 1 }, today)).toEqual({ year: 2025, month: 12 })
  expect(CALENDAR.next('AU', { year: 2025, quarter: 4 }, today)).toEqual({ year: 2026, quarter: 1 })
  expect(CALENDAR.next('AU', { year: 2026, month: 11 }, today)).toBeNull()
})
