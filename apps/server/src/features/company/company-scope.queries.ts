import type { Country } from '@pillar/domain/locale'
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Scope } from '../../db/scope.ts'

/** A company as a caller inside it would have it; null when there is none of that uuid, or it is removed. */
export async function findCompanyScope(
  staff: Database,
  uuid: string,
): Promise<{ companyId: number; companyUuid: string; country: Country; scope: Scope } | null> {
  const { rows } = await sql<{ id: number; uuid: string; country: Country; location_ids: number[] }>`
    select c.id, c.uuid, c.country,
           array(select l.id from location l where l.company_id = c.id and l.removed_at is null order by l.id) as location_ids
    from company c where c.uuid = ${uuid} and c.removed_at is null`.execute(staff)
  const row = rows[0]
  if (!row) return null
  const scope = { companyId: row.id, locationIds: row.location_ids.map(Number) }
  return { companyId: row.id, companyUuid: row.uuid, country: row.country, scope }
}
