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

// In the United States the financial year is the calendar year, so that country's periods are calendar units in every kind.
const CALENDAR: Country = 'US'

/** Names of the kinds in the campaigns' Time Period dialog. */
export const CALENDAR_KINDS: Readonly<Record<PeriodKind, string>> = {
  year: 'Calendar Year',
  quarter: 'Quarter',
  month: 'Month',
}

/** What Reset goes back to: the running month. */
export function currentCalendar(today: Day, kind: PeriodKind = 'month'): PeriodChoice {
  return choiceAt(CALENDAR, kind, today)
}

/** The days of a choice; a year alone is the calendar year. The key of a year begins with C, so that no financial year's figures are taken for it: 'C2026', '2026Q4', '2026-11'. */
export function calendarPeriod(choice: PeriodChoice): Period {
  const period = periodOf(CALENDAR, choice)
  return period.kind === 'year' ? { ...period, key: `C${period.key}` } : period
}

/** The unit before, months and quarters wrapping across years; null at the oldest year offered. */
export function previousCalendar(choice: PeriodChoice, today: Day): PeriodChoice | null {
  return previousChoice(CALENDAR, choice, today)
}

/** The unit after; null at the current one, where the forward arrow is hidden. */
export function nextCalendar(choice: PeriodChoice, today: Day): PeriodChoice | null {
  return nextChoice(CALENDAR, choice, today)
}

/** Years the dialog offers, newest first: the current one and 4 before. */
export function calendarYears(today: Day): number[] {
  return yearsOffered(today, CALENDAR, 'year')
}

/** '2026', 'Quarter 4, 2026 (Oct–Dec)', 'November 2026'. */
export function calendarLabel(choice: PeriodChoice): string {
  return kindOf(choice) === 'year' ? String(choice.year) : periodLabel(CALENDAR, choice)
}

/** The real dates of a choice in a country's way of writing, cut at `t` while it runs: '1 – 20 Nov 2026'. */
export function calendarDates(country: Country, choice: PeriodChoice, t: Day): string {
  return periodDates(country, calendarPeriod(choice), t)
}
