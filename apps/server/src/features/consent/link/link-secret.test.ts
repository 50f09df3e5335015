import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { consentRow, consentTokenFor, optOutTokenFor, unsubscribeTokenFor } from '../../../../test/consent.ts'
import { makeMessagingWorld, makePatients } from '../../../../test/messaging.ts'
import { asOwner, makeCompany } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { readLinkSecret } from './link-secret.queries.ts'

let earlier: TestServer
let server: TestServer
beforeAll(async () => {
  earlier = await startTestServer()
  server = await startTestServer()
})
afterAll(async () => {
  await earlier.close()
  await server.close()
})

const migration = readFileSync(new URL('../../../../migrations/0310_link_salt.sql', import.meta.url), 'utf8')
/** Runs the migration anew, as in a database that has not seen it. */
async function migrateAnew(at: TestServer): Promise<Buffer> {
  await asOwner(at, 'drop table link_salt')
  await asOwner(at, migration)
  return readLinkSecret(at.services.pools.system, at.services.secret)
}

it('links of an earlier database under the same SECRET lead to nobody in a new one', async () => {
  for (const one of [earlier, server]) one.services.linkSecret = await migrateAnew(one)
  const [there, here] = await Promise.all([earlier, server].map((one) => makeMessagingWorld(one)))
  const [before] = await makePatients(earlier, there!.locations[0]!.id, 1)
  const [now] = await makePatients(server, here!.locations[0]!.id, 1)
  const links = async (at: TestServer, world: typeof there, patient: typeof before) => ({
    mailed: (await unsubscribeTokenFor(at, world!, patient!)).token,
    texted: (await optOutTokenFor(at, world!, patient!)).token,
    asked: await consentTokenFor(at, world!, patient!),
  })
  const lost = await links(earlier, there, before)
  const own = await links(server, here, now)
  // The same pharmacy's number and the same message's: only the proof differs.
  const numbers = (token: string) => token.split('.').slice(0, 2)
  expect(numbers(lost.mailed)).toEqual(numbers(own.mailed))

  expect((await server.call(`/api/unsubscribe/${lost.mailed}`, {})).status).toBe(404)
  expect((await server.call(`/api/unsubscribe/${lost.texted}`, {})).status).toBe(404)
  expect((await server.call(`/api/communication-consent/${lost.asked}`)).status).toBe(404)
  expect(await consentRow(server, now!)).toBeUndefined()
  expect((await server.call(`/api/communication-consent/${own.asked}`)).status).toBe(200)
  expect((await server.call(`/api/unsubscribe/${own.texted}`)).status).toBe(200)
})

it('a database that has sent links before keeps them', async () => {
  await makeCompany(server)
  expect(await migrateAnew(server)).toEqual(server.services.secret)
})
