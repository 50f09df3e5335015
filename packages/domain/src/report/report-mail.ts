import type { Day } from '../time/day.ts'
import { addMonths, fromYmd, toYmd } from '../time/day.ts'
import { businessDaysIn, type PeriodChoice } from '../time/period.ts'

/** The business day of the new month on which the report is sent. */
export const REPORT_DAY = { least: 1, most: 10, usual: 3 } as const
/** How many more business days the report waits for late pharmacies. Then it is sent and names them. */
export const REPORT_WAIT = 5

/** The month a report sent today covers: the previous one. */
export function reportMonth(today: Day): { year: number; month: number } {
  const { year, month } = toYmd(today)
  return month === 1 ? { year: year - 1, month: 12 } : { year, month: month - 1 }
}

/** The key of that month, such as '2026-10'. */
export const monthKey = ({ year, month }: PeriodChoice & { month: number }): string =>
  `${year}-${String(month).padStart(2, '0')}`

/** How many business days of the month have begun, including today. */
export function businessDayOfMonth(today: Day, holidays?: ReadonlySet<Day>): number {
  const { year, month } = toYmd(today)
  return businessDaysIn({ from: fromYmd(year, month, 1), to: today }, holidays)
}

/** The last day of a month. Data up to it are complete; up to its last business day they may lack a Saturday. */
export const lastDayOf = ({ year, month }: { year: number; month: number }): Day =>
  addMonths(fromYmd(year, month, 1), 1) - 1

/**
 * Whether the month's report is sent: from the chosen business day on, as soon as every pharmacy's data reach the end of the month, and after
 * REPORT_WAIT more business days even if pharmacies are late.
 */
export function reportIsDue(businessDay: number, chosen: number, late: number): boolean {
  if (businessDay < chosen) return false
  return late === 0 || businessDay >= chosen + REPORT_WAIT
}
