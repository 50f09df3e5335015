import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeMessagingWorld, makePatients, makeRun } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { removeOld } from './retention.jobs.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('a pharmacy whose old texts cannot be removed does not stop others from losing theirs, and is named in the log', async () => {
  const world = await makeMessagingWorld(server, { locations: 2 })
  const [first, second] = world.locations.map(({ id }) => id)
  for (const id of [first!, second!]) {
    const run = await makeRun(server, world, { patients: await makePatients(server, id, 1) })
    await asOwner(
      server,
      `update message set state = 'delivered', created_at = now() - interval '3 years', sent_at = now() - interval '3 years',
         settled_at = now() - interval '3 years' where run_id = $1`,
      [run.id],
    )
  }
  await asOwner(
    server,
    `alter table message add constraint broken check (location_id <> ${first} or body is not null) not valid`,
  )
  const lines: unknown[] = []
  const log = { ...server.services.log, error: (line: unknown) => void lines.push(line), info: () => {} }
  await expect(removeOld.run({}, { ...server.services, log: log as never })).rejects.toThrow('message texts')
  expect(lines).toContainEqual({ location: first, reason: '23514 message broken' })
  const texts =
    'select location_id::int as id, body is not null as kept from message where location_id = any($1) order by 1'
  expect(await asOwner(server, texts, [[first, second]])).toEqual([
    { id: first, kept: true },
    { id: second, kept: false },
  ])
})
