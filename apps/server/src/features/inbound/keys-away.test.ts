import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventsOf } from '../../../test/field/opened.ts'
import { makeMessagingWorld, makePatients, makeRun } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { Services } from '../../api/context.ts'
import { KeysAway } from '../../db/field/key-file.ts'
import { insertGatewayEvents } from '../../gateways/gateway-event.queries.ts'
import { processEvents } from './events.ts'

let server: TestServer
let services: Services
beforeAll(async () => {
  server = await startTestServer()
  services = server.services
})
afterAll(() => server.close())

const NUMBER = '+61499123457'

const tell = (id: string, keys: Services['keys']) =>
  insertGatewayEvents(services.pools.system, keys, 'fake', [
    { kind: 'reply', id, at: new Date().toISOString(), from: NUMBER, to: '', text: 'STOP' },
  ])

it('a reply that cannot be opened now waits a day for its key, and one is stored even without a key to seal it', async () => {
  const away = () => Promise.reject(new KeysAway('The file of the keys cannot be read.'))
  const keyless = { ...services, keys: { ...services.keys, open: away, writing: away } }
  const ends = () =>
    asOwner(
      server,
      `select event_id as id, failure, done_at is not null as done from gateway_event where event_id ~ '^away'`,
    )
  await tell('away-1', services.keys)
  await processEvents(keyless)
  expect(await ends()).toEqual([{ id: 'away-1', failure: null, done: false }])
  await processEvents({ ...keyless, now: () => new Date(Date.now() + 25 * 3_600_000) })
  expect(await ends()).toEqual([
    { id: 'away-1', failure: expect.stringMatching(/^It could not be opened/), done: true },
  ])
  // It is kept in full, and beside its seal the database sees neither number nor text.
  expect(await eventsOf(server, `event_id = 'away-1'`)).toMatchObject([{ payload: { from: NUMBER, text: 'STOP' } }])
  expect(await asOwner(server, `select payload from gateway_event where event_id = 'away-1'`)).toEqual([
    { payload: { kind: 'reply', at: expect.any(String), consent: true } },
  ])
  await tell('away-2', keyless.keys)
  await processEvents(services)
  expect((await eventsOf(server, `event_id = 'away-2'`))[0]?.payload).toMatchObject({ kind: 'reply' })
  expect(await asOwner(server, `select from gateway_event where done_at is null`)).toEqual([])
})

it('a reply that could be opened, but whose number cannot be looked up, waits for the key', async () => {
  const world = await makeMessagingWorld(server)
  const [patient] = await makePatients(server, world.locations[0]!.id, 1)
  await makeRun(server, world, { patients: [patient!] })
  await sendAll({ ...services, sms: new FakePhones().gateway() })
  const words = { kind: 'reply', from: patient!.sms_to!, to: '+61400000000', text: 'Are you open?' } as const
  await insertGatewayEvents(services.pools.system, services.keys, 'fake', [
    { ...words, id: 'sealed', at: new Date().toISOString() },
  ])
  const away = () => Promise.reject(new KeysAway('The file of the keys cannot be read.'))
  await processEvents({ ...services, keys: { ...services.keys, contacts: away } })
  const kept = 'select from message_reply where location_id = $1'
  expect(await asOwner(server, kept, [patient!.locationId])).toEqual([])
  await processEvents(services)
  expect(await asOwner(server, kept, [patient!.locationId])).toHaveLength(1)
})
