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

/** The period Reset goes back to: the running month. */
export function currentCalendar(today: Day, kind: PeriodKind = 'month'): PeriodChoice {
  return choiceAt(CALENDAR, kind, today)
}

/**
 * The days of a choice; a year alone is the calendar year. A year's key starts with C, so that it is never mistaken for a financial year:
 * 'C2026', '2026Q4', '2026-11'.
 */
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

/** Years the dialog offers, newest first: the current one and the 4 before. */
export function calendarYears(today: Day): number[] {
  return yearsOffered(today, CALENDAR, 'year')
}

/** '2026', 'Quarter 4, 2026 (Oct–Dec)', 'November 2026'. */
export function calendarLabel(choice: PeriodChoice): string {
  return kindOf(choice) === 'year' ? String(choice.year) : periodLabel(CALENDAR, choice)
}

/** The real dates of a choice in the country's format, cut at `t` while it runs: '1 – 20 Nov 2026'. */
export function calendarDates(country: Country, choice: PeriodChoice, t: Day): string {
  return periodDates(country, calendarPeriod(choice), t)
}
