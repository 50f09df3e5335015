import type { Ends } from '@pillar/domain/figure/kaplan-meier'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** How the medicines begun in a period at one pharmacy ended. */
export interface PharmacyEnds {
  location_id: number
  /** Null for all drug types together. */
  drug_type: string | null
  ends: Ends[]
}

/** The stored ends of each pharmacy in a period; also by drug type if requested. */
export async function endsByPharmacy(
  tx: Tx,
  locationIds: readonly number[],
  period: number,
  drugTypes: boolean,
): Promise<PharmacyEnds[]> {
  // As texts: the driver would parse each array element by element.
  const { rows } = await sql<{
    location_id: number
    drug_type: string | null
    days: string
    stopped: string
    lost: string
  }>`
    with stored as materialized (
      select location_id, drug_type_id, days::text as days, stopped::text as stopped, lost::text as lost from metric_persistence
      where location_id = any(${[...locationIds]}::bigint[]) and period = ${period} ${drugTypes ? sql`` : sql`and drug_type_id = 0`})
    select m.location_id, s.name as drug_type, m.days, m.stopped, m.lost
    from stored m left join subcategory s on s.id = m.drug_type_id`.execute(tx)
  const numbers = (list: string) => JSON.parse(`[${list.slice(1, -1)}]`) as number[]
  return rows.map(({ location_id, drug_type, ...lists }) => {
    const [stopped, lost] = [numbers(lists.stopped), numbers(lists.lost)]
    const ends = numbers(lists.days).map((day, at) => ({ day, stopped: stopped[at] ?? 0, lost: lost[at] ?? 0 }))
    return { location_id, drug_type, ends }
  })
}
