import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeMessagingWorld } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { uploadsGoFirst } from './waiting.queries.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('what follows an upload lets others go first for a minute after its own, not a minute for each pharmacy that waits', async () => {
  const [own, other] = (await makeMessagingWorld(server, { locations: 2 })).locations.map(({ id }) => id) as [
    number,
    number,
  ]
  const upload = (id: number, state: string, ended: string | null) =>
    asOwner(
      server,
      `insert into upload (uuid, location_id, etl_state, data_source, etl_stop_time)
       values (gen_random_uuid(), $1, $2, 'canonical', now() - $3::interval)`,
      [id, state, ended],
    )
  const first = () => uploadsGoFirst(server.services.pools.system, own, 60)
  await upload(own, 'COMPLETED', '2 days')
  await upload(own, 'COMPLETED', '30 seconds')
  expect(await first()).toBe(false)
  await upload(other, 'PROCESSING', null)
  expect(await first()).toBe(true)
  await asOwner(
    server,
    `update upload set etl_stop_time = etl_stop_time - interval '31 seconds' where etl_state = 'COMPLETED'`,
  )
  expect(await first()).toBe(false)
})
