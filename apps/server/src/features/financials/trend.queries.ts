import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** The sums a trend is divided out of. Money in cents. */
export const TREND_SUMS = [
  'revenue_cents',
  'scripts',
  'business_days',
  'patients',
  'adherent',
  'non_adherent',
  'measured_pairs',
  'measured_scripts',
  'adherent_scripts',
  'here_slots',
  'leaked_slots',
] as const
export type TrendSums = Record<(typeof TREND_SUMS)[number], number>

/** One month over the pharmacies: all of them, and those compared with a year earlier now and then. */
export interface TrendRow {
  period: number
  pharmacies: number
  compared: number
  all: TrendSums
  /** Null when no pharmacy is compared. */
  now: TrendSums | null
  prior: TrendSums | null
}

const OF_TOTAL = new Set<string>(['revenue_cents', 'scripts', 'business_days', 'patients', 'adherent', 'non_adherent'])

/** Sums of months over pharmacies, one row a month that has any figures. */
export async function sumMonths(
  tx: Tx,
  locationIds: readonly number[],
  periods: readonly number[],
): Promise<TrendRow[]> {
  const sums = (column: (name: string) => string, only: string) =>
    sql.raw(
      `json_build_object(${TREND_SUMS.map((name) => `'${name}', coalesce(sum(${column(name)}) ${only}, 0)`).join(', ')})`,
    )
  const now = (name: string) => `${OF_TOTAL.has(name) ? 't' : 'c'}.${name}`
  const prior = (name: string) => (OF_TOTAL.has(name) ? `t.prior_${name}` : `p.${name}`)
  const compared = 'filter (where t.prior_period is not null)'
  const { rows } = await sql<TrendRow>`
    select t.period, count(*)::int as pharmacies, count(t.prior_period)::int as compared, ${sums(now, '')} as all,
      case when count(t.prior_period) > 0 then ${sums(now, compared)} end as now,
      case when count(t.prior_period) > 0 then ${sums(prior, compared)} end as prior
    from metric_total t
    left join metric_cell c on c.location_id = t.location_id and c.period = t.period and c.category_id = 0
    left join metric_cell p on p.location_id = t.location_id and p.period = t.prior_period and p.category_id = 0
    where t.location_id = any(${[...locationIds]}::bigint[]) and t.period = any(${[...periods]}::int[])
    group by t.period`.execute(tx)
  return rows
}
