import type { Country } from '@pillar/domain/time/locale'
import { NEVER_UPLOADED, QUEUE_STATES, type UploadState } from '@pillar/domain/upload/upload-state'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { isoTime } from './company-admin.queries.ts'

/** The pharmacies each login of a company is linked to, by uuid. */
export async function listLoginLocations(
  tx: Tx,
  companyUuid: string,
): Promise<{ uuid: string; locations: string[] }[]> {
  const { rows } = await sql<{ uuid: string; locations: string[] }>`
    select o.uuid, coalesce(json_agg(l.uuid order by lower(l.name), l.id) filter (where l.id is not null), '[]') as locations
    from login o join company c on c.id = o.company_id
    left join login_location x on x.login_id = o.id
    left join location l on l.id = x.location_id and l.removed_at is null
    where c.uuid = ${companyUuid} and o.removed_at is null
    group by o.id, o.uuid order by o.id`.execute(tx)
  return rows
}

export interface LocationRow {
  uuid: string
  name: string
  street_address: string | null
  town: string | null
  region: string | null
  postcode: string | null
  country: Country
  phone_number: string | null
  data_source: string | null
  features: string[]
  no_guild_consent: boolean
  s8_stocktake_warning_days: number | null
  owner: { uuid: string; name: string } | null
  modules: { uuid: string; name: string; display_name: string; display_colour: string; external_id: string | null }[]
  upload_status: UploadState
  upload_time: string | null
  last_successful_upload_on: string | null
  queue_status: UploadState
  queue_items: number
  version: number
}

/** The pharmacies in scope with their modules, newest upload and waiting uploads, by name. */
export async function listCompanyLocations(tx: Tx): Promise<LocationRow[]> {
  const { rows } = await sql<LocationRow>`
    select l.uuid, l.name, l.street_address, l.town, l.region, l.postcode, l.country, l.phone_number, l.data_source,
           l.features, l.no_guild_consent, l.s8_stocktake_warning_days, l.version,
           (select json_build_object('uuid', o.uuid, 'name', trim(o.name)) from location_owner o where o.location_id = l.id) as owner,
           coalesce(m.modules, '[]') as modules,
           coalesce(u.etl_state, ${NEVER_UPLOADED}) as upload_status, ${isoTime(sql`u.at`)} as upload_time,
           ${isoTime(sql`l.last_upload_at`)} as last_successful_upload_on,
           coalesce(q.states[1], 'NOT RECEIVED') as queue_status, coalesce(cardinality(q.states), 0) as queue_items
    from location l
    left join lateral (
      select json_agg(json_build_object('uuid', m.uuid, 'name', m.name, 'display_name', m.display_name,
        'display_colour', m.display_colour, 'external_id', x.external_id) order by m.display_name) as modules
      from location_module x join module m on m.id = x.module_id where x.location_id = l.id
    ) m on true
    left join lateral (
      select etl_state, coalesce(location_upload_time, created_at) as at from upload
      where location_id = l.id order by created_at desc, id desc limit 1
    ) u on true
    left join lateral (
      select array_agg(etl_state order by created_at, id) as states from upload
      where location_id = l.id and etl_state in (${sql.join(QUEUE_STATES)})
    ) q on true
    where l.removed_at is null order by lower(l.name), l.id`.execute(tx)
  return rows
}
