import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { makeMessagingWorld, makePatients, makeRun } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { queueRecount } from '../run/recount-queue.queries.ts'
import { recountQueued, recountQueuedStats } from '../sending/recount.ts'
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

it('while the statistics of a large pharmacy are counted, the messages of others are, and its own afterwards: nothing is reported as failed', async () => {
  const world = await makeMessagingWorld(server, { locations: 2 })
  const [large, other] = world.locations.map(({ id }) => id) as [number, number]
  const failed = vi.spyOn(server.services.log, 'error')
  await world.inside((tx) => queueRecount(tx, [large, other]))
  await world.inside((tx) => queueStatRecount(tx, large))
  const waiting = () =>
    asOwner(server, 'select location_id as id from recount_queue where location_id = any($1)', [[large, other]])
  await world.inside(async (tx) => {
    expect(await takeStatRecount(tx, large)).toBe(true)
    await recountQueued(server.services)
  })
  expect(await waiting()).toEqual([{ id: large }])
  await recountQueued(server.services)
  expect(await waiting()).toEqual([])
  expect(failed).not.toHaveBeenCalled()
})
