import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  consentRow,
  consentTokenFor,
  messageOf,
  optOutTokenFor,
  unsubscribeTokenFor,
} from '../../../../test/consent.ts'
import { type MessagingWorld, makeMessagingWorld, makePatients, makeRun } from '../../../../test/messaging.ts'
import { asOwner } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { setAside } from './set-aside.ts'

let server: TestServer
let world: MessagingWorld
beforeAll(async () => {
  server = await startTestServer()
  world = await makeMessagingWorld(server)
})
afterAll(() => server.close())

it('links in messages that a restored database has lost lead to nobody else', async () => {
  const [lost, next] = await makePatients(server, world.locations[0]!.id, 2)
  const sequence = `pg_get_serial_sequence('message', 'id')::regclass`
  const [before] = await asOwner<{ at: string }>(server, `select nextval(${sequence}) as at`)
  const since = new Date(Date.now() - 1000)
  const mailed = (await unsubscribeTokenFor(server, world, lost!)).token
  const texted = (await optOutTokenFor(server, world, lost!)).token
  const asked = await consentTokenFor(server, world, lost!)
  // The database stands again where it stood before these were written.
  for (const table of ['consent_request', 'message'])
    await asOwner(server, `delete from ${table} where location_id = $1`, [world.locations[0]!.id])
  await asOwner(server, `select setval(${sequence}, ${before!.at})`)

  await setAside(server.services, since)
  const runs = [
    await makeRun(server, world, { patients: [next!], channel: 'email' }),
    await makeRun(server, world, { patients: [next!], smsSender: 'SALTBUSH' }),
  ]
  const ids = await Promise.all(runs.map((run) => messageOf(server, run, next!)))
  await consentTokenFor(server, world, next!)
  expect(Math.min(...ids)).toBeGreaterThan(Number(before!.at) + 1_000_000)
  const click = await server.app.inject({
    method: 'POST',
    url: `/unsubscribe-one-click/${mailed}`,
    payload: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(click.statusCode).toBe(404)
  expect((await server.call(`/api/unsubscribe/${texted}`, {})).status).toBe(404)
  expect((await server.call(`/api/communication-consent/${asked}`)).status).toBe(404)
  expect(await consentRow(server, next!)).toBeUndefined()
  // Said again about the same moment, it skips nothing more.
  await setAside(server.services, since)
  const [patient] = await makePatients(server, world.locations[0]!.id, 1)
  const more = await makeRun(server, world, { patients: [patient!] })
  expect(await messageOf(server, more, patient!)).toBeLessThan(Math.max(...ids) + 1_000)
})
