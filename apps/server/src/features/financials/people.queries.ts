import { PEOPLE_SUMS } from '@pillar/domain/measure/figure-sums'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** Sums in which people who were at several pharmacies count once. */
export const PEOPLE_COLUMNS = [
  'shared_people',
  'patients',
  'male',
  'female',
  'adherent_patients',
  'measured_patients',
  'opportunity_cents',
  'measured_pairs',
  'measured_scripts',
  'adherent_scripts',
  'leaked_slots',
  ...PEOPLE_SUMS,
] as const
type PeopleSums = Record<(typeof PEOPLE_COLUMNS)[number], number>

/** The correction to the sums of pharmacies: for all of them, and for those compared with a year earlier, now and then. */
export interface CountedOnce {
  all: PeopleSums
  now: PeopleSums
  prior: PeopleSums
}

/** Ids of the pharmacies of each period that take part in its comparison. */
const withCompared = (ids: readonly number[], periods: readonly number[]) => sql`with compared as materialized (
  select period, array_agg(location_id) as ids from metric_total
  where location_id = any(${[...ids]}::bigint[]) and period = any(${[...periods]}::int[]) and prior_scripts is not null group by period)`

/**
 * The correction to the sums of these pharmacies that makes their people count once, by period; a period without such people is missing. Of
 * the rows stored for sets of pharmacies, those apply whose set lies within these (decision 050).
 */
export async function countedOnce(
  tx: Tx,
  locationIds: readonly number[],
  periods: readonly number[],
): Promise<Map<number, CountedOnce>> {
  if (locationIds.length < 2) return new Map()
  const ids = [...locationIds]
  const sums = (only: string) =>
    sql.raw(
      `json_build_object(${PEOPLE_COLUMNS.map((name) => `'${name}', coalesce(sum(${name}) filter (where ${only}), 0)`)})`,
    )
  const { rows } = await sql<CountedOnce & { period: number }>`
    ${withCompared(ids, periods)}
    select period, ${sums('not earlier')} as all, ${sums('not earlier and takes_part')} as now, ${sums('earlier and takes_part')} as prior
    from (
      select p.*, coalesce(p.location_id = any(c.ids) and p.others <@ c.ids, false) as takes_part
      from person_figure p left join compared c on c.period = p.period
      where p.location_id = any(${ids}::bigint[]) and p.others <@ ${ids}::bigint[] and p.period = any(${[...periods]}::int[])
    ) rows group by period`.execute(tx)
  return new Map(rows.map(({ period, ...sums }) => [period, sums]))
}

/** The same correction for a cell of the category tables. Scripts and revenue never change. */
export interface CellOnce {
  category_id: number
  subcategory_id: number
  patients: number
  measured_pairs: number
  measured_scripts: number
  adherent_scripts: number
  leaked_slots: number
}

/** The correction to a period's cells: the total (category 0) and those of a category, by pharmacies and dates. */
export async function cellsOnce(
  tx: Tx,
  locationIds: readonly number[],
  period: number,
  category: number,
): Promise<Record<'all' | 'now' | 'prior', CellOnce[]>> {
  const once: Record<'all' | 'now' | 'prior', CellOnce[]> = { all: [], now: [], prior: [] }
  if (locationIds.length < 2) return once
  const ids = [...locationIds]
  const { rows } = await sql<CellOnce & { dates: keyof typeof once }>`
    ${withCompared(ids, [period])}
    select d.dates, r.category_id, r.subcategory_id,
      sum(patients)::float8 as patients, sum(measured_pairs)::float8 as measured_pairs, sum(measured_scripts)::float8 as measured_scripts,
      sum(adherent_scripts)::float8 as adherent_scripts, sum(leaked_slots)::float8 as leaked_slots
    from (
      select p.*, coalesce(p.location_id = any(c.ids) and p.others <@ c.ids, false) as takes_part
      from person_cell p left join compared c on c.period = p.period
      where p.location_id = any(${ids}::bigint[]) and p.others <@ ${ids}::bigint[] and p.period = ${period}
        and p.category_id = any(${[0, category]}::smallint[])
    ) r, (values ('all'), ('now'), ('prior')) as d (dates)
    where r.earlier = (d.dates = 'prior') and (d.dates = 'all' or r.takes_part)
    group by 1, 2, 3`.execute(tx)
  for (const { dates, ...cell } of rows) once[dates].push(cell)
  return once
}

/** Sums behind cells in which people who were at several of the pharmacies count once. */
export const ONCE_COLUMNS: ReadonlySet<string> = new Set([
  ...[
    'patients',
    'measured_pairs',
    'measured_scripts',
    'adherent_scripts',
    'observed_days',
    'covered_days',
    'leaked_slots',
  ],
])

/** The correction to the headline sums for counting people once. */
export function headlineOnce(once: CountedOnce['all'] | undefined) {
  const { patients = 0, male = 0, female = 0, opportunity_cents = 0 } = once ?? {}
  const { adherent_patients: adherent = 0, measured_patients: measured = 0 } = once ?? {}
  const judged = { adherent, non_adherent: measured - adherent }
  return { revenue_cents: 0, scripts: 0, patients, male, female, ...judged, opportunity_cents }
}

/** Applies the correction. */
export function addHeadline<T extends ReturnType<typeof headlineOnce>>(
  sums: T,
  once: CountedOnce['all'] | undefined,
): T {
  const more = Object.entries(headlineOnce(once)) as [keyof ReturnType<typeof headlineOnce>, number][]
  return { ...sums, ...Object.fromEntries(more.map(([column, value]) => [column, sums[column] + value])) }
}

/** A sentence about how many people count once; none for zero. */
export function onceNote(people: number): string[] {
  if (people <= 0) return []
  if (people === 1) return ['1 person went to more than one of these pharmacies and is counted once.']
  return [`${people.toLocaleString('en')} people went to more than one of these pharmacies and are counted once.`]
}
