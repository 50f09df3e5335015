import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeMessagingWorld, makePatients, makeRun } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { Services } from '../../api/context.ts'
import { readEnv } from '../../env.ts'
import { insertGatewayEvents } from '../../gateways/gateway-event.queries.ts'
import { readHttpReply } from '../../gateways/sms/sms-http-events.ts'
import { readHttpSettings } from '../../gateways/sms/sms-http-settings.ts'
import { processEvents } from './events.ts'

let server: TestServer
let services: Services
beforeAll(async () => {
  server = await startTestServer()
  services = { ...server.services, sms: new FakePhones().gateway() }
})
afterAll(() => server.close())

const settings = readHttpSettings(
  readEnv({
    SMS_GATEWAY: 'http',
    SMS_HTTP_URL: 'http://gateway.example/?{to}{text}',
    SMS_HTTP_SECRET: 'a-shared-secret-here',
    SMS_SENDER: 'PHARMACY',
    PUBLIC_URL: 'https://pillar.example/',
  }),
)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const began = Date.now() - 48 * HOUR

/** A patient who was texted, and a gateway that reports what they say, some time later, perhaps with more than the words. */
async function somebody() {
  const world = await makeMessagingWorld(server)
  const [patient] = await makePatients(server, world.locations[0]!.id, 1)
  await makeRun(server, world, { patients: [patient!] })
  await sendAll(services)
  return async (text: string, after: number, more: Record<string, string> = {}) => {
    const said = { from: patient!.sms_to!, to: '+61400000000', text, ...more }
    const event = readHttpReply(settings, said, new Date(began + after), services.secret)!
    await insertGatewayEvents(services.pools.system, services.keys, 'http', [event], 'then')
    while ((await processEvents(services)) > 0);
    const [consent] = await asOwner<{ choice: string }>(
      server,
      'select sms_health_outreach as choice from consent where patient_id = $1',
      [patient!.id],
    )
    const kept = await asOwner(server, 'select body from message_reply where location_id = $1', [
      world.locations[0]!.id,
    ])
    return [consent?.choice, kept.length]
  }
}

it('a START that a gateway without ids and times reports again does not lift the STOP after it; head office reads it once', async () => {
  const say = await somebody()
  expect(await say('STOP', 0)).toEqual(['out', 0])
  expect(await say('START', 10 * MINUTE)).toEqual(['unknown', 0])
  expect(await say('STOP', 11 * MINUTE)).toEqual(['out', 0])
  expect(await say('START', 13 * MINUTE)).toEqual(['out', 1])
  expect(await say('START', 20 * MINUTE)).toEqual(['out', 1])
})

it.each([
  ['the first one after a STOP', 10 * MINUTE, {}, 30 * HOUR],
  ['one that comes a day after the one before', 0, {}, 25 * HOUR],
  ['one with an id of its own', 0, { id: 'another' }, HOUR],
  ['one with a time of its own', 0, { at: '2026-11-30 14:00' }, HOUR],
])('a START counts if it is %s', async (_, first, more, after) => {
  const say = await somebody()
  if (first === 0) await say('START', first)
  expect(await say('STOP', 20 * MINUTE)).toEqual(['out', 0])
  expect(await say('START', after, more)).toEqual(['unknown', 0])
})
