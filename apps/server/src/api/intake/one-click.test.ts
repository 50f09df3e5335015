import { afterAll, beforeAll, expect, it } from 'vitest'
import { consentRow, unsubscribeTokenFor } from '../../../test/consent.ts'
import { makeMessagingWorld, makePatients } from '../../../test/messaging.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it.each([
  ['with a line end', 'application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click\r\n', 200],
  ['in other case', 'application/x-www-form-urlencoded; charset=UTF-8', 'list-unsubscribe=one-click', 200],
  ['as plain text', 'text/plain', 'List-Unsubscribe=One-Click', 200],
  ['without a type', '', 'List-Unsubscribe=One-Click', 200],
  ['with other words', 'text/plain', 'List-Unsubscribe=Two-Clicks', 422],
  ['without a body, as a scanner of links may', '', '', 422],
])('a mail program that posts one click %s is understood', async (_how, type, payload, status) => {
  const world = await makeMessagingWorld(server)
  const [patient] = await makePatients(server, world.locations[0]!.id, 1)
  const { token } = await unsubscribeTokenFor(server, world, patient!)
  const headers = type === '' ? {} : { 'content-type': type }
  const url = `/unsubscribe-one-click/${token}`
  expect((await server.app.inject({ method: 'POST', url, payload, headers })).statusCode).toBe(status)
  const consent = await consentRow(server, patient!)
  if (status === 200) expect(consent).toMatchObject({ email_health_outreach: 'out', email_marketing: 'out' })
  else expect(consent).toBeUndefined()
})
