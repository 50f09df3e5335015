import { contract } from '@pillar/contract'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner, makeCompany, makeLocation } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { makeSupport, type Support } from '../../../../test/support.ts'

let server: TestServer
let support: Support
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
})
afterAll(() => server.close())

it('an import waits for a load under way, and never deadlocks with it', async () => {
  const place = await makeLocation(server, (await makeCompany(server)).id)
  const to = await makeCompany(server)
  const load = new pg.Client({ connectionString: server.ownerUrl })
  await load.connect()
  await load.query('begin')
  await load.query('select pg_advisory_xact_lock(7301, $1::int)', [place.id])
  const moved = support.ask(contract.locationImport.run, { company_id: to.uuid, import_pharmacy_id: place.uuid })
  const waiting = `select from pg_locks where locktype = 'advisory' and classid = 7301 and not granted`
  await expect.poll(async () => (await asOwner(server, waiting)).length).toBe(1)
  await load.query('update location set last_upload_at = now() where id = $1', [place.id])
  await load.query('commit')
  await load.end()
  expect((await moved).status).toBe(200)
})
