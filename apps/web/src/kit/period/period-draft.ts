import type { Day } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { kindOf, type PeriodChoice, type PeriodKind } from '@pillar/domain/time/period'
import type { PeriodRules } from './period-rules.ts'

/** The selection in progress: a quarter or month may still be missing after the kind has changed. */
export interface Draft {
  kind: PeriodKind
  year: number
  unit: number | null
}

/** The initial draft of a choice. */
export const draftOf = (value: PeriodChoice): Draft => ({
  kind: kindOf(value),
  year: value.year,
  unit: value.month ?? value.quarter ?? null,
})

/** A draft's choice, or the sentence about what is missing. */
export function choiceOfDraft({
  kind,
  year,
  unit,
}: Draft): PeriodChoice | 'Please select a month' | 'Please select a quarter' {
  if (kind === 'year') return { year }
  if (kind === 'quarter') return unit === null ? 'Please select a quarter' : { year, quarter: unit }
  return unit === null ? 'Please select a month' : { year, month: unit }
}

/** Whether a quarter or month of the draft’s year has begun. */
export function hasBegun(
  rules: PeriodRules,
  country: Country,
  today: Day,
  { kind, year }: Draft,
  unit: number,
): boolean {
  return rules.begun(country, { year, [kind]: unit }, today)
}
