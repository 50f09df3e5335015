import { Writable } from 'node:stream'
import { type Call, contract, partsOf } from '@pillar/contract'
import { everyCall } from '@pillar/contract/every-call'
import { FLAGS } from '@pillar/domain/access/permission'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLog } from '../../src/api/log.ts'
import { buildApp } from '../../src/app.ts'
import { jobs } from '../../src/features/index.ts'
import { storedAs } from '../field/contacts.ts'
import { type MessagingWorld, makeMessagingWorld, makePatients } from '../messaging.ts'
import { asOwner, makeLogin, PASSWORD, type SignedIn, signIn, stepUp, type TestLogin } from '../people.ts'
import { startTestServer, type TestServer } from '../server.ts'
import { bodyFor } from './every-call-values.ts'

/** Text a user typed, or details of a person: none may appear in logs and reports, whole or in part. */
const CANARY = {
  name: 'Zzquentina',
  phone: '+61491570156',
  email: 'zz.canary@mail.example',
  words: 'zz my chest hurts',
  token: 'zzcanarytokenzzcanarytokenzzcanarytokenzzca',
}
const TYPED = Object.values(CANARY).join(' ')

let server: TestServer
let world: MessagingWorld
let login: TestLogin
let tab: SignedIn
const lines: string[] = []
let app: TestServer['app']
beforeAll(async () => {
  server = await startTestServer()
  const kept = new Writable({
    write(line, _encoding, done) {
      lines.push(String(line))
      done()
    },
  })
  const log = openLog('trace', kept)
  const services = { ...server.services, log }
  app = await buildApp(services)
  await server.services.queue.work(jobs, services)
  world = await makeMessagingWorld(server)
  const { id } = world.locations[0]!
  await makePatients(server, id, 3)
  await asOwner(server, 'update patient set first_name = $1, sms_to = $2, email_to = $3 where location_id = $4', [
    ...[CANARY.name, await storedAs(server, CANARY.phone), await storedAs(server, CANARY.email), id],
  ])
  login = await makeLogin(server, world.company.id, { flags: [...FLAGS] })
  tab = await signIn(server, login)
})
afterAll(async () => {
  await app.close()
  await server.close()
})

/** The same value with every text in it, except ids and days, replaced by typed text. */
function typed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(typed)
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, typed(one)]))
  return typeof value === 'string' && !/^[\da-f]{8}-|^\d{4}-\d\d-\d\d/.test(value) ? TYPED : value
}

/** Sends this body; a secret part of the path carries the token. */
async function ask(
  { path, method, secret = [] }: Call,
  body: unknown,
  headers: Record<string, string>,
): Promise<number> {
  const filled = partsOf(path).reduce((text, part) => {
    const given = (body as Record<string, unknown>)[part]
    return text.replace(`{${part}}`, encodeURIComponent(secret.includes(part) ? CANARY.token : String(given)))
  }, path)
  const sent = method === 'DELETE' ? {} : { payload: body as object }
  return (await app.inject({ method: method ?? 'POST', url: filled, headers, ...sent })).statusCode
}

describe('the log at its most verbose, and stored errors (T37)', () => {
  it('contain nothing that anybody typed or is, after every call with good and with senseless words', async () => {
    const { uuid } = world.locations[0]!
    const secrets = [tab.token, tab.secret, PASSWORD]
    const statuses = new Set<number>()
    for (const { call } of everyCall) {
      const good = bodyFor(call, uuid)
      const { 'x-step-up-grant': grant } = await stepUp(server, { login, tab }, 'save', null)
      secrets.push(grant!)
      for (const body of [good, typed(good)])
        for (const headers of [
          { ...tab.bearer, 'x-step-up-grant': grant! },
          { cookie: `zz=${CANARY.token}` },
        ] as Record<string, string>[])
          statuses.add(await ask(call, body, { ...headers, 'user-agent': CANARY.words, referer: `/${CANARY.token}` }))
      // Signing out and changing the password end the session.
      if ((await ask(contract.financials.stats as unknown as Call, {}, tab.bearer)) === 401) {
        tab = await signIn(server, login)
        secrets.push(tab.token, tab.secret)
      }
    }
    for (const page of ['/', '/patient/', '/c/', '/unsubscribe/', '/clinicaltrial/', '/reset/'])
      await app.inject({ url: `${page}${CANARY.token}?search=${encodeURIComponent(TYPED)}` })
    expect([...statuses]).toEqual(expect.arrayContaining([200, 401, 404, 422]))
    const reports = await asOwner<{ text: string }>(server, 'select e::text as text from error_report e')
    const said = [...lines, ...reports.map(({ text }) => text)]
    expect(lines.length).toBeGreaterThan(everyCall.length)
    for (const told of [...Object.values(CANARY), ...secrets, CANARY.phone.slice(3)])
      expect(said.filter((line) => line.includes(told)).slice(0, 1), told).toEqual([])
  }, 240_000)
})
