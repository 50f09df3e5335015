import { brandOf } from '@pillar/domain/board/brand'
import type { Day } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import { withoutNestedLoops } from '../../db/scope.ts'
import { supplied } from '../metrics/supplied.queries.ts'
import type { BoardLine, MonthFact, YearFacts } from './board-fact.ts'

/** A pharmacy in closed periods for which the boards have not counted it yet. */
export interface Uncounted {
  location_id: number
  /** Its present company; it may have belonged to another when it entered. */
  company_id: number
  periods: number[]
}

/**
 * Pharmacies that have entered a period (average_member) and lack its facts. Empty unless a company of the country has a dashboard.
 * @param years the financial years whose journeys are due
 */
export async function readUncounted(
  system: Database,
  country: Country,
  years: readonly number[],
): Promise<Uncounted[]> {
  const { rows } = await sql<Uncounted>`
    select m.location_id, l.company_id, array_agg(m.period order by m.period) as periods
    from average_member m join location l on l.id = m.location_id
    where m.country = ${country} and (m.period % 100 between 1 and 12 or m.period = any(${[...years]}::int[]))
      and not exists (select from board_fact f where f.location_id = m.location_id and f.period = m.period)
      and exists (select from dashboard d join company c on c.id = d.company_id
        where c.country = m.country and c.removed_at is null and d.active and d.removed_at is null)
    group by m.location_id, l.company_id order by m.location_id`.execute(system)
  return rows
}

interface Line {
  patient: number
  drug: number
  day: Day
  days: number
  facility: boolean
  died: Day | null
}
interface Drug {
  id: number
  name: string
  chronic: boolean
  molecule: number
  molecule_name: string
  drug_class: number
}

/** A pharmacy's counted lines between two days, in order of day, and the first and last day of its data. */
export async function readBoardLines(
  tx: Tx,
  locationId: number,
  from: Day,
  to: Day,
): Promise<{ lines: BoardLine[]; dataFrom: Day; dataTo: Day }> {
  // A year of a large pharmacy takes longer than a request may.
  await sql`set local statement_timeout = '120s'`.execute(tx)
  const drugs = await sql<Drug>`
    select d.id, d.name, d.chronic, m.id as molecule, m.name as molecule_name, m.drug_type_id as drug_class
    from drug d join molecule m on m.id = d.molecule_id where d.location_id = ${locationId}`.execute(tx)
  const { rows } = await withoutNestedLoops(tx, () =>
    sql<Line>`
    with p as materialized (select id, facility, deceased_on from patient where location_id = ${locationId} and not fake)
    select s.patient_id as patient, s.drug_id as drug, s.dispensed_on - date '1970-01-01' as day, s.days_supply::int as days, p.facility,
      p.deceased_on - date '1970-01-01' as died
    from script s join p on p.id = s.patient_id
    where s.location_id = ${locationId} and ${supplied}
      and s.dispensed_on between date '1970-01-01' + ${from}::int and date '1970-01-01' + ${to}::int
    order by s.dispensed_on, s.source_id`.execute(tx),
  )
  const reach = await sql<{ first: Day | null; last: Day | null }>`
    select data_from - date '1970-01-01' as first, data_to - date '1970-01-01' as last from location where id = ${locationId}`.execute(
    tx,
  )
  const products = new Map(
    drugs.rows.map((drug) => [drug.id, { ...drug, brand: brandOf(drug.name, drug.molecule_name) }]),
  )
  const lines = rows.flatMap((line): BoardLine[] => {
    const product = products.get(line.drug)
    if (!product) return []
    const { molecule, brand, drug_class, chronic } = product
    const { patient, day, days, died, facility } = line
    return [{ patient, day, days, died, molecule, brand, drug_class, lasting: chronic && !facility }]
  })
  return { lines, dataFrom: reach.rows[0]?.first ?? from, dataTo: reach.rows[0]?.last ?? to }
}

/** Stores a pharmacy's facts for a period, for good. */
export async function insertFacts(
  tx: Tx,
  locationId: number,
  period: number,
  facts: readonly MonthFact[] | YearFacts,
): Promise<void> {
  await sql`insert into board_fact (location_id, period, facts) values (${locationId}, ${period}, ${JSON.stringify(facts)}::jsonb)
    on conflict do nothing`.execute(tx)
}
