import {
  CALENDAR_KINDS,
  calendarDates,
  calendarLabel,
  calendarPeriod,
  calendarYears,
  currentCalendar,
  nextCalendar,
  previousCalendar,
} from '@pillar/domain/time/calendar-period'
import type { Day } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import {
  choiceAt,
  nextChoice,
  type PeriodChoice,
  type PeriodKind,
  periodDates,
  periodLabel,
  periodOf,
  previousChoice,
  yearsOffered,
} from '@pillar/domain/time/period'

/** The kind of periods a screen uses; the dialog and the arrows are the same for all. */
export interface PeriodRules {
  /** Title of the dialog. */
  readonly title: string
  readonly kinds: Readonly<Record<PeriodKind, string>>
  label(country: Country, choice: PeriodChoice): string
  /** Real dates, cut at `until` while the period runs. */
  dates(country: Country, choice: PeriodChoice, until: Day): string
  /** A year's name in the list of years. */
  yearName(country: Country, year: number): string
  years(today: Day, country: Country, kind: PeriodKind): readonly number[]
  begun(country: Country, choice: PeriodChoice, today: Day): boolean
  previous(country: Country, choice: PeriodChoice, today: Day): PeriodChoice | null
  next(country: Country, choice: PeriodChoice, today: Day): PeriodChoice | null
  /** The period Reset goes back to. */
  initial(country: Country, today: Day): PeriodChoice
}

/** Financial years, and the quarters and months in them. */
export const FINANCIAL: PeriodRules = {
  title: 'Period',
  kinds: { year: 'Financial year', quarter: 'Quarter', month: 'Month' },
  label: periodLabel,
  dates: (country, choice, until) => periodDates(country, periodOf(country, choice), until),
  yearName: (country, year) => periodLabel(country, { year }).replace('Financial year ', ''),
  years: yearsOffered,
  begun: (country, choice, today) => periodOf(country, choice).from <= today,
  previous: previousChoice,
  next: nextChoice,
  initial: (country, today) => choiceAt(country, 'year', today),
}

/** Calendar years, quarters and months, which messages use. */
export const CALENDAR: PeriodRules = {
  title: 'Time Period',
  kinds: CALENDAR_KINDS,
  label: (_, choice) => calendarLabel(choice),
  dates: calendarDates,
  yearName: (_, year) => String(year),
  years: (today) => calendarYears(today),
  begun: (_, choice, today) => calendarPeriod(choice).from <= today,
  previous: (_, choice, today) => previousCalendar(choice, today),
  next: (_, choice, today) => nextCalendar(choice, today),
  initial: (_, today) => currentCalendar(today),
}
