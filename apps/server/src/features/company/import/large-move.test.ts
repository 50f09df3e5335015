import { contract } from '@pillar/contract'
import { MOST_MOVED } from '@pillar/domain/message/run-state'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCampaign, makeMessagingWorld, makePatients, makeRun, statesOf } from '../../../../test/messaging.ts'
import { asOwner, makeCompany } from '../../../../test/people.ts'
import { multiply, sendAll } from '../../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { makeSupport, type Support } from '../../../../test/support.ts'
import { skipCancelled } from '../../run/cancel/skip-cancelled.ts'
import { recountQueued } from '../../sending/recount.ts'

const ALL = MOST_MOVED + 50
let server: TestServer
let support: Support
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
})
afterAll(() => server.close())

/** A pharmacy with more queued messages than one statement changes, in a run of its own or one shared with another, is moved. */
async function moved({ shared }: { shared: boolean }) {
  const world = await makeMessagingWorld(server, { locations: 2 })
  const [place, other] = world.locations.map(({ id }) => id) as [number, number]
  const campaign = await makeCampaign(server, world.company.id, { locationIds: [place, other] })
  await asOwner(server, 'update campaign set active = true where id = $1', [campaign.id])
  const patients = [...(await makePatients(server, place, 1)), ...(shared ? await makePatients(server, other, 1) : [])]
  const run = await makeRun(server, world, { campaignId: campaign.id, patients })
  await multiply(server, run, ALL)
  const which = { company_id: (await makeCompany(server)).uuid, import_pharmacy_id: world.locations[0]!.uuid }
  const { status, body } = await support.ask(contract.locationImport.run, which)
  expect([status, body]).toEqual([200, expect.objectContaining({ cancelled_messages: ALL })])
  const [now] = await asOwner<{ id: number }>(
    server,
    'select distinct run_id as id from message where location_id = $1',
    [place],
  )
  return { was: run, now: now!, place }
}

const counted = (locationId: number) =>
  asOwner(server, 'select num_queued, num_skipped, next_at from message_batch where location_id = $1', [locationId])

it('a pharmacy with a large run of its own moves at once: nothing more is sent, and its messages are skipped in portions', async () => {
  const { now, place } = await moved({ shared: false })
  expect(await statesOf(server, now.id)).toEqual({ queued: ALL })
  await recountQueued(server.services)
  expect(await counted(place)).toMatchObject([{ num_queued: 0, num_skipped: ALL }])
  await sendAll(server.services)
  expect(await statesOf(server, now.id)).toEqual({ queued: ALL })
  while (await skipCancelled(server.services)) {}
  expect(await statesOf(server, now.id)).toEqual({ 'skipped stopped': ALL })
  expect(await counted(place)).toMatchObject([{ num_skipped: ALL, next_at: null }])
})

it('of a large run shared with another pharmacy, the messages that move are skipped on the way, and the others still go out', async () => {
  const { was, now, place } = await moved({ shared: true })
  expect(now.id).not.toBe(was.id)
  expect(await statesOf(server, now.id)).toEqual({ 'skipped stopped': ALL })
  await skipCancelled(server.services)
  expect(await counted(place)).toMatchObject([{ next_at: null }])
  await sendAll(server.services)
  // Handed over, whatever the simulator says about its number.
  expect(Object.keys(await statesOf(server, was.id))).toEqual([expect.stringMatching(/^(sent|unknown)$/)])
})
