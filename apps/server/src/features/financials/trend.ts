import type { AnswerOf, contract, InputOf } from '@pillar/contract'
import type { TrendMonth } from '@pillar/contract/figure-trend'
import { isDrawn, yearBefore } from '@pillar/domain/figure/baseline'
import { FIGURES, type FigureKey } from '@pillar/domain/figure/figure-list'
import { type Day, day as dayOf, formatDay } from '@pillar/domain/time/day'
import { type Context, callerOf, tenantTx } from '../../api/context.ts'
import { trendMonths } from '../metrics/spans.ts'
import { changeIn, columnsOf, figureIn, neededBy, perBusinessDay } from './figure-parts.ts'
import { type PeriodSums, type Sums, sumPeriods } from './figure-sums.queries.ts'
import { select } from './selection.ts'

type Trend = (typeof contract)['financials']['trend']

const TREND_MONTHS = 24

/** A figure over 24 months, each beside the same dates a year earlier. */
export async function trendAnswer(
  { figure, pharmacy_ids, ...choice }: InputOf<Trend>,
  context: Context,
): Promise<AnswerOf<Trend>> {
  const tx = tenantTx(context)
  const selection = await select(tx, callerOf(context).country, choice, pharmacy_ids)
  const months = trendMonths(dayOf(selection.span.to), TREND_MONTHS)
  const codes = months.map(({ code }) => code)
  const rows = await sumPeriods(tx, selection.ids, codes, columnsOf(figure), neededBy(figure))
  const byCode = new Map(rows.map((row) => [row.period, row]))
  const words = FIGURES[figure]
  const { dataTo } = selection
  return {
    ...{ figure, title: words.title, formula: words.formula, unit: words.unit, rated: 'daily' in words },
    months: months.map(({ code, label, from, to }) => {
      const last = dataTo !== null && dataTo >= from && dataTo < to ? dataTo : to
      const days = { month: label, from: formatDay(from), to: formatDay(last), running: isRunning(last, to) }
      return { ...days, ...monthOf(figure, byCode.get(code)) }
    }),
    period: selection.span,
    data_to: dataTo === null ? null : formatDay(dataTo),
    pharmacies: selection.ids.length,
  }
}

const isRunning = (last: Day, to: Day) => last < to

const NOTHING = {
  ...{ value: null, previous: null, change: null, n: null, low: null, high: null, business_days: 0 },
  ...{
    per_business_day: null,
    previous_per_business_day: null,
    year_before: null,
    pharmacies_counted: 0,
    pharmacies_compared: 0,
  },
}

/** A figure in one month of its trend. */
function monthOf(
  figure: FigureKey,
  row: PeriodSums | undefined,
): Omit<TrendMonth, 'month' | 'from' | 'to' | 'running'> {
  if (!row) return NOTHING
  const drawn = row.compared === row.pharmacies && row.prior !== null
  return {
    ...figureIn(figure, row.all),
    previous: drawn && row.prior ? figureIn(figure, row.prior).value : null,
    change: changeIn(figure, row.now, row.prior),
    business_days: row.all.business_days,
    per_business_day: perBusinessDay(figure, row.all),
    previous_per_business_day: drawn ? perBusinessDay(figure, row.prior) : null,
    year_before: yearBeforeIn(figure, row),
    pharmacies_counted: row.pharmacies,
    pharmacies_compared: row.compared,
  }
}

/** The value a year before a month's: that of the same pharmacies, or calculated like for like from the change of at least half of them. */
function yearBeforeIn(figure: FigureKey, { all, now, prior, compared, pharmacies }: PeriodSums): number | null {
  if (now === null || prior === null || !isDrawn({ compared, pharmacies })) return null
  const drawn = (sums: Sums) => perBusinessDay(figure, sums) ?? figureIn(figure, sums).value
  const [whole, later, earlier] = [drawn(all), drawn(now), drawn(prior)]
  if (compared === pharmacies) return earlier
  if (whole === null || later === null || earlier === null) return null
  if (FIGURES[figure].unit === 'fraction') return whole - (later - earlier)
  return yearBefore({ whole, now: later, prior: earlier, compared, pharmacies })
}
