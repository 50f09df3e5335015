import { ratio } from '../figure/baseline.ts'
import type { Day } from '../time/day.ts'
import { addMonths, toYmd } from '../time/day.ts'
import { type Country, formatDate, monthName } from '../time/locale.ts'
import { type Period, periodOf } from '../time/period.ts'
import { threeDigits } from './average.ts'

/** Days between the end of a month and its publication, for late uploads. */
export const AVERAGE_SETTLE_DAYS = 8

/** The sums of one group of pharmacies in a period and subcategory; null where a figure is hidden. Money in cents. */
export interface AverageSums {
  readonly pharmacies: number
  readonly script_count: number | null
  readonly revenue_cents: number | null
  readonly measured_scripts: number | null
  readonly adherent_scripts: number | null
  readonly here_slots: number | null
  readonly leaked_slots: number | null
}

/** A cell of the product average: means per pharmacy (money in dollars) and shares as fractions, to three digits; null where hidden. */
export interface AverageCell {
  readonly revenue_value: number | null
  readonly script_count: number | null
  readonly adherent_script_percent: number | null
  readonly loyalty_script_percent: number | null
}

/** The calendar months of a period, first to last. */
export function monthsIn(country: Country, period: Pick<Period, 'from' | 'to'>): Period[] {
  const months: Period[] = []
  for (let day = period.from; day <= period.to; day = addMonths(day, 1)) {
    const { year, month } = toYmd(day)
    months.push(periodOf(country, { year, month }))
  }
  return months
}

/** The day on which a month, quarter or year can be published: its end plus the days for late uploads. */
export const dueOn = (period: Pick<Period, 'to'>): Day => period.to + AVERAGE_SETTLE_DAYS

/** A mean per pharmacy over the groups that show the figure; null if none does. */
function mean(groups: readonly AverageSums[], column: 'script_count' | 'revenue_cents'): number | null {
  const shown = groups.filter((group) => group[column] !== null)
  const pharmacies = shown.reduce((sum, group) => sum + group.pharmacies, 0)
  return threeDigits(ratio(sumOf(shown, column), pharmacies))
}

const sumOf = (rows: readonly AverageSums[], column: Exclude<keyof AverageSums, 'pharmacies'>) =>
  rows.reduce((sum, row) => sum + (row[column] ?? 0), 0)

/** The share of scripts that belong to adherent pairs, over what is shown; null if nothing is. */
export const adherenceIn = (rows: readonly AverageSums[]): number | null =>
  threeDigits(ratio(sumOf(rows, 'adherent_scripts'), sumOf(rows, 'measured_scripts')))
const loyaltyIn = (rows: readonly AverageSums[]) =>
  threeDigits(ratio(sumOf(rows, 'here_slots'), sumOf(rows, 'here_slots') + sumOf(rows, 'leaked_slots')))

/**
 * A cell over some months: counts and money are the months' published means added up, loyalty is pooled over them. Null if a month hides
 * the figure, because the sum would be too low.
 * @param months the groups of each month
 * @param whole the groups of the period itself, once it has been published: adherence is judged at its end. Null while the period runs:
 *   adherence is then pooled over the months.
 */
export function cellOver(
  months: readonly (readonly AverageSums[])[],
  whole: readonly AverageSums[] | null,
): AverageCell {
  const added = (column: 'script_count' | 'revenue_cents'): number | null =>
    months.reduce<number | null>((sum, month) => {
      const value = mean(month, column)
      return sum === null || value === null ? null : sum + value
    }, 0)
  const pooled = (column: 'measured_scripts' | 'here_slots') =>
    months.every((month) => month.some((group) => group[column] !== null)) ? months.flat() : []
  const cents = added('revenue_cents')
  return {
    revenue_value: threeDigits(cents === null ? null : cents / 100),
    script_count: threeDigits(added('script_count')),
    adherent_script_percent: adherenceIn(whole ?? pooled('measured_scripts')),
    loyalty_script_percent: loyaltyIn(pooled('here_slots')),
  }
}

/** The months of a period that its average covers today, or one plain sentence why it has none. */
export type Coverage = { readonly months: readonly Period[] } | { readonly reason: string }

/**
 * The months of a period that its average covers: all that are due, each of which must be published. A month that becomes due today counts
 * once it is published, because the nightly publication comes some hours into the day, by the installation's clock.
 * @param published whether a month shows this company anything
 * @param lastRun the last day on which everything due was published to this company; null before the first
 */
export function coverageOf(
  country: Country,
  period: Period,
  today: Day,
  published: (month: Period) => boolean,
  lastRun: Day | null,
): Coverage {
  const months = monthsIn(country, period)
  const isDue = (month: Period) => dueOn(month) < today || (dueOn(month) === today && published(month))
  const due = months.filter(isDue)
  const named = (month: Period) => `${monthName(toYmd(month.from).month)} ${toYmd(month.from).year}`
  if (due.length === 0) {
    const first = months[0]!
    const last = lastDue(country, today, isDue)
    return { reason: `${named(first)} appears on ${formatDate(country, dueOn(first))}. See ${named(last)} until then.` }
  }
  const missing = due.find((month) => !published(month))
  if (!missing) return { months: due }
  if (lastRun === null || lastRun < dueOn(missing)) {
    return { reason: `${named(missing)} has not been calculated yet. Averages are calculated every night.` }
  }
  return { reason: `In ${named(missing)} there are too few other pharmacies, or one company is too large.` }
}

/** The last month whose average is due. */
function lastDue(country: Country, today: Day, isDue: (month: Period) => boolean): Period {
  let month = periodOf(country, toYmd(today))
  while (!isDue(month)) month = periodOf(country, toYmd(month.from - 1))
  return month
}
