import type { AnswerOf, contract, InputOf } from '@pillar/contract'
import type { TrendMonth } from '@pillar/contract/figure-trend'
import { rateOfChange, ratio } from '@pillar/domain/figure/baseline'
import { type Day, day as dayOf, formatDay } from '@pillar/domain/time/day'
import { type Context, callerOf, tenantTx } from '../../api/context.ts'
import { trendMonths } from '../metrics/spans.ts'
import { shareOf } from './cells.ts'
import { select } from './selection.ts'
import { sumMonths, type TrendRow, type TrendSums } from './trend.queries.ts'
import { TREND_FIGURES, type TrendFigure } from './trend-figures.ts'

type Trend = (typeof contract)['financials']['trend']

export const TREND_MONTHS = 24

/** A figure over 24 months, each beside the same dates a year earlier. */
export async function trendAnswer(
  { figure, pharmacy_ids, ...choice }: InputOf<Trend>,
  context: Context,
): Promise<AnswerOf<Trend>> {
  const tx = tenantTx(context)
  const selection = await select(tx, callerOf(context).country, choice, pharmacy_ids)
  const months = trendMonths(dayOf(selection.span.to), TREND_MONTHS)
  const rows = await sumMonths(
    tx,
    selection.ids,
    months.map(({ code }) => code),
  )
  const byCode = new Map(rows.map((row) => [row.period, row]))
  const made = TREND_FIGURES[figure]
  const { dataTo } = selection
  return {
    ...{ figure, title: made.title, formula: made.formula, unit: made.unit, rated: made.rated },
    months: months.map(({ code, label, from, to }) => {
      const last = dataTo !== null && dataTo >= from && dataTo < to ? dataTo : to
      const days = { month: label, from: formatDay(from), to: formatDay(last), running: isRunning(last, to) }
      return { ...days, ...monthOf(made, byCode.get(code)) }
    }),
    period: selection.span,
    data_to: dataTo === null ? null : formatDay(dataTo),
    pharmacies: selection.ids.length,
  }
}

const isRunning = (last: Day, to: Day) => last < to

const NOTHING = {
  ...{ value: null, previous: null, change: null, n: null, low: null, high: null, business_days: 0 },
  ...{ per_business_day: null, previous_per_business_day: null, pharmacies_counted: 0, pharmacies_compared: 0 },
}

/** What a month says of a figure. */
function monthOf(
  figure: TrendFigure,
  row: TrendRow | undefined,
): Omit<TrendMonth, 'month' | 'from' | 'to' | 'running'> {
  if (!row) return NOTHING
  const [now, then] = [figureOf(figure, row.now), figureOf(figure, row.prior)]
  const drawn = row.compared === row.pharmacies
  const share = figure.n === null ? null : shareIn(figure, row.all)
  return {
    value: figureOf(figure, row.all),
    previous: drawn ? then : null,
    change: figure.unit === 'fraction' ? difference(now, then) : rateOfChange(now, then),
    ...{ n: share?.n ?? null, low: share?.low ?? null, high: share?.high ?? null },
    business_days: row.all.business_days,
    per_business_day: perDay(figure, row.all),
    previous_per_business_day: drawn ? perDay(figure, row.prior) : null,
    pharmacies_counted: row.pharmacies,
    pharmacies_compared: row.compared,
  }
}

const shareIn = ({ of, over, n }: TrendFigure, sums: TrendSums) => shareOf(of(sums), over?.(sums) ?? 0, n?.(sums) ?? 0)

function figureOf(figure: TrendFigure, sums: TrendSums | null): number | null {
  if (sums === null) return null
  if (figure.n !== null) return shareIn(figure, sums).value
  return figure.over === null ? figure.of(sums) : ratio(figure.of(sums), figure.over(sums))
}

const difference = (now: number | null, then: number | null) => (now === null || then === null ? null : now - then)

const perDay = (figure: TrendFigure, sums: TrendSums | null) =>
  figure.rated && sums !== null ? ratio(figure.of(sums), sums.business_days) : null
