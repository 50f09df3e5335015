import { contract } from '@pillar/contract'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { makeMessagingWorld, makePatients, makeRun } from '../../../../test/messaging.ts'
import { asOwner, makeCompany } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { makeSupport } from '../../../../test/support.ts'
import { untilWaiting, waiting } from '../../../../test/waiting.ts'
import { afterUploadOf, makeSequence, newMedicine, tickAt } from '../../../../test/world/sequence-world.ts'
import { REQUEST_MS } from '../../../db/deadline.ts'
import { inScope } from '../../../db/scope.ts'
import { queueRecount } from '../../run/recount-queue.queries.ts'
import { shareWriting } from '../../run/run-write.queries.ts'
import { recountQueued } from '../../sending/recount.ts'
import { splitRuns } from './move.queries.ts'

const HALT = 4712
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await asOwner(
    server,
    `create function halt() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(${HALT}); return new; end $$;
     create trigger halt before update of company_id on location for each row execute function halt()`,
  )
})
afterAll(() => server.close())

/** Does `work` while `move` is at the pharmacy, then lets it go on. @returns what each answered */
async function meanwhile<M, W>(move: () => Promise<M>, work: () => Promise<W>): Promise<[M, W]> {
  const halting = new pg.Client({ connectionString: server.ownerUrl })
  await halting.connect()
  await halting.query(`select pg_advisory_lock(${HALT})`)
  const moving = move()
  await untilWaiting(server)
  const worked = await work()
  await halting.query(`select pg_advisory_unlock(${HALT})`)
  await halting.end()
  return [await moving, worked]
}

/** Starts `other` while `move` is at the pharmacy, then lets both go on. @returns what each answered, and what `other` waited for */
async function during<M, O>(move: () => Promise<M>, other: () => Promise<O>): Promise<[M, O, string]> {
  const [moved, { doing, queries }] = await meanwhile(move, async () => {
    const doing = other()
    await untilWaiting(server, 2)
    return { doing, queries: await waiting(server) }
  })
  return [moved, await doing, queries.find((query) => !query.startsWith('update location'))!]
}

it('a pharmacy is not moved while its messages are being written, nor the other way round: they would wait for ever in the company it left', async () => {
  const support = await makeSupport(server)
  const { world, place } = await newMedicine(server, 2)
  await makeSequence(server, world, [3])
  expect(await afterUploadOf(server, world)).toBe(2)
  const to = await makeCompany(server)
  const move = async () => {
    const which = { company_id: to.uuid, import_pharmacy_id: world.locations[0]!.uuid }
    const { status, body } = await support.ask(contract.locationImport.run, which)
    return [status, body.message]
  }
  await world.inside(async (tx) => {
    await shareWriting(tx, [place])
    expect(await move()).toEqual([
      409,
      `${world.locations[0]!.name} was not imported: messages of it are being written. Please try again in a few minutes.`,
    ])
  })
  const writing = () => tickAt(server, '2026-08-04T00:00:10Z')
  expect((await during(move, writing)).slice(0, 2)).toEqual([[200, undefined], 0])
  expect(await asOwner(server, 'select 1 from message where location_id = $1', [place])).toEqual([])
})

it('a pharmacy whose messages are being counted is still moved, without a deadlock', async () => {
  const support = await makeSupport(server)
  const world = await makeMessagingWorld(server)
  const [place] = world.locations
  await makeRun(server, world, { patients: await makePatients(server, place!.id, 2) })
  await world.inside((tx) => queueRecount(tx, [place!.id]))
  const which = { company_id: (await makeCompany(server)).uuid, import_pharmacy_id: place!.uuid }
  const [moved, , waited] = await during(
    () => support.ask(contract.locationImport.run, which),
    () => recountQueued(server.services),
  )
  // Waits before it holds anything that the move needs later.
  expect(waited).toMatch(/^insert into stat_recount_queue/)
  expect(moved).toMatchObject({ status: 200, body: { cancelled_messages: 2 } })
})

it('a pharmacy of many messages is moved however long that takes', async () => {
  const support = await makeSupport(server)
  const { company, locations, scope } = await makeMessagingWorld(server)
  const to = await makeCompany(server)
  const which = { company_id: to.uuid, import_pharmacy_id: locations[0]!.uuid }
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now')
  const move = () => support.ask(contract.locationImport.run, which)
  const [moved] = await meanwhile(move, async () => clock.mockImplementation(() => now() + 2 * REQUEST_MS))
  clock.mockRestore()
  expect([moved.status, moved.body.message]).toEqual([200, undefined])
  const place = { id: scope.locationIds[0]!, toId: company.id }
  const given = await inScope(server.services.pools.app, { companyId: to.id, locationIds: [place.id] }, async (tx) => {
    await splitRuns(tx, [], place, server.services.now())
    return sql`show statement_timeout`.execute(tx)
  })
  expect(given.rows).toEqual([{ statement_timeout: '2min' }])
})

/** How many rows of each table belong to each company, and the state of every message. */
async function belongings(): Promise<unknown> {
  const tables = await asOwner<{ name: string }>(
    server,
    `select table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where table_schema = 'public' and column_name = 'company_id' and table_type = 'BASE TABLE' and table_name not like 'audit%' order by 1`,
  )
  const counts = tables.map(({ name }) => `select '${name}' as name, company_id, count(*)::int from ${name} group by 2`)
  const messages = 'select location_id, id, run_id, state, reason from message order by 1, 2'
  return [await asOwner(server, `${counts.join(' union all ')} order by 1, 2`), await asOwner(server, messages)]
}

it('a move that breaks off halfway, as when the server is killed, has moved nothing, and succeeds when it is repeated', async () => {
  const support = await makeSupport(server)
  const world = await makeMessagingWorld(server, { locations: 2 })
  const [here, other] = world.locations.map(({ id }) => id) as [number, number]
  const run = await makeRun(server, world, {
    patients: [...(await makePatients(server, here, 3)), ...(await makePatients(server, other, 2))],
  })
  const to = await makeCompany(server)
  const move = () =>
    support.ask(contract.locationImport.run, { company_id: to.uuid, import_pharmacy_id: world.locations[0]!.uuid })
  const before = await belongings()
  const [broken] = await meanwhile(move, () =>
    asOwner(
      server,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like 'update location%'`,
    ),
  )
  expect(broken.status).toBe(503)
  expect(await belongings()).toEqual(before)
  expect((await move()).status).toBe(200)
  const states =
    'select location_id = $1 as moved, state, count(*)::int from message where run_id = any(array(select id from message_run where id >= $2)) group by 1, 2 order by 1'
  expect(await asOwner(server, states, [here, run.id])).toEqual([
    { moved: false, state: 'queued', count: 2 },
    { moved: true, state: 'skipped', count: 3 },
  ])
})
