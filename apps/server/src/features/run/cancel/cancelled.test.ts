import { setTimeout as wait } from 'node:timers/promises'
import { MOST_MOVED } from '@pillar/domain/message/run-state'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  freshMobile,
  type MessagingWorld,
  makeCampaign,
  makeMessagingWorld,
  makePatients,
  makeRun,
  makeTemplate,
  statesOf,
  type TestPatient,
  type TestRun,
} from '../../../../test/messaging.ts'
import { asOwner } from '../../../../test/people.ts'
import { forecastOf, multiply, sendAll } from '../../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { addPeople, person } from '../../../../test/world/cohort-world.ts'
import { recountCampaigns } from '../../attribution/campaign-stat.queries.ts'
import { recountStats } from '../../attribution/message-stat.queries.ts'
import { historyLots } from '../../report/report.queries.ts'
import { recountQueued } from '../../sending/recount.ts'
import { placesDueBy } from '../../sending/restore/set-aside.queries.ts'
import { newestRun, progressByPharmacy, reasonsOf } from '../run.queries.ts'
import { type FoundBatch, findBatch, stopBatch } from '../run-admin.queries.ts'
import { endRun } from '../run-state.queries.ts'
import { skipCancelled } from './skip-cancelled.ts'

const ALL = MOST_MOVED + 50
let server: TestServer
let world: MessagingWorld
let campaign: { id: number }
beforeAll(async () => {
  server = await startTestServer()
  world = await makeMessagingWorld(server)
  const text = await makeTemplate(server, world.company.id)
  campaign = await makeCampaign(server, world.company.id, {
    locationIds: world.scope.locationIds,
    templateIds: [text.id],
  })
})
afterAll(() => server.close())

/** A run with more messages than one statement changes, all due. */
async function largeRun(campaignId: number | null, first?: TestPatient): Promise<TestRun> {
  const patients = first ? [first] : await makePatients(server, world.locations[0]!.id, 1)
  const run = await makeRun(server, world, { patients, campaignId, context: campaignId ? 'campaign' : 'trial' })
  await multiply(server, run, ALL)
  return run
}

const skipAll = async () => {
  let portions = 0
  while (await skipCancelled(server.services)) portions++
  return portions
}
const batchOf = (run: TestRun) =>
  asOwner<{ next_at: Date | null }>(server, 'select next_at from message_batch where run_id = $1', [run.id])

it('a large run ends at once: nothing more of it is sent, its messages count as skipped, and are skipped in portions', async () => {
  const sms_to = freshMobile()
  const [id] = await addPeople(server, world, [person({ sms_to })])
  const run = await largeRun(campaign.id, { id: id!, locationId: world.locations[0]!.id, sms_to, email_to: null })
  expect(await forecastOf(server.services, world, campaign)).toMatchObject({ messages: 0 })
  const now = server.services.now()
  expect(await world.inside((tx) => endRun(tx, campaign.id, now))).toMatchObject({ kept: ALL })
  // Untouched, however many they are.
  expect(await statesOf(server, run.id)).toEqual({ queued: ALL })
  await sendAll(server.services)
  expect(await statesOf(server, run.id)).toEqual({ queued: ALL })
  await recountQueued(server.services)
  const shown = await world.inside(async (tx) => {
    const ended = (await newestRun(tx, campaign.id))!
    const days = { timeZone: 'Australia/Sydney', from: '2026-01-01', to: '2099-12-31' }
    const file = await Array.fromAsync(historyLots(tx, { locationId: world.locations[0]!.id, ...days }))
    const states = new Set(file.flat().map(({ state, reason }) => `${state} ${reason}`))
    return { reasons: await reasonsOf(tx, ended), places: await progressByPharmacy(tx, ended.id), states }
  })
  expect(shown.reasons).toEqual([{ state: 'skipped', channel: 'sms', reason: 'stopped', count: ALL }])
  expect([...shown.states]).toEqual(['skipped stopped'])
  expect(shown.places).toMatchObject([{ stopped: false, progress: { messages: ALL, queued: 0, skipped: ALL } }])
  // The campaign may be activated again at once: nobody has had its message.
  expect(await forecastOf(server.services, world, campaign)).toMatchObject({ messages: 1 })
  expect(await skipCancelled(server.services)).toBe(true)
  expect(await statesOf(server, run.id)).toEqual({ queued: 50, 'skipped stopped': MOST_MOVED })
  expect(await skipAll()).toBe(1)
  expect(await statesOf(server, run.id)).toEqual({ 'skipped stopped': ALL })
  expect(await batchOf(run)).toEqual([{ next_at: null }])
  const times = await asOwner<{ at: Date }>(server, 'select distinct settled_at as at from message where run_id = $1', [
    run.id,
  ])
  expect(times).toEqual([{ at: now }])
})

