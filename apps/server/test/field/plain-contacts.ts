import { openKeys } from '../../src/db/field/key-ring.ts'
import { asOwner } from '../people.ts'
import type { TestServer } from '../server.ts'

/** Turns an empty server into an installation from before contacts were sealed. */
export async function storePlain(server: TestServer): Promise<void> {
  await asOwner(
    server,
    `delete from data_key where column_name in ('contact', 'patient.mobile', 'patient.email', 'gateway_event.payload')`,
  )
  server.services.keys = await openKeys(server.services.env, server.services.pools.system)
}
