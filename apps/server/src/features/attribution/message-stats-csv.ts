import { reasonWords } from '@pillar/domain/campaign/result-words'
import { safeCell } from '@pillar/domain/text/csv-safe'
import { type Country, moneyHead, plainDecimals } from '@pillar/domain/time/locale'
import { csvText } from '../../api/answer/csv-text.ts'
import type { StatFigures, statRows } from './message-stats.ts'

const headsOf = (country: Country) => [
  ...['Rank', 'Pharmacy', 'SMS', 'Email', 'Reach', moneyHead(country, 'Cost'), moneyHead(country, 'Revenue')],
  ...['Change %', 'ROI', 'Based on patients', 'Note', 'From', 'To'],
]

const twoDigits = (value: number | null) => (value === null ? '' : plainDecimals(value))

/** The table of message stats as CSV: TOTAL first, then its rows in their order. Empty where there is no figure. */
export function statsCsvText(
  total: StatFigures,
  table: ReturnType<typeof statRows>,
  { from, to }: { from: string; to: string },
  country: Country,
): string {
  const line = (rank: number | null, name: string, row: Omit<StatFigures, 'roi_cost'>) => [
    ...[rank, safeCell(name), row.sms, row.email, row.reach, twoDigits(row.cost), twoDigits(row.revenue)],
    ...[twoDigits(row.revenue_change === null ? null : row.revenue_change * 100), twoDigits(row.roi)],
    // The days are on every line, because a line above the header would break a reader.
    ...[row.result.n_messaged, reasonWords(row.result.reason), from, to],
  ]
  const rows = table.map((row) => line(row.revenue === null ? null : row.rank, row.pharmacy_name, row))
  return csvText([headsOf(country), line(null, 'TOTAL', total), ...rows])
}
