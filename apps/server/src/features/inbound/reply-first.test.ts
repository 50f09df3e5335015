import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshMobile, makeMessagingWorld, makePatients, makeRun } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner, fresh } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { untilWaiting } from '../../../test/waiting.ts'
import type { Services } from '../../api/context.ts'
import type { GatewayEvent } from '../../gateways/gateway.ts'
import { insertGatewayEvents } from '../../gateways/gateway-event.queries.ts'
import { lockConsent } from '../consent/consent-log.queries.ts'
import { startSender } from '../messaging.jobs.ts'
import { referenceOf } from '../sending/reference.ts'
import type { EventKind } from './event.queries.ts'
import { processEvents } from './events.ts'

let server: TestServer
let services: Services
beforeAll(async () => {
  server = await startTestServer()
  services = { ...server.services, sms: new FakePhones().gateway() }
})
afterAll(() => server.close())

const at = new Date().toISOString()
const tell = (events: readonly GatewayEvent[]) =>
  insertGatewayEvents(services.pools.system, services.keys, 'fake', events)
const reply = (from: string, text: string): GatewayEvent => ({
  ...{ id: fresh('reply'), at, kind: 'reply', from, to: '+61400000000', text },
})
const stop = (from: string) => reply(from, 'STOP')
/** Which of these people said no to texts, in their order. */
const whoIsOut = async (patients: readonly { id: number; locationId: number }[]) => {
  const out = await asOwner<{ id: number }>(
    server,
    `select patient_id as id from consent where patient_id = any($1::bigint[]) and sms_health_outreach = 'out'`,
    [patients.map(({ id }) => id)],
  )
  return patients.map(({ id }) => out.some((one) => one.id === id))
}

it('a STOP does not wait behind the receipts of a large campaign', async () => {
  const world = await makeMessagingWorld(server)
  const patients = await makePatients(server, world.locations[0]!.id, 1)
  await makeRun(server, world, { patients })
  await sendAll(services)
  const receipts = Array.from({ length: 1_001 }, (_, n): GatewayEvent => {
    return { id: `many-${n}`, at, kind: 'receipt', reference: 'x', gatewayRef: null, status: 'sent', reason: null }
  })
  await tell(receipts)
  await tell([stop(patients[0]!.sms_to!)])
  expect(await processEvents(services)).toBe(1_000)
  expect(await whoIsOut(patients)).toEqual([true])
  const open = `select event_id from gateway_event where done_at is null`
  expect(await asOwner(server, open)).toEqual([{ event_id: 'many-999' }, { event_id: 'many-1000' }])
  await processEvents(services)
  expect(await asOwner(server, open)).toEqual([])
})

it('a STOP, a START or a complaint is left to its own loop: in another, it would wait for all that this one took', async () => {
  const complaint: GatewayEvent = { ...{ id: fresh('complaint'), at, kind: 'complaint' }, reference: 'x', reason: null }
  await tell([stop(freshMobile()), reply(freshMobile(), 'START'), complaint, reply(freshMobile(), 'Thanks')])
  const done = async (kind: EventKind) => processEvents(services, kind)
  expect([await done('receipts'), await done('replies'), await done('consent')]).toEqual([0, 1, 3])
})

it('a STOP does not wait until the receipts being processed are through', async () => {
  const world = await makeMessagingWorld(server)
  const patients = await makePatients(server, world.locations[0]!.id, 2)
  const run = await makeRun(server, world, { patients })
  await sendAll(services)
  const [{ id }] = (await asOwner<{ id: number }>(server, 'select min(id)::int as id from message where run_id = $1', [
    run.id,
  ])) as [{ id: number }]
  const reference = referenceOf(run.uuid, world.locations[0]!.id, id)
  const delivered = (): GatewayEvent => {
    return { id: fresh('receipt'), at, kind: 'receipt', reference, gatewayRef: null, status: 'delivered', reason: null }
  }
  await tell([delivered()])
  const end = await world.inside(async (tx) => {
    await sql`select from message where id = ${id} for update`.execute(tx)
    const stopLoops = startSender(services, { eventsMs: 20 })
    await untilWaiting(server, 1, '%for update of m%')
    // The other loop must leave this one alone: there are always more receipts than loops.
    await tell([delivered()])
    await sleep(100)
    await tell([stop(patients[1]!.sms_to!)])
    await expect.poll(() => whoIsOut(patients), { timeout: 5_000 }).toEqual([false, true])
    return stopLoops
  })
  await end()
})

