import type { Country } from '@pillar/domain/time/locale'
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Scope } from '../../db/scope.ts'

/** The identity somebody acts with inside a company. */
export interface FoundScope {
  companyId: number
  companyUuid: string
  country: Country
  scope: Scope
}

/** A company's scope as for a caller inside it; null if no company has that uuid, or it is removed. */
export async function findCompanyScope(staff: Database, uuid: string): Promise<FoundScope | null> {
  const { rows } = await sql<Row>`
    select c.id, c.uuid, c.country,
           array(select l.id from location l where l.company_id = c.id and l.removed_at is null order by l.id) as location_ids
    from company c where c.uuid = ${uuid} and c.removed_at is null`.execute(staff)
  return scopeOf(rows[0])
}

/** The scope of one pharmacy of a company, without its others; null if none has that uuid, or it or its company is removed. */
export async function findLocationScope(staff: Database, uuid: string): Promise<FoundScope | null> {
  const { rows } = await sql<Row>`
    select c.id, c.uuid, c.country, array[l.id] as location_ids
    from location l join company c on c.id = l.company_id
    where l.uuid = ${uuid} and l.removed_at is null and c.removed_at is null`.execute(staff)
  return scopeOf(rows[0])
}

interface Row {
  id: number
  uuid: string
  country: Country
  location_ids: number[]
}

function scopeOf(row: Row | undefined): FoundScope | null {
  if (!row) return null
  const scope = { companyId: row.id, locationIds: row.location_ids.map(Number) }
  return { companyId: row.id, companyUuid: row.uuid, country: row.country, scope }
}