it('the figures of periods and days count the messages of a cancelled run as held back before they are skipped', async () => {
  const own = await makeMessagingWorld(server)
  const place = own.locations[0]!.id
  const { id } = await makeCampaign(server, own.company.id, { locationIds: [place] })
  const patients = await makePatients(server, place, 1)
  const counted = async () => {
    await own.inside((tx) => recountStats(tx, place))
    await own.inside((tx) => recountCampaigns(tx, place))
    return asOwner(
      server,
      `select s.queued, s.skipped, coalesce((select sum(held_back)::int from campaign_day where location_id = $1), 0) as held_back
       from message_stat s where s.location_id = $1 and s.period % 100 = 0`,
      [place],
    )
  }
  await multiply(server, await makeRun(server, own, { patients, campaignId: id, context: 'campaign' }), ALL)
  expect(await counted()).toEqual([{ queued: ALL, skipped: 0, held_back: 0 }])
  await own.inside((tx) => endRun(tx, id, server.services.now()))
  const held = [{ queued: 0, skipped: ALL, held_back: ALL }]
  expect(await counted()).toEqual(held)
  await skipAll()
  expect(await counted()).toEqual(held)
})

it('two processes that skip at once, and one that dies, skip each message once', async () => {
  const run = await largeRun(campaign.id)
  await world.inside((tx) => endRun(tx, campaign.id, server.services.now()))
  await Promise.all([skipCancelled(server.services), skipCancelled(server.services)])
  await skipAll()
  expect(await statesOf(server, run.id)).toEqual({ 'skipped stopped': ALL })
  expect(await skipCancelled(server.services)).toBe(false)
})

it('a batch that support stops for good is cancelled the same way, in its live run', async () => {
  const run = await largeRun(null)
  const [row] = await asOwner<{ uuid: string }>(server, 'select uuid from message_batch where run_id = $1', [run.id])
  const batch = await world.inside((tx) => findBatch(tx, row!.uuid))
  const stop = (found: FoundBatch) => world.inside((tx) => stopBatch(tx, found, server.services.now()))
  expect(await stop(batch)).toEqual({ left: ALL, resumable: false })
  expect(await statesOf(server, run.id)).toEqual({ queued: ALL })
  await sendAll(server.services)
  // A restored database does not look up what it had cancelled before.
  expect(await placesDueBy(server.services.pools.system, new Date(Date.now() + 60_000))).toEqual([])
  await skipAll()
  expect(await statesOf(server, run.id)).toEqual({ 'skipped stopped': ALL })
})

it('a batch that another transaction holds is left for the next round, without waiting', async () => {
  const run = await largeRun(campaign.id)
  await world.inside((tx) => endRun(tx, campaign.id, server.services.now()))
  await world.inside(async (tx) => {
    await sql`select from message_batch where run_id = ${run.id} for update`.execute(tx)
    expect(await Promise.race([skipCancelled(server.services), wait(2_000, 'waits')])).toBe(false)
  })
  expect(await statesOf(server, run.id)).toEqual({ queued: ALL })
  await skipAll()
  expect(await statesOf(server, run.id)).toEqual({ 'skipped stopped': ALL })
})
