import { afterAll, beforeAll, expect, it } from 'vitest'
import { storePlain } from '../../../test/field/plain-contacts.ts'
import { makeMessagingWorld, makePatients, makeRun } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { insertGatewayEvents } from '../../gateways/gateway-event.queries.ts'
import { processEvents } from './events.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await storePlain(server)
})
afterAll(() => server.close())

it('before contacts are sealed, an event that was used forgets whom it was about, and one that was not is kept whole', async () => {
  const services = { ...server.services, sms: new FakePhones().gateway() }
  const world = await makeMessagingWorld(server)
  const patients = await makePatients(server, world.locations[0]!.id, 1)
  await makeRun(server, world, { patients })
  await sendAll(services)
  const told = { kind: 'reply', at: '2026-11-25T09:00:00.000Z', to: '+61400000000', text: 'Are you open?' } as const
  const used = { ...told, id: 'used', from: patients[0]!.sms_to! }
  const unusable = { ...told, id: 'unusable', from: '+61499999999' }
  await insertGatewayEvents(services.pools.system, services.keys, 'fake', [used, unusable])
  while ((await processEvents(services)) > 0);
  expect(
    await asOwner(
      server,
      `select event_id as id, payload, payload_sealed as sealed from gateway_event where event_id in ('used', 'unusable') order by 1 desc`,
    ),
  ).toEqual([
    { id: 'used', payload: { kind: 'reply', at: told.at }, sealed: null },
    { id: 'unusable', payload: unusable, sealed: null },
  ])
})
