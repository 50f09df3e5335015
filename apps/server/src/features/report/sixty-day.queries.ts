import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { withoutNestedLoops } from '../../db/scope.ts'
import { supplied } from '../metrics/supplied.queries.ts'
import { eligible, type SixtyDayCodes, sixtyOnly } from '../sixty-day/list.queries.ts'

/** A medicine that may be dispensed for 60 days, and how a pharmacy dispensed it over 12 months. */
export interface SixtyDayRow {
  molecule: string
  /** Null if it is listed only by its item code. */
  atc: string | null
  scripts: number
  /** Supplies of about a month. */
  thirty: number
  /** Supplies of more than the 30-day quantity. */
  sixty: number
  patients: number
  /** Those patients whose latest supply was for about a month. */
  patients_thirty: number
}

/** The last day of a pharmacy's data, ISO; null before its first upload. */
export async function dataTo(tx: Tx, locationId: number): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select to_char(data_to, 'YYYY-MM-DD') as day from location where id = ${locationId}`.execute(tx)
  return rows[0]?.day ?? null
}

/**
 * Supplies of the given medicines in the 12 months ending with `to` (ISO), by molecule, most still at 30 days first. Fake patients are left
 * out; reversed, deferred and refunded lines are not supplies.
 */
export async function sixtyDayRows(
  tx: Tx,
  ask: { locationId: number; to: string; codes: SixtyDayCodes; thirtyDayMost: number },
): Promise<SixtyDayRow[]> {
  // A year of a large pharmacy takes longer than a request may.
  await sql`set local statement_timeout = '120s'`.execute(tx)
  const { rows } = await withoutNestedLoops(tx, () =>
    sql<SixtyDayRow>`
    with listed as materialized (
      select d.id, m.name, m.atc, ${sixtyOnly(ask.codes)} as sixty_only from drug d join molecule m on m.id = d.molecule_id
      where d.location_id = ${ask.locationId} and ${eligible(ask.codes)}
    ),
    p as materialized (select id from patient where location_id = ${ask.locationId} and not fake),
    line as materialized (
      select d.name, d.atc, s.patient_id, s.dispensed_on, (s.days_supply > ${ask.thirtyDayMost} or d.sixty_only) as long
      from script s join listed d on d.id = s.drug_id join p on p.id = s.patient_id
      where s.location_id = ${ask.locationId} and ${supplied}
        and s.dispensed_on > (${ask.to}::date - interval '12 months')::date and s.dispensed_on <= ${ask.to}::date
    ),
    latest as (
      select distinct on (name, atc, patient_id) name, atc, patient_id, long
      from line order by name, atc, patient_id, dispensed_on desc, long desc
    ),
    people as (
      select name, atc, count(*)::int as patients, count(*) filter (where not long)::int as patients_thirty
      from latest group by 1, 2
    )
    select l.name as molecule, l.atc, count(*)::int as scripts, count(*) filter (where not l.long)::int as thirty,
      count(*) filter (where l.long)::int as sixty, p.patients, p.patients_thirty
    from line l join people p on p.name = l.name and p.atc is not distinct from l.atc
    group by l.name, l.atc, p.patients, p.patients_thirty
    order by thirty desc, l.name, l.atc`.execute(tx),
  )
  return rows
}
