import { FIGURE_SUMS } from '@pillar/domain/measure/figure-sums'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { type CountedOnce, countedOnce, PEOPLE_COLUMNS } from './people.queries.ts'

/** The stored sums from which figures are calculated. Money in cents. */
export const FIGURE_COLUMNS = [
  'business_days',
  'revenue_cents',
  'scripts',
  'patients',
  'adherent_patients',
  'measured_patients',
  'measured_pairs',
  'measured_scripts',
  'adherent_scripts',
  'leaked_slots',
  ...FIGURE_SUMS,
  'owing_scripts',
  'deferred_scripts',
] as const
export type FigureColumn = (typeof FIGURE_COLUMNS)[number]
export type Sums = Record<FigureColumn, number>

/** One period over the pharmacies: all of them, and those compared with a year earlier, now and before. */
export interface PeriodSums {
  period: number
  pharmacies: number
  compared: number
  all: Sums
  /** Null if no pharmacy is compared. */
  now: Sums | null
  prior: Sums | null
}

const OF_PEOPLE: ReadonlySet<string> = new Set(PEOPLE_COLUMNS)

/** Adds to these sums the correction for counting people once. */
export function addOnce(sums: Sums, once: CountedOnce['all'] | undefined): Sums {
  if (!once) return sums
  const more: Readonly<Record<string, number>> = once
  return Object.fromEntries(Object.entries(sums).map(([name, value]) => [name, value + (more[name] ?? 0)])) as Sums
}

/**
 * Sums of periods over pharmacies, each person counted once; one row per period with figures.
 * @param columns the ones needed; the others are missing
 * @param known only pharmacies that have some of this column, and for the comparison only those that had some a year earlier
 */
export async function sumPeriods(
  tx: Tx,
  locationIds: readonly number[],
  periods: readonly number[],
  columns: readonly FigureColumn[],
  known?: FigureColumn,
): Promise<PeriodSums[]> {
  const some = (table: 'f' | 'p') => (known ? sql`and ${sql.ref(`${table}.${known}`)} > 0` : sql``)
  const sums = (table: 'f' | 'p', only: string) =>
    sql.raw(`json_build_object(${columns.map((name) => `'${name}', coalesce(sum(${table}.${name}) ${only}, 0)`)})`)
  const compared = 'filter (where p.period is not null)'
  const { rows } = await sql<PeriodSums>`
    select f.period, count(*)::int as pharmacies, count(p.period)::int as compared, ${sums('f', '')} as all,
      case when count(p.period) > 0 then ${sums('f', compared)} end as now,
      case when count(p.period) > 0 then ${sums('p', '')} end as prior
    from metric_figure f left join metric_figure p on p.location_id = f.location_id and p.period = f.prior_period ${some('p')}
    where f.location_id = any(${[...locationIds]}::bigint[]) and f.period = any(${[...periods]}::int[]) ${some('f')}
    group by f.period`.execute(tx)
  const people = columns.some((name) => OF_PEOPLE.has(name))
  const once = people ? await countedOnce(tx, locationIds, periods) : null
  return rows.map((row) => {
    const more = once?.get(row.period)
    const { all, now, prior } = row
    return {
      ...row,
      all: addOnce(all, more?.all),
      now: now && addOnce(now, more?.now),
      prior: prior && addOnce(prior, more?.prior),
    }
  })
}

/** The sums of one pharmacy in a period, and a year earlier if it is compared. */
export interface PharmacySums {
  location_id: number
  from_day: string
  to_day: string
  sums: Sums
  prior: Sums | null
  /** Part of the change of revenue; null if it is not compared. */
  volume_cents: number | null
  price_cents: number | null
}

/** The sums of each pharmacy in one period. */
export async function sumsByPharmacy(
  tx: Tx,
  locationIds: readonly number[],
  period: number,
  columns: readonly FigureColumn[],
): Promise<PharmacySums[]> {
  const object = (table: 'f' | 'p') =>
    sql.raw(`json_build_object(${columns.map((name) => `'${name}', ${table}.${name}`)})`)
  const { rows } = await sql<PharmacySums>`
    select f.location_id, f.from_day, f.to_day, f.volume_cents, f.price_cents, ${object('f')} as sums,
      case when p.period is not null then ${object('p')} end as prior
    from metric_figure f left join metric_figure p on p.location_id = f.location_id and p.period = f.prior_period
    where f.location_id = any(${[...locationIds]}::bigint[]) and f.period = ${period}`.execute(tx)
  return rows
}
