import { asOwner, fresh, makeCompany, makeLocation } from '../people.ts'
import type { TestServer } from '../server.ts'

export const HOUR = 3_600_000
export const ago = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString()

interface Made {
  /** Hours since its last success; null if none. */
  success?: number | null
  /** Uploads since: state, and hours since it was reached. */
  uploads?: readonly (readonly [state: string, hours: number])[]
  module?: boolean
  zone?: string
}

/** A company whose pharmacies' uploads succeed or fail as a test requires, and a function that removes them all. */
export async function makeFaulty(server: TestServer) {
  const company = await makeCompany(server)
  const make = async (name: string, { success = 1, uploads = [], module = true, zone = 'Australia/Sydney' }: Made) => {
    const place = await makeLocation(server, company.id, fresh(name))
    await asOwner(server, 'update location set last_upload_at = $2, time_zone = $3 where id = $1', [
      ...[place.id, success === null ? null : ago(success), zone],
    ])
    if (module)
      await asOwner(
        server,
        `insert into location_module (location_id, company_id, module_id) select $1, $2, id from module where name = 'strong_pro'
         on conflict do nothing`,
        [place.id, company.id],
      )
    for (const [state, hours] of uploads)
      await asOwner(
        server,
        `insert into upload (uuid, location_id, etl_state, data_source, created_at, last_updated) values (gen_random_uuid(), $1, $2, 'z', $3, $3)`,
        [place.id, state, ago(hours)],
      )
    return place
  }
  const empty = () => asOwner(server, 'update location set removed_at = now() where company_id = $1', [company.id])
  return { company, make, empty }
}

export type Faulty = Awaited<ReturnType<typeof makeFaulty>>
