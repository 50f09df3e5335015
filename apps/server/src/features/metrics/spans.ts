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

/** A range of days over which figures are summed. */
export interface MetricSpan extends Span {
  /** Code of the period it is stored as; null if it only serves a comparison. */
  period: number | null
  /**
   * Code its cells are stored under: the period's, or a negative one for dates that are not a period. Cells of a period that is not
   * recomputed stay.
   */
  cells: number
  /** Position of the same dates one year earlier; null if nothing is compared. */
  prior: number | null
}

/** A period's integer in the database: year * 100 + 0 (financial year), 1..12 (month), 21..24 (quarter). */
export function periodCode(period: Pick<Period, 'kind' | 'key'>): number {
  const year = Number(period.key.slice(0, 4))
  if (period.kind === 'month') return year * 100 + Number(period.key.slice(5))
  return year * 100 + (period.kind === 'quarter' ? 20 + Number(period.key.slice(5)) : 0)
}

/** The days covered by a pharmacy's figures. */
export interface DataRange {
  /** First day of its data: figures cover no earlier period, and no comparison starts before it. */
  from: Day
  /** Last day of its data. */
  to: Day
  /** Public holidays it observes. */
  holidays: ReadonlySet<Day>
  /** Business days with at least one supply. */
  open: ReadonlySet<Day>
}

/** A period with the medicines started in it. */
export interface FollowedPeriod extends Span {
  code: number
}

export interface MetricPlan {
  /** Codes of all periods for which the pharmacy has figures, recomputed or not. */
  codes: number[]
  spans: MetricSpan[]
  /** Periods whose starts may have been followed further, or begun differently. */
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

/** The periods for which figures are stored, cut to the data, by their codes; `whole` if they have ended. */
export function offeredPeriods(country: Country, data: Span): (FollowedPeriod & { whole: boolean })[] {
  return periodsOf(country, data.to).flatMap((period) => {
    const cut = cutTo(period, data.to)
    return !cut || cut.to < data.from ? [] : [{ code: periodCode(period), ...cut, whole: cut.to === period.to }]
  })
}

/** Whether figures of a span are stored: for a period, or for the dates a year before one that are not a period themselves. */
export const hasCells = (span: MetricSpan | undefined): span is MetricSpan =>
  span !== undefined && (span.period !== null || span.cells < 0)

/** Code of the same period a year earlier. */
const yearBefore = (code: number): number => code - 100

/** Whether a span can be compared: none of its business days precedes the data, and nearly all of them have a supply. */
export function isComplete(span: Span, data: DataRange): boolean {
  if (beginsBeforeData(span.from, data.from, data.holidays)) return false
  const days = businessDaysIn(span, data.holidays)
  // Compared in tenths, so that rounding never puts nine out of ten just below nine tenths.
  return days > 0 && openDaysIn(span, data.open) * 10 >= days * (MIN_UPLOAD_COVERAGE * 10)
}

/** Business days of a span with at least one supply. */
export function openDaysIn({ from, to }: Span, open: ReadonlySet<Day>): number {
  let count = 0
  for (let day = from; day <= to; day++) if (open.has(day)) count++
  return count
}

/** The position of a span among those planned; it is added for comparison only if it is not a period itself. */
function positionOf(spans: MetricSpan[], { from, to }: Span, cells: number): number {
  const known = spans.findIndex((span) => span.from === from && span.to === to)
  if (known >= 0) return known
  spans.push({ from, to, period: null, cells, prior: null })
  return spans.length - 1
}

/** Months of period codes up to the month of `day`, oldest first, each with its first and last day. */
export function trendMonths(day: Day, count = 13): { code: number; label: string; from: Day; to: Day }[] {
  return Array.from({ length: count }, (_, at) => {
    const { year, month } = toYmd(addMonths(day, at - count + 1))
    const from = fromYmd(year, month, 1)
    const label = `${year}-${String(month).padStart(2, '0')}`
    return { code: year * 100 + month, label, from, to: addMonths(from, 1) - 1 }
  })
}
