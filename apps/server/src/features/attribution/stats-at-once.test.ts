import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeMessagingWorld, makePatients, makeRun } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { recountQueuedStats } from '../sending/recount.ts'
import { queueStatRecount, takeStatRecount } from './message-stat.queries.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('the statistics of a pharmacy are counted by one worker at a time: of two, one met the other’s rows and failed', async () => {
  const world = await makeMessagingWorld(server)
  const { id } = world.locations[0]!
  const services = { ...server.services, sms: new FakePhones().gateway() }
  await makeRun(server, world, { patients: await makePatients(server, id, 3) })
  await sendAll(services)
  await world.inside((tx) => queueStatRecount(tx, id))
  await asOwner(server, `update stat_recount_queue set since = now() - interval '1 minute'`)
  const counted = () => asOwner(server, 'select sum(sent)::int as sent from message_stat where location_id = $1', [id])
  await world
    .inside(async (tx) => {
      expect(await takeStatRecount(tx, id)).toBe(true)
      const other = recountQueuedStats(services)
      await other
      expect(await counted()).toEqual([{ sent: null }])
      throw new Error('killed')
    })
    .catch((error: Error) => expect(error.message).toBe('killed'))
  // It is back in the queue.
  await recountQueuedStats(services)
  expect(await counted()).not.toEqual([{ sent: null }])
})