it('a STOP does not wait until the other replies being processed are through', async () => {
  const world = await makeMessagingWorld(server)
  const patients = await makePatients(server, world.locations[0]!.id, 3)
  await makeRun(server, world, { patients })
  await sendAll(services)
  const [thanks, stops, starts] = patients.map(({ sms_to }) => sms_to!) as [string, string, string]
  await tell([reply(thanks, 'Thank you')])
  const end = await world.inside(async (tx) => {
    await sql`lock table message_reply in share mode`.execute(tx)
    const stopLoops = startSender(services, { eventsMs: 20 })
    await untilWaiting(server, 1, '%insert into message_reply%')
    const later = new Date(Date.now() + 1_000).toISOString()
    await tell([reply(thanks, 'See you'), stop(stops), stop(starts), { ...reply(starts, 'START'), at: later }])
    const open = `select event_id from gateway_event where done_at is null and payload->>'kind' = 'reply'`
    await expect.poll(async () => (await asOwner(server, open)).length, { timeout: 5_000 }).toBe(2)
    expect(await whoIsOut(patients)).toEqual([false, true, false])
    return stopLoops
  })
  await end()
})

it('a STOP does not wait for those of a pharmacy whose consent is locked', async () => {
  const world = await makeMessagingWorld(server, { locations: 2 })
  const [busy, free] = world.locations.map(({ id }) => id) as [number, number]
  const patients = [...(await makePatients(server, busy, 2)), ...(await makePatients(server, free, 1))]
  await makeRun(server, world, { patients })
  await sendAll(services)
  const [first, second, third] = patients.map(({ sms_to }) => stop(sms_to!)) as [
    GatewayEvent,
    GatewayEvent,
    GatewayEvent,
  ]
  const end = await world.inside(async (tx) => {
    await lockConsent(tx, busy)
    const stopLoops = startSender(services, { eventsMs: 20 })
    await tell([first])
    await untilWaiting(server, 1, '%pg_advisory_xact_lock(7321%')
    await tell([second])
    await untilWaiting(server, 2, '%pg_advisory_xact_lock(7321%')
    await tell([third])
    await expect.poll(() => whoIsOut(patients), { timeout: 5_000 }).toEqual([false, false, true])
    return stopLoops
  })
  await end()
  expect(await whoIsOut(patients)).toEqual([true, true, true])
})

it.each(['unknown', 'sending'])(
  'a STOP holds for a pharmacy whose text is %s: it may be what was answered',
  async (state) => {
    const number = freshMobile()
    const world = await makeMessagingWorld(server, { locations: 3 })
    const patients = await Promise.all(
      world.locations.map(async ({ id }) => (await makePatients(server, id, 1, () => ({ sms_to: number })))[0]!),
    )
    await makeRun(server, world, { patients: [patients[0]!] })
    await sendAll(services)
    const { id } = await makeRun(server, world, { patients: [patients[1]!] })
    await asOwner(server, 'update message set state = $2 where run_id = $1', [id, state])
    await tell([stop(number)])
    await processEvents(services)
    expect(await whoIsOut(patients)).toEqual([true, true, false])
  },
)

it('an event that no loop knows is taken with the replies, and ends with a reason', async () => {
  await asOwner(server, `insert into gateway_event (gateway, event_id, payload) values ('fake', 'odd', '{}')`)
  expect(await processEvents(services, 'receipts')).toBe(0)
  expect(await processEvents(services, 'replies')).toBe(1)
})
