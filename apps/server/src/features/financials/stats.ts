import type { Share, Stat } from '@pillar/contract/figure'
import { rateOfChange, yearBefore } from '@pillar/domain/figure/baseline'
import { money, shareOf } from './cells.ts'
import type { HeadlineColumn, TotalRow } from './financials.queries.ts'

/** The headline numbers in the order and under the names of the wire; each is the sum of one stored column. */
export const HEADLINES = {
  revenue: 'revenue_cents',
  scripts: 'scripts',
  patients: 'patients',
  'patients.sex.male': 'male',
  'patients.sex.female': 'female',
  'patients.adherence': 'adherent',
  'patients.non_adherence': 'non_adherent',
  total_adherence_opportunity_cost: 'opportunity_cents',
} as const satisfies Record<string, HeadlineColumn>
export type Headline = keyof typeof HEADLINES

/** Cents become currency; counts stay. */
export const inUnit = (column: HeadlineColumn, value: number): number =>
  column === 'opportunity_cents' || column === 'revenue_cents' ? money(value) : value

/** The adherent share of the measured patients. */
export const adherentShare = (adherent: number, non: number): Share => shareOf(adherent, adherent + non, adherent + non)

/**
 * One headline number. The change compares only pharmacies with complete data on both sides.
 * @param months the 13 months of the trend, oldest first; a month without figures is null
 */
export function statOf(
  column: HeadlineColumn,
  total: TotalRow | undefined,
  months: { label: string; row: TotalRow | undefined }[],
): Stat {
  return {
    total: total ? inUnit(column, total[column]) : null,
    rate_of_change: total?.now && total.prior ? rateOfChange(total.now[column], total.prior[column]) : null,
    trend: months.map(({ label, row }) => ({
      month: label,
      value: row ? inUnit(column, row[column]) : null,
      prior: priorOf(column, row),
    })),
  }
}

/** The value drawn a year before a month of the trend, by the same rule as in the trend itself. */
function priorOf(column: HeadlineColumn, row: TotalRow | undefined): number | null {
  if (!row?.now || !row.prior) return null
  const { compared, pharmacies } = row
  const drawn = yearBefore({
    ...{ whole: row[column], now: row.now[column], prior: row.prior[column] },
    ...{ compared, pharmacies },
  })
  return drawn === null ? null : inUnit(column, Math.round(drawn))
}
