import { sql } from 'kysely'
import type { Database } from '../../../db/database.ts'
import type { Scope } from '../../../db/scope.ts'

/** Every company with all its pharmacies, including removed ones, whose entries are kept. */
export async function listScopes(system: Database): Promise<Scope[]> {
  const { rows } = await sql<Scope>`
    select company_id as "companyId", array_agg(id order by id) as "locationIds" from location group by company_id order by company_id`.execute(
    system,
  )
  return rows.map(({ companyId, locationIds }) => ({ companyId, locationIds: locationIds.map(Number) }))
}
