import type { Day } from './day.ts'
import type { Country } from './locale.ts'
import {
  choiceAt,
  kindOf,
  nextChoice,
  type Period,
  type PeriodChoice,
  type PeriodKind,
  periodDates,
  periodLabel,
  periodOf,
  previousChoice,
  yearsOffered,
} from './period.ts'

// In the United States the financial year is the calendar year, so its periods of every kind are calendar units.
const CALENDAR: Country = 'US'

/** Names of the kinds in the campaigns' Time Period dialog. */
export const CALENDAR_KINDS: Readonly<Record<PeriodKind, string>> = {
  year: 'Calendar Year',
  quarter: 'Quarter',
  month: 'Month',
}

/** The Time Period dialog while it is being filled in. */
export interface CalendarForm {
  readonly kind: PeriodKind
  readonly year: number
  readonly month: number | null
  readonly quarter: number | null
}

/** The form after the kind changes: Month clears the quarter, Quarter the month, Calendar Year both. */
export function withKind(form: CalendarForm, kind: PeriodKind): CalendarForm {
  return {
    ...form,
    kind,
    month: kind === 'month' ? form.month : null,
    quarter: kind === 'quarter' ? form.quarter : null,
  }
}

/** What is missing in the form, word for word; empty when it can be confirmed. */
export function calendarProblem(form: CalendarForm): '' | 'Please select a month' | 'Please select a quarter' {
  if (form.kind === 'month' && form.month === null) return 'Please select a month'
  if (form.kind === 'quarter' && form.quarter === null) return 'Please select a quarter'
  return ''
}

/** The choice of a completed form; null while something is missing. */
export function calendarChoice(form: CalendarForm): PeriodChoice | null {
  if (calendarProblem(form) !== '') return null
  if (form.kind === 'month') return { year: form.year, month: form.month }
  return form.kind === 'quarter' ? { year: form.year, quarter: form.quarter } : { year: form.year }
}

/** The form of a choice. */
export function calendarForm(choice: PeriodChoice): CalendarForm {
  return { kind: kindOf(choice), year: choice.year, month: choice.month ?? null, quarter: choice.quarter ?? null }
}

/** The choice that Reset returns to: the current month. */
export function currentCalendar(today: Day, kind: PeriodKind = 'month'): PeriodChoice {
  return choiceAt(CALENDAR, kind, today)
}

/** The days of a choice; a year alone is the calendar year. A year's key starts with C, so that it is never mistaken for a financial year: 'C2026', '2026Q4', '2026-11'. */
export function calendarPeriod(choice: PeriodChoice): Period {
  const period = periodOf(CALENDAR, choice)
  return period.kind === 'year' ? { ...period, key: `C${period.key}` } : period
}

/** The previous unit, months and quarters wrapping across years; null at the oldest year offered. */
export function previousCalendar(choice: PeriodChoice, today: Day): PeriodChoice | null {
  return previousChoice(CALENDAR, choice, today)
}

/** The next unit; null at the current one, where the forward arrow is hidden. */
export function nextCalendar(choice: PeriodChoice, today: Day): PeriodChoice | null {
  return nextChoice(CALENDAR, choice, today)
}

/** Years the dialog offers, newest first: the current one and 4 before. */
export function calendarYears(today: Day): number[] {
  return yearsOffered(today, CALENDAR, 'year')
}

/** Quarters or months of a year that have begun; empty for a year alone. */
export function unitsBegun(kind: PeriodKind, year: number, today: Day): number[] {
  if (kind === 'year') return []
  const count = kind === 'month' ? 12 : 4
  const units = Array.from({ length: count }, (_, index) => index + 1)
  return units.filter((unit) => {
    const choice = kind === 'month' ? { year, month: unit } : { year, quarter: unit }
    return calendarPeriod(choice).from <= today
  })
}

/** The same unit one year earlier, which message changes are compared with. */
export function calendarYearBefore(choice: PeriodChoice): PeriodChoice {
  return { ...choice, year: choice.year - 1 }
}

/** '2026', 'Quarter 4, 2026 (Oct–Dec)', 'November 2026'. */
export function calendarLabel(choice: PeriodChoice): string {
  return kindOf(choice) === 'year' ? String(choice.year) : periodLabel(CALENDAR, choice)
}

/** The real dates of a choice in a country's way of writing, cut at `t` while it runs: '1 – 20 Nov 2026'. */
export function calendarDates(country: Country, choice: PeriodChoice, t: Day): string {
  return periodDates(country, calendarPeriod(choice), t)
}
