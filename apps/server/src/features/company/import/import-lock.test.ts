import { contract } from '@pillar/contract'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeMessagingWorld, makePatients, makeRun } from '../../../../test/messaging.ts'
import { asOwner, makeCompany, makeLocation } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { makeSupport, type Support } from '../../../../test/support.ts'
import { untilWaiting } from '../../../../test/waiting.ts'

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

it('while a pharmacy moves, runs of both companies can be made: a STOP is confirmed at once', async () => {
  const world = await makeMessagingWorld(server)
  const run = await makeRun(server, world, { patients: await makePatients(server, world.locations[0]!.id, 1) })
  const to = await makeCompany(server)
  const holder = new pg.Client({ connectionString: server.ownerUrl })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from message_run where id = $1 for update', [run.id])
  const moved = support.ask(contract.locationImport.run, {
    company_id: to.uuid,
    import_pharmacy_id: world.locations[0]!.uuid,
  })
  await untilWaiting(server)
  for (const { id } of [world.company, to])
    await asOwner(
      server,
      `set statement_timeout = 2000; insert into message_run (uuid, company_id, context, state, starts_at)
       values (gen_random_uuid(), ${id}, 'campaign', 'done', now())`,
    )
  await holder.query('commit')
  await holder.end()
  expect((await moved).status).toBe(200)
})
