import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeMessagingWorld, makePatients, makeRun, statesOf } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { sendAll, turn, WORKER } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { Services } from '../../api/context.ts'
import { handOverEach } from '../../gateways/hand-over.ts'
import { recordConsent } from '../consent/consent-log.queries.ts'
import { claimMessages } from './claim.ts'
import { handOver } from './hand-over.ts'
import { leaseBatch } from './lease.queries.ts'
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

/** These services with a database that fails the next transaction after `fail` is called. */
function failing(services: Services) {
  let next = false
  const app = new Proxy(services.pools.app, {
    get(pool, name) {
      if (name === 'transaction' && next) {
        next = false
        throw new Error('The connection is lost.')
      }
      const found: unknown = Reflect.get(pool, name)
      return typeof found === 'function' ? found.bind(pool) : found
    },
  })
  return {
    ...{ services: { ...services, pools: { ...services.pools, app } } },
    fail: () => {
      next = true
    },
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
  const { services, fail } = failing(
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
  expect(await statesOf(server, run.id)).toEqual({ queued: 2, sent: 2 })
})
