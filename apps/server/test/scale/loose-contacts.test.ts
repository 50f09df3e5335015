import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { removeLooseContacts } from '../../src/db/field/contact.ts'
import { makeMessagingWorld } from '../messaging.ts'
import { asOwner } from '../people.ts'
import { startTestServer, type TestServer } from '../server.ts'

const MANY = 15_000
/** On PostgreSQL 15 it took longer when each contact was looked for by itself. */
const LIMIT = '2s'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('looking through many contacts for unused ones does not read all patients for each of them', async () => {
  const [place] = (await makeMessagingWorld(server)).locations
  await asOwner(server, `insert into contact (sealed) select '\\x00' from generate_series(1, ${MANY + 2})`)
  await asOwner(
    server,
    `insert into patient (location_id, source, source_id, sms_to, contact_source)
     select $1, 'fake', 'C' || id, '#' || id, null from contact order by id limit ${MANY}`,
    [place!.id],
  )
  await asOwner(server, 'analyze patient, contact')
  let removed = 0
  await server.services.pools.system.connection().execute(async (one) => {
    await sql`set statement_timeout = ${sql.lit(LIMIT)}`.execute(one)
    await removeLooseContacts(one, async (_tx, count) => {
      removed += count
    })
    await sql`reset all`.execute(one)
  })
  expect(removed).toBe(2)
  // PostgreSQL 18 reads these indexes well under any plan; servers before it only if each call has a plan of its own.
  const settings = `select array_to_string(proconfig, ' ') as set from pg_proc where proname = 'unused_contacts'`
  expect(await asOwner(server, settings)).toEqual([{ set: expect.stringContaining('force_custom_plan') }])
})
