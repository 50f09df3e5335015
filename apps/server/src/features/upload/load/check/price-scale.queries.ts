import { sql } from 'kysely'
import type { Tx } from '../../../../db/database.ts'
import { counted, namedBy, type Target } from '../load.queries.ts'

/** The middle price of scripts that have one, in cents, and their number. */
export interface MiddlePrice {
  count: number
  cents: number
}

const MIDDLE = sql`select count(*)::int as count, coalesce(percentile_disc(0.5) within group (order by cents), 0)::float8 as cents`

/** The middle price of the staged scripts: what patients paid and the government together. */
export async function middleStaged(tx: Tx): Promise<MiddlePrice> {
  const { rows } = await sql<MiddlePrice>`
    ${MIDDLE} from (
      select coalesce(patient_price, 0)::bigint + coalesce(government_amount, 0) as cents from stage_scripts where not faulty and ${counted}
    ) s where cents > 0`.execute(tx)
  return rows[0] ?? { count: 0, cents: 0 }
}

/** The same of the stored scripts of their patients. */
export async function middleStored(tx: Tx, { locationId, source }: Target): Promise<MiddlePrice> {
  const { rows: patients } = await sql<{ id: number }>`
    with p as materialized (
      select id, source_id from patient
      where location_id = ${locationId} and source = ${source} ${await namedBy(tx, 'stage_scripts', 'patient_id')}
    ) select p.id from p where p.source_id in (select patient_id from stage_scripts where not faulty)`.execute(tx)
  const { rows } = await sql<MiddlePrice>`
    ${MIDDLE} from (
      select patient_price_cents::bigint + government_cents as cents from script
      where location_id = ${locationId} and patient_id = any(${patients.map(({ id }) => id)}::bigint[]) and ${counted}
    ) s where cents > 0`.execute(tx)
  return rows[0] ?? { count: 0, cents: 0 }
}
