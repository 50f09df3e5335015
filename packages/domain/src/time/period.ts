import { addMonths, type Day, fromYmd, toYmd, yearBack } from './day.ts'
import { type Country, formatSpan, monthName, monthShort } from './locale.ts'
import { isBusinessDay } from './zone.ts'

export const PERIOD_KINDS = ['year', 'quarter', 'month'] as const
export type PeriodKind = (typeof PERIOD_KINDS)[number]

/** A period as on the wire: a year alone is the financial year that STARTS in it; month and quarter are calendar units. */
export interface PeriodChoice {
  readonly year: number
  readonly month?: number | null
  readonly quarter?: number | null
}

export interface Period {
  readonly kind: PeriodKind
  /** '2026' (financial year starting in 2026), '2026Q3', '2026-11'. */
  readonly key: string
  readonly from: Day
  /** Last day, whether reached or not. */
  readonly to: Day
}

export interface Span {
  readonly from: Day
  readonly to: Day
}

/** How many years the screens offer: the current one and the 4 before. */
export const YEARS_OFFERED = 5

/** Month in which the financial year starts: Australia July, Great Britain April, United States January. */
export const FINANCIAL_YEAR_MONTH: Readonly<Record<Country, number>> = { AU: 7, GB: 4, US: 1 }

/** The period of a choice. A month takes precedence over a quarter; one out of range is a RangeError. */
export function periodOf(country: Country, choice: PeriodChoice): Period {
  const { year } = choice
  if (choice.month != null) {
    if (!Number.isInteger(choice.month) || choice.month < 1 || choice.month > 12) {
      throw new RangeError(`Month out of range: ${choice.month}`)
    }
    return spanOf('month', `${year}-${String(choice.month).padStart(2, '0')}`, year, choice.month, 1)
  }
  if (choice.quarter != null) {
    if (!Number.isInteger(choice.quarter) || choice.quarter < 1 || choice.quarter > 4) {
      throw new RangeError(`Quarter out of range: ${choice.quarter}`)
    }
    return spanOf('quarter', `${year}Q${choice.quarter}`, year, choice.quarter * 3 - 2, 3)
  }
  return spanOf('year', String(year), year, FINANCIAL_YEAR_MONTH[country], 12)
}

function spanOf(kind: PeriodKind, key: string, year: number, month: number, months: number): Period {
  const from = fromYmd(year, month, 1)
  return { kind, key, from, to: addMonths(from, months) - 1 }
}

/** The choice of a key; null for an invalid key. */
export function choiceOf(key: string): PeriodChoice | null {
  const match = /^(\d{4})(?:Q([1-4])|-(0[1-9]|1[0-2]))?$/.exec(key)
  if (!match) return null
  const year = Number(match[1])
  if (match[2]) return { year, quarter: Number(match[2]) }
  if (match[3]) return { year, month: Number(match[3]) }
  return { year }
}

/** The kind of a choice. */
export function kindOf(choice: PeriodChoice): PeriodKind {
  if (choice.month != null) return 'month'
  return choice.quarter != null ? 'quarter' : 'year'
}

/** The choice of a kind that contains a day: its financial year, calendar quarter or month. */
export function choiceAt(country: Country, kind: PeriodKind, day: Day): PeriodChoice {
  const { year, month } = toYmd(day)
  if (kind === 'month') return { year, month }
  if (kind === 'quarter') return { year, quarter: Math.ceil(month / 3) }
  return { year: month < FINANCIAL_YEAR_MONTH[country] ? year - 1 : year }
}

/**
 * The years a picker offers on a day, newest first: the current one and the 4 before. The current year depends on the kind: in March 2027 months
 * are offered for 2027..2023, Australian financial years for 2026..2022 (starting years).
 */
export function yearsOffered(today: Day, country: Country, kind: PeriodKind, years = YEARS_OFFERED): number[] {
  const newest = choiceAt(country, kind, today).year
  return Array.from({ length: years }, (_, back) => newest - back)
}

