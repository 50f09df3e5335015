import type { Day } from '@pillar/domain/day'
import type { Country } from '@pillar/domain/locale'
import { kindOf, type PeriodChoice, type PeriodKind } from '@pillar/domain/period'
import type { PeriodRules } from './period-rules.ts'

/** What is being picked: a quarter or month may still be missing after the kind changed. */
export interface Draft {
  kind: PeriodKind
  year: number
  unit: number | null
}

/** The draft a choice starts as. */
export const draftOf = (value: PeriodChoice): Draft => ({
  kind: kindOf(value),
  year: value.year,
  unit: value.month ?? value.quarter ?? null,
})

/** The choice of a draft, or the sentence for what is missing. */
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
