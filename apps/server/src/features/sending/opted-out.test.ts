import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeMessagingWorld, makePatients, makeRun, statesOf } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../test/people.ts'
import { sendAll, turn, WORKER } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { Services } from '../../api/context.ts'
import { handOverEach, WITHDRAWN } from '../../gateways/hand-over.ts'
import { recordConsent } from '../consent/consent-log.queries.ts'
import { claimMessages } from './claim.ts'
import { handOver } from './hand-over.ts'
import { leaseBatch } from './lease.queries.ts'
import { optedOutAmong } from './opted-out.queries.ts'
import { watchOptedOut } from './opted-out.ts'
import { recordAnswers } from './record.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const EACH_MS = 60

/** A gateway that takes one text after another, and calls `before` ahead of each. */
function slowly(phones: FakePhones, before: (to: string) => Promise<unknown>): Services {
  const sms = phones.gateway()
  const one = async (message: Parameters<typeof sms.send>[0][number]) => {
    await before(message.to)
    await wait(EACH_MS)
    return (await sms.send([message]))[0]!
  }
  return { ...server.services, sms: { ...sms, send: (texts, isWithdrawn) => handOverEach(texts, 1, one, isWithdrawn) } }
}

/** These services with a database that fails the next transaction, or a later one, once `fail` is called. */
function failing(services: Services) {
  let left = 0
  const app = new Proxy(services.pools.app, {
    get(pool, name) {
      if (name === 'transaction' && left > 0 && --left === 0) throw new Error('The connection is lost.')
      const found: unknown = Reflect.get(pool, name)
      return typeof found === 'function' ? found.bind(pool) : found
    },
  })
  return {
    ...{ services: { ...services, pools: { ...services.pools, app } } },
    fail: (which = 1) => {
      left = which
    },
    isNext: () => left > 0,
  }
}

async function peopleToText(count: number) {
  const world = await makeMessagingWorld(server)
  const patients = await makePatients(server, world.locations[0]!.id, count)
  const run = await makeRun(server, world, { patients })
  const stop = (at: number) =>
    world.inside((tx) => {
      const { id: patientId, locationId } = patients[at]!
      const said = { at: new Date(), event: { type: 'stop' as const }, wording: 'STOP', source: 'reply' }
      return recordConsent(tx, { ...said, patientId, locationId }, new Date())
    })
  return { patients, run, stop }
}

it('somebody who says STOP while the gateway takes the texts claimed before gets none, even if consent cannot be read at first', async () => {
  const { patients, run, stop } = await peopleToText(30)
  const phones = new FakePhones()
  let stopped: Promise<unknown> | undefined
  const { services, fail, isNext } = failing(
    slowly(phones, async () => {
      if (!stopped) fail()
      stopped ??= stop(29)
    }),
  )
  expect(await turn(services)).toBe('sent')
  await stopped
  expect(await statesOf(server, run.id)).toEqual({ sent: 29, queued: 1 })
  await sendAll(services)
  expect(await statesOf(server, run.id)).toEqual({ sent: 29, 'skipped opted_out': 1 })
  expect([...phones.accepted.values()].map(({ to }) => to)).not.toContain(patients[29]!.sms_to)
  // Nobody looks any more.
  fail()
  await wait(300)
  expect(isNext()).toBe(true)
})

it('people who said STOP since the claim are not handed over', async () => {
  const { patients, run, stop } = await peopleToText(4)
  const phones = new FakePhones()
  const services = { ...server.services, sms: phones.gateway() }
  const batch = await leaseBatch(services.pools.system, 'sms', WORKER, services.now())
  const claim = await claimMessages(services, batch!, WORKER, 4, 60)
  await stop(0)
  await stop(2)
  const out = await watchOptedOut(services, claim!)
  await recordAnswers(services, claim!, await handOver(services, claim!, out))
  out.end()
  expect([...phones.accepted.values()].map(({ to }) => to)).toEqual([patients[1]!.sms_to, patients[3]!.sms_to])
  const states = await asOwner(server, 'select state from message where run_id = $1 order by id', [run.id])
  expect(states.map(({ state }) => state)).toEqual(['queued', 'sent', 'queued', 'sent'])
})

it('nobody is texted while consent cannot be read', async () => {
  const { run } = await peopleToText(2)
  const phones = new FakePhones()
  const { services, fail } = failing({ ...server.services, sms: phones.gateway() })
  // The first is the claim's.
  fail(2)
  await turn(services)
  expect([phones.accepted.size, await statesOf(server, run.id)]).toEqual([0, { queued: 2 }])
})

it('an email gateway also learns who opted out while it takes messages', async () => {
  const world = await makeMessagingWorld(server)
  const patients = await makePatients(server, world.locations[0]!.id, 1)
  await makeRun(server, world, { patients, channel: 'email' })
  const batch = await leaseBatch(server.services.pools.system, 'email', WORKER, server.services.now())
  const claim = await claimMessages(server.services, batch!, WORKER, 1, 60)
  let taking = false
  const send: Services['bulkEmail']['send'] = async (messages, isWithdrawn) => {
    taking = true
    return messages.map((one) => (isWithdrawn?.(one) ? WITHDRAWN : { kind: 'accepted', gatewayRef: '1' }))
  }
  const services = { ...server.services, bulkEmail: { ...server.services.bulkEmail, send } }
  expect(await handOver(services, claim!, { has: () => taking, end: () => {} })).toMatchObject([WITHDRAWN])
})

it('each choice forbids messages of its own channel and kind, and none forbids a confirmation', async () => {
  const choices = ['sms_health_outreach', 'sms_marketing', 'email_health_outreach', 'email_marketing']
  const world = await makeMessagingWorld(server)
  const patients = await makePatients(server, world.locations[0]!.id, choices.length)
  for (const [at, { locationId, id }] of patients.entries())
    await asOwner(server, `insert into consent (location_id, patient_id, ${choices[at]}) values ($1, $2, 'out')`, [
      locationId,
      id,
    ])
  const forbidden: Record<string, string[]> = {}
  for (const channel of ['sms', 'email'] as const) {
    const run = await makeRun(server, world, { patients, channel })
    const ids = await asOwner<{ id: number }>(server, 'select id from message where run_id = $1 order by id', [run.id])
    const all = ids.map(({ id }) => Number(id))
    for (const kind of ['health_outreach', 'trial', 'marketing', 'confirmation']) {
      await asOwner(server, 'update message_batch set message_kind = $2 where run_id = $1', [run.id, kind])
      const found = await world.inside((tx) => optedOutAmong(tx, patients[0]!.locationId, all))
      forbidden[`${kind} by ${channel}`] = found.map((id) => choices[all.indexOf(id)]!)
    }
  }
  expect(forbidden).toEqual({
    'health_outreach by sms': ['sms_health_outreach'],
    'trial by sms': ['sms_health_outreach'],
    'marketing by sms': ['sms_marketing'],
    'confirmation by sms': [],
    'health_outreach by email': ['email_health_outreach'],
    'trial by email': ['email_health_outreach'],
    'marketing by email': ['email_marketing'],
    'confirmation by email': [],
  })
})