/** All periods a pharmacy's figures are stored for: those of the offered years that start on or before `lastDay`, oldest first per kind. */
export function periodsOf(country: Country, lastDay: Day, years = YEARS_OFFERED): Period[] {
  const choices: PeriodChoice[] = []
  for (const year of yearsOffered(lastDay, country, 'year', years).reverse()) choices.push({ year })
  for (const year of yearsOffered(lastDay, country, 'quarter', years).reverse()) {
    for (let quarter = 1; quarter <= 4; quarter++) choices.push({ year, quarter })
  }
  for (const year of yearsOffered(lastDay, country, 'month', years).reverse()) {
    for (let month = 1; month <= 12; month++) choices.push({ year, month })
  }
  return choices.map((choice) => periodOf(country, choice)).filter((period) => period.from <= lastDay)
}

/** The part of a period covered by data up to `t`; null when the period starts after `t`. */
export function cutTo(period: Span, t: Day): Span | null {
  return period.from > t ? null : { from: period.from, to: Math.min(period.to, t) }
}

/**
 * The same dates one year earlier, the basis of a rate of change. A span that ends with a month keeps doing so: February 2024 (to the 29th) from
 * February 2025 (to the 28th).
 */
export function priorSpan(from: Day, to: Day): Span {
  const endsMonth = toYmd(to + 1).day === 1
  return { from: yearBack(from), to: endsMonth ? yearBack(to + 1) - 1 : yearBack(to) }
}

/**
 * Whether a span begins before a pharmacy's data: at least one of its business days lies before the first day of data. The screen says so, and
 * compares such a span with nothing. A weekend or public holiday alone does not count, because nobody dispensed then anyway.
 * @param dataFrom first day of data; null while the pharmacy has none, which is no beginning
 */
export function beginsBeforeData(from: Day, dataFrom: Day | null, holidays?: ReadonlySet<Day>): boolean {
  return dataFrom !== null && businessDaysIn({ from, to: dataFrom - 1 }, holidays) > 0
}

/** Business days of a span: Monday to Friday minus the given public holidays; 0 if it is empty. */
export function businessDaysIn(span: Span, holidays?: ReadonlySet<Day>): number {
  let count = 0
  for (let day = span.from; day <= span.to; day++) if (isBusinessDay(day, holidays)) count++
  return count
}

/** One unit back (-1) or forward (+1), months and quarters wrapping across years. */
export function stepChoice(choice: PeriodChoice, by: -1 | 1): PeriodChoice {
  const kind = kindOf(choice)
  if (kind === 'year') return { year: choice.year + by }
  const units = kind === 'month' ? 12 : 4
  const index = choice.year * units + ((choice.month ?? choice.quarter ?? 1) - 1) + by
  const year = Math.floor(index / units)
  const unit = index - year * units + 1
  return kind === 'month' ? { year, month: unit } : { year, quarter: unit }
}

/** The next choice, or null at the current period, where the forward arrow is hidden. */
export function nextChoice(country: Country, choice: PeriodChoice, today: Day): PeriodChoice | null {
  const next = stepChoice(choice, 1)
  return periodOf(country, next).from > today ? null : next
}

/** The previous choice, or null at the oldest one offered. */
export function previousChoice(country: Country, choice: PeriodChoice, today: Day): PeriodChoice | null {
  const previous = stepChoice(choice, -1)
  const oldest = yearsOffered(today, country, kindOf(previous)).at(-1)!
  return previous.year < oldest ? null : previous
}

/** 'Financial year 2026–27', 'Quarter 3, 2026 (Jul–Sep)', 'November 2026'. If the financial year is the calendar year: 'Financial year 2026'. */
export function periodLabel(country: Country, choice: PeriodChoice): string {
  if (choice.month != null) return `${monthName(choice.month)} ${choice.year}`
  if (choice.quarter != null) {
    const first = choice.quarter * 3 - 2
    return `Quarter ${choice.quarter}, ${choice.year} (${monthShort(first)}–${monthShort(first + 2)})`
  }
  if (FINANCIAL_YEAR_MONTH[country] === 1) return `Financial year ${choice.year}`
  return `Financial year ${choice.year}–${String((choice.year + 1) % 100).padStart(2, '0')}`
}

/** The real dates of a period, cut at `t` while it is running: '1 Jul – 19 Nov 2026'. A period that has not begun shows its whole span. */
export function periodDates(country: Country, period: Span, t: Day): string {
  const shown = cutTo(period, t) ?? period
  return formatSpan(country, shown.from, shown.to)
}
