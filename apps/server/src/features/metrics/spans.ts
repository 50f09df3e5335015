import { MIN_UPLOAD_COVERAGE } from '@pillar/domain/figure/baseline'
import { FOLLOWED_WITHIN_DAYS } from '@pillar/domain/measure/persistence'
import { addMonths, type Day, fromYmd, toYmd } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import {
  beginsBeforeData,
  businessDaysIn,
  cutTo,
  type Period,
  periodsOf,
  priorSpan,
  type Span,
} from '@pillar/domain/time/period'

/** A stretch of days figures are summed over. */
export interface MetricSpan extends Span {
  /** Code of the period it is stored as; null when it only serves a comparison. */
  period: number | null
  /** Code its cells are stored under: the period's; negative for dates that are not a period. Cells of a period that is not recomputed stay. */
  cells: number
  /** Position of the same dates one year earlier; null when nothing is compared. */
  prior: number | null
}

/** The integer a period is stored under: year * 100 + 0 (financial year), 1..12 (month), 21..24 (quarter). */
export function periodCode(period: Pick<Period, 'kind' | 'key'>): number {
  const year = Number(period.key.slice(0, 4))
  if (period.kind === 'month') return year * 100 + Number(period.key.slice(5))
  return year * 100 + (period.kind === 'quarter' ? 20 + Number(period.key.slice(5)) : 0)
}

/** The days a pharmacy's figures are about. */
export interface DataRange {
  /** First day of its data: no figure is about a period before it, and nothing is compared with one that begins before it. */
  from: Day
  /** Last day its data reach. */
  to: Day
  /** Public holidays it observes. */
  holidays: ReadonlySet<Day>
  /** Business days on which something was supplied. */
  open: ReadonlySet<Day>
}

/** A period with the starts of medicines in it. */
export interface FollowedPeriod extends Span {
  code: number
}

export interface MetricPlan {
  /** Codes of all periods the pharmacy has figures of, whether recomputed or not. */
  codes: number[]
  spans: MetricSpan[]
  /** Periods whose starts can have been followed further, or begun otherwise. */
  followed: FollowedPeriod[]
}

/**
 * The spans a pharmacy's figures need.
 * @param since only periods that reach this day or later (all when null)
 */
export function planMetrics(country: Country, data: DataRange, since: Day | null): MetricPlan {
  const offered = offeredPeriods(country, data)
  const spans: MetricSpan[] = offered
    .filter(({ to }) => since === null || to >= since)
    .map(({ from, to, code }) => ({ from, to, period: code, cells: code, prior: null }))
  const byDates = new Map(offered.map(({ from, to, code }) => [`${from} ${to}`, code]))
  for (const span of [...spans]) {
    const prior = priorSpan(span.from, span.to)
    if (!isComplete(span, data) || !isComplete(prior, data)) continue
    const whole = offered.find(({ code }) => code === span.period)?.whole
    const own = whole ? -yearBefore(span.cells) : -span.cells
    span.prior = positionOf(spans, prior, byDates.get(`${prior.from} ${prior.to}`) ?? own)
  }
  return {
    ...{ codes: offered.map(({ code }) => code), spans },
    followed: offered.filter(({ to }) => since === null || to >= since - FOLLOWED_WITHIN_DAYS),
  }
}

/** The periods that figures are stored of, cut to the data, by their codes; `whole` where they have ended. */
export function offeredPeriods(country: Country, data: Span): (FollowedPeriod & { whole: boolean })[] {
  return periodsOf(country, data.to).flatMap((period) => {
    const cut = cutTo(period, data.to)
    return !cut || cut.to < data.from ? [] : [{ code: periodCode(period), ...cut, whole: cut.to === period.to }]
  })
}

/** Whether figures of a span are stored: of a period, or of the dates a year before one that are no period themselves. */
export const hasCells = (span: MetricSpan | undefined): span is MetricSpan =>
  span !== undefined && (span.period !== null || span.cells < 0)

/** Code of the same period a year earlier. */
const yearBefore = (code: number): number => code - 100

/** Whether a span can be compared: none of its business days lies before the data, and nearly all of them have a supply. */
export function isComplete(span: Span, data: DataRange): boolean {
  if (beginsBeforeData(span.from, data.from, data.holidays)) return false
  const days = businessDaysIn(span, data.holidays)
  // In tenths, so that nine of ten are never just below nine tenths.
  return days > 0 && openDaysIn(span, data.open) * 10 >= days * (MIN_UPLOAD_COVERAGE * 10)
}

/** Business days of a span on which something was supplied. */
export function openDaysIn({ from, to }: Span, open: ReadonlySet<Day>): number {
  let count = 0
  for (let day = from; day <= to; day++) if (open.has(day)) count++
  return count
}

/** Where a span stands among those planned; it is added for comparison only when it is no period itself. */
function positionOf(spans: MetricSpan[], { from, to }: Span, cells: number): number {
  const known = spans.findIndex((span) => span.from === from && span.to === to)
  if (known >= 0) return known
  spans.push({ from, to, period: null, cells, prior: null })
  return spans.length - 1
}

/** Months of period codes ending with the month of `day`, oldest first, each with its first and last day. */
export function trendMonths(day: Day, count = 13): { code: number; label: string; from: Day; to: Day }[] {
  return Array.from({ length: count }, (_, at) => {
    const { year, month } = toYmd(addMonths(day, at - count + 1))
    const from = fromYmd(year, month, 1)
    const label = `${year}-${String(month).padStart(2, '0')}`
    return { code: year * 100 + month, label, from, to: addMonths(from, 1) - 1 }
  })
}
