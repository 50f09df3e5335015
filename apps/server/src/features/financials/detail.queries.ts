import { UNCLASSIFIED } from '@pillar/domain/dispensing/category'
import { PATIENT_TYPES } from '@pillar/domain/dispensing/patient-type'
import type { Day } from '@pillar/domain/time/day'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import {
  buildActive,
  buildCourses,
  buildCoverage,
  buildLeaks,
  buildLines,
  buildMeasured,
} from '../metrics/coverage.queries.ts'

export interface PairRow {
  patient_ref: string
  molecule: string
  atc: string | null
  first_supply: string
  window_start: string
  window_end: string
  observed_days: number
  covered_days: number
  scripts: number
}

export interface PairTotals {
  pairs: number
  patients: number
  adherent_patients: number
  non_adherent_patients: number
  observed_days: number
  covered_days: number
  scripts: number
  adherent_scripts: number
}

/** Which subcategory the rows are narrowed to: a column of the molecule or of the patient, and the subcategory's id. */
export interface PairFilter {
  category: 'Drug Type' | 'Condition' | 'Molecule' | 'Sex' | 'Age Group' | 'Patient Type'
  name: string
}

/**
 * The measured pairs of one pharmacy on day `at`, with the scripts each had in the period, computed by the same working
 * tables as the stored figures, so they re-add to them. Least covered first.
 * @param span the period, cut at `at`
 */
export async function listPairs(
  tx: Tx,
  locationId: number,
  span: { from: Day; to: Day },
  filter: PairFilter | null,
  page: { limit: number; offset: number },
): Promise<{ rows: PairRow[]; totals: PairTotals }> {
  await buildLines(tx, locationId)
  await buildLeaks(tx)
  await buildCourses(tx)
  await buildActive(tx)
  await buildCoverage(tx, [{ id: 1, from: span.to - 364, to: span.to }])
  await buildMeasured(tx, new Map([[span.to, 1]]))
  await buildPairs(tx, locationId, span, filter)
  const { rows } = await sql<PairRow>`
    select patient_ref, molecule, atc, first_supply, window_start, window_end, observed_days, covered_days, scripts
    from m_pair_row order by covered_days::float8 / observed_days, patient_ref, molecule limit ${page.limit} offset ${page.offset}`.execute(
    tx,
  )
  const totals = await sql<PairTotals>`
    with person as (select patient_id, sum(covered_days) >= 0.8 * sum(observed_days) as adherent from m_pair_row group by 1)
    select count(*)::int as pairs, (select count(*) from person)::int as patients,
           (select count(*) filter (where adherent) from person)::int as adherent_patients,
           (select count(*) filter (where not adherent) from person)::int as non_adherent_patients,
           coalesce(sum(observed_days), 0)::int as observed_days, coalesce(sum(covered_days), 0)::int as covered_days,
           coalesce(sum(scripts), 0)::int as scripts, coalesce(sum(scripts) filter (where adherent), 0)::int as adherent_scripts
    from m_pair_row`.execute(tx)
  return { rows, totals: totals.rows[0]! }
}

async function buildPairs(
  tx: Tx,
  locationId: number,
  span: { from: Day; to: Day },
  filter: PairFilter | null,
): Promise<void> {
  const typed = filter?.category === 'Patient Type'
  const type = sql`(${[UNCLASSIFIED, ...PATIENT_TYPES]}::text[])[${sql.ref('l.patient_type')} + 1]`
  await sql`
    create temp table m_pair_row on commit drop as
    with scripts as (
      select l.patient_id, l.molecule_id, count(*)::int as scripts from m_line l
      where l.day between ${span.from} and ${span.to} ${typed ? sql`and ${type} = ${filter.name}` : sql``} group by 1, 2
    )
    select m.patient_id, p.source_id as patient_ref, x.name as molecule, x.atc, date '1970-01-01' + m.first_day as first_supply,
           date '1970-01-01' + m.start_day as window_start, date '1970-01-01' + m.end_day as window_end,
           m.observed as observed_days, m.covered as covered_days, coalesce(s.scripts, 0) as scripts, m.adherent
    from m_measured m
    join patient p on p.location_id = ${locationId} and p.id = m.patient_id
    join molecule x on x.id = m.molecule_id
    left join scripts s on s.patient_id = m.patient_id and s.molecule_id = m.molecule_id
    where ${filter ? conditionOf(filter, span.to) : sql`true`}`.execute(tx)
}

function conditionOf(filter: PairFilter, at: Day) {
  const named = (column: string) =>
    sql`(select s.name from subcategory s where s.id = ${sql.ref(column)}) = ${filter.name}`
  switch (filter.category) {
    case 'Drug Type':
      return named('x.drug_type_id')
    case 'Condition':
      return named('x.condition_id')
    case 'Molecule':
      return named('x.molecule_id')
    case 'Sex':
      return sql`case p.sex when 'F' then 'Female' when 'M' then 'Male' else 'Unclassified' end = ${filter.name}`
    case 'Patient Type':
      return sql`s.scripts > 0`
    case 'Age Group':
      return sql`coalesce(case when p.date_of_birth <= date '1970-01-01' + ${at}::int then
        (array['0-17', '18-34', '35-49', '50-64', '65-74', '75+'])[width_bucket(extract(year from age(date '1970-01-01' + ${at}::int, p.date_of_birth))::int, array[18, 35, 50, 65, 75]) + 1]
        end, 'Unclassified') = ${filter.name}`
  }
}
