import { day } from '@pillar/domain/day'
import { expect, test } from 'vitest'
import { choiceOfDraft, draftOf, hasBegun } from './period-draft.ts'

test('a draft becomes the choice it came from', () => {
  for (const choice of [{ year: 2026 }, { year: 2026, quarter: 3 }, { year: 2025, month: 11 }]) {
    expect(choiceOfDraft(draftOf(choice))).toEqual(choice)
  }
})
test('what is missing is named', () => {
  expect(choiceOfDraft({ kind: 'month', year: 2026, unit: null })).toBe('Please select a month')
  expect(choiceOfDraft({ kind: 'quarter', year: 2026, unit: null })).toBe('Please select a quarter')
})
test('a period that has not begun cannot be picked', () => {
  const today = day('2026-11-20')
  const months = { kind: 'month', year: 2026, unit: null } as const
  expect(hasBegun('AU', today, months, 11)).toBe(true)
  expect(hasBegun('AU', today, months, 12)).toBe(false)
  expect(hasBegun('AU', today, { ...months, kind: 'quarter' }, 4)).toBe(true)
})
