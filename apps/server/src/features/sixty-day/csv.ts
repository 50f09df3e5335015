import { TRANCHES, type Tranche } from '@pillar/domain/sixty-day/choices'
import { SIXTY_DAY_STATISTICS, type SixtyDayStatistic } from '@pillar/domain/sixty-day/figure'
import { safeCell } from '@pillar/domain/text/csv-safe'
import { plainDecimals } from '@pillar/domain/time/locale'
import { csvText } from '../../api/answer/csv-text.ts'
import type { CategoriesAnswer } from './table-answer.ts'

const PLACE_FIELDS = { State: 'state', Postcode: 'postcode' } as const
type First = 'Pharmacy' | 'Postcode' | 'State'
/** The place columns of a row, by its first column, which is not repeated among them. */
const PLACES: Readonly<Record<First, readonly (keyof typeof PLACE_FIELDS)[]>> = {
  Pharmacy: ['State', 'Postcode'],
  Postcode: ['State'],
  State: [],
}

/** What a table was asked for. */
interface Asked {
  selected_statistic: SixtyDayStatistic
  uptake_percentage: number
  tranche: Tranche
  net_of_acss: boolean
}

/**
 * The table as CSV, named '{year}_{category}.csv' after the year in which the base ends. Every line names its days, its statistic, its
 * uptake and its stage, because a line above the header would break a reader. Counts and money have two decimals, shares are percentages.
 */
export function sixtyDayTableCsv(
  table: Pick<CategoriesAnswer, 'data' | 'columns'>,
  { selected_statistic, uptake_percentage, tranche, net_of_acss }: Asked,
  view: { category: string; from: string; to: string; first: First },
): { filename: string; text: string } {
  const { label, unit } = SIXTY_DAY_STATISTICS.find(({ key }) => key === selected_statistic)!
  const written = (value: number | null) => {
    if (value === null) return ''
    if (unit === 'percent') return `${plainDecimals(100 * value)}%`
    return Number.isInteger(value) && unit === 'count' ? value : plainDecimals(value)
  }
  const less = net_of_acss && selected_statistic === 'revenue_lost' ? ', less the supply support' : ''
  const stage = TRANCHES.find(({ key }) => key === tranche)!.label
  const about = [`${view.from} to ${view.to}`, `${label}${less}`, `${uptake_percentage}%`, stage]
  const places = PLACES[view.first]
  const head = [view.first, ...places, 'Pharmacies', 'Period', 'Statistic', 'Uptake', 'Tranche']
  const lines = table.data.map((row) => [
    ...[safeCell(row.name), ...places.map((one) => safeCell(row[PLACE_FIELDS[one]] ?? '')), row.pharmacies, ...about],
    ...row.categories.map(({ value }) => written(value)),
  ])
  return {
    filename: `${view.to.slice(0, 4)}_${view.category}.csv`,
    text: csvText([[...head, ...table.columns.map(({ name }) => safeCell(name))], ...lines], {
      record_delimiter: 'windows',
    }),
  }
}
