import { Refusal } from '@pillar/contract'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** A pharmacy for which support requests a report. */
export interface ReportPharmacy {
  id: number
  uuid: string
  name: string
  company_id: number
  country: string
  time_zone: string
}

/** The pharmacies with these uuids, over all companies, in order of name. @throws Refusal not_found if one is unknown or removed */
export async function findReportPharmacies(tx: Tx, uuids: readonly string[]): Promise<ReportPharmacy[]> {
  const wanted = [...new Set(uuids.map((uuid) => uuid.toLowerCase()))]
  const { rows } = await sql<ReportPharmacy>`
    select l.id, l.uuid, l.name, l.company_id, l.country, l.time_zone from location l
    join company c on c.id = l.company_id and c.removed_at is null
    where l.uuid = any(${wanted}::uuid[]) and l.removed_at is null order by l.name, l.id`.execute(tx)
  if (rows.length < wanted.length) throw new Refusal('not_found', 'That pharmacy was not found.')
  return rows
}

/** The people of a pharmacy's company who can sign in, its owner first. */
export async function listRecipients(tx: Tx, pharmacy: Pick<ReportPharmacy, 'id' | 'company_id'>) {
  const { rows } = await sql<{ name: string; email: string; contact: boolean }>`
    select o.first_name || ' ' || o.last_name as name, o.email, o.id is not distinct from l.owner_login_id as contact
    from login o join location l on l.id = ${pharmacy.id}
    where o.company_id = ${pharmacy.company_id} and o.disabled_at is null
    order by contact desc, lower(o.first_name || ' ' || o.last_name), o.id`.execute(tx)
  return rows
}
