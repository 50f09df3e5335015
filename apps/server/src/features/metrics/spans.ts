import { addMonths, type Day, toYmd } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { cutTo, type Period, periodsOf, priorSpan } from '@pillar/domain/time/period'

/** A stretch of days figures are summed over. `period` is its code, or null when it only serves a comparison. */
export interface MetricSpan {
  id: number
  period: number | null
  from: Day
  to: Day
  /** The same dates one year earlier. */
  priorId: number | null
}

/** A stretch of days coverage is counted over: the trailing year that decides adherence, or a span itself for money. */
export interface CoverageWindow {
  id: number
  from: Day
  to: Day
}

export interface MetricPlan {
  spans: MetricSpan[]
  windows: CoverageWindow[]
  /** Window of the trailing 365 days to `to`, by the span's last day. */
  trailing: Map<Day, number>
  /** Window equal to the span itself, by span id. */
  own: Map<number, number>
}

/** The integer a period is stored under: year * 100 + 0 (financial year), 1..12 (month), 21..24 (quarter). */
export function periodCode(period: Pick<Period, 'kind' | 'key'>): number {
  const year = Number(period.key.slice(0, 4))
  if (period.kind === 'month') return year * 100 + Number(period.key.slice(5))
  return year * 100 + (period.kind === 'quarter' ? 20 + Number(period.key.slice(5)) : 0)
}

/**
 * Which spans and windows a pharmacy's figures need, given the last day of its data.
 * @param since only periods that reach this day or later (all when null)
 * @param historyFrom first day with data: a prior span that begins before it cannot be compared and is left out
 */
export function planMetrics(country: Country, dataTo: Day, since: Day | null, historyFrom: Day): MetricPlan {
  const spans = new Map<string, MetricSpan>()
  const spanOf = (from: Day, to: Day): MetricSpan => {
    const key = `${from}:${to}`
    const known = spans.get(key)
    if (known) return known
    const made: MetricSpan = { id: spans.size + 1, period: null, from, to, priorId: null }
    spans.set(key, made)
    return made
  }
  for (const period of periodsOf(country, dataTo)) {
    const cut = cutTo(period, dataTo)
    if (!cut || (since !== null && cut.to < since) || cut.to < historyFrom) continue
    const span = periodSpan(spans, periodCode(period), cut.from, cut.to)
    const prior = priorSpan(cut.from, cut.to)
    if (prior.from >= historyFrom) span.priorId = spanOf(prior.from, prior.to).id
  }
  return withWindows([...spans.values()])
}

/** A period's own entry. Early in a month its quarter and year may cover the same days: each still gets its own row. */
function periodSpan(spans: Map<string, MetricSpan>, code: number, from: Day, to: Day): MetricSpan {
  const plain = spans.get(`${from}:${to}`)
  if (plain && plain.period === null) {
    plain.period = code
    return plain
  }
  const made: MetricSpan = { id: spans.size + 1, period: code, from, to, priorId: null }
  spans.set(plain ? `${from}:${to}:${code}` : `${from}:${to}`, made)
  return made
}

function withWindows(spans: MetricSpan[]): MetricPlan {
  const windows = new Map<string, CoverageWindow>()
  const windowOf = (from: Day, to: Day): number => {
    const key = `${from}:${to}`
    const known = windows.get(key) ?? { id: windows.size + 1, from, to }
    windows.set(key, known)
    return known.id
  }
  const trailing = new Map(spans.map((span) => [span.to, windowOf(span.to - 364, span.to)]))
  const own = new Map(spans.map((span) => [span.id, windowOf(span.from, span.to)]))
  return { spans, windows: [...windows.values()], trailing, own }
}

/** 20261119 for 19 Nov 2026: ages come out of a subtraction and an integer division. */
export function ymdNumber(day: Day): number {
  const { year, month, day: date } = toYmd(day)
  return year * 10_000 + month * 100 + date
}

/** Thirteen months of period codes ending with the month of `day`, oldest first, each with the code a year before. */
export function trendMonths(day: Day): { code: number; label: string }[] {
  return Array.from({ length: 13 }, (_, at) => {
    const { year, month } = toYmd(addMonths(day, at - 12))
    return { code: year * 100 + month, label: `${year}-${String(month).padStart(2, '0')}` }
  })
}
