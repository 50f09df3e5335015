import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { authenticator } from '../../../../test/authenticator.ts'
import { asOwner, makeCompany, makeLogin, type SignedIn, signIn } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'

let server: TestServer
let companyId: number
beforeAll(async () => {
  server = await startTestServer({ env: { SECOND_FACTOR: 'required', PUBLIC_URL: 'http://localhost:3000' } })
  companyId = (await makeCompany(server)).id
})
afterAll(() => server.close())
beforeEach(() => asOwner(server, 'truncate throttle'))

const VERIFY = '/api/second-factor/verify'
const ask = (tab: Pick<SignedIn, 'bearer' | 'cookie'>, path: string, body: unknown = {}) =>
  server.call(path, body, { ...tab.bearer, ...tab.cookie })
/** Reads something that only a signed-in support person may. */
const works = async (token: unknown) =>
  (await server.call('/api/company/list', {}, { authorization: `Bearer ${token}` })).status

const challengeOf = async (tab: Pick<SignedIn, 'bearer' | 'cookie'>, path: string) =>
  ((await ask(tab, path)).body as { options: { challenge: string } }).options.challenge
const NEW = '/api/second-factor/passkey/start'
const USE = '/api/second-factor/challenge'

async function withPasskey() {
  const login = await makeLogin(server, companyId, { flags: ['sr_login'] })
  const tab = await signIn(server, login)
  const key = authenticator()
  const passkey = key.make(await challengeOf(tab, NEW))
  const set = await ask(tab, '/api/second-factor/passkey/confirm', { name: 'Work laptop', passkey })
  expect([set.status, set.body.second_factor]).toEqual([200, 'done'])
  expect(set.body.recovery_codes).toHaveLength(10)
  return { login, key }
}

test('a passkey signs in with its signature, once for each challenge', async () => {
  const { login, key } = await withPasskey()
  const tab = await signIn(server, login)
  const passkey = key.answer(await challengeOf(tab, USE))
  const reply = await ask(tab, VERIFY, { passkey })
  expect([reply.status, await works(reply.body.access_token)]).toEqual([200, 200])
  const other = await signIn(server, login)
  await challengeOf(other, USE)
  expect((await ask(other, VERIFY, { passkey })).status).toBe(422)
})

test('a passkey of somebody else, for another site, or without a challenge is refused', async () => {
  const one = await withPasskey()
  const two = await withPasskey()
  const tab = await signIn(server, one.login)
  const challenge = await challengeOf(tab, USE)
  expect((await ask(tab, VERIFY, { passkey: two.key.answer(challenge) })).status).toBe(422)
  // A wrong answer uses up the challenge.
  expect((await ask(tab, VERIFY, { passkey: one.key.answer(challenge) })).status).toBe(422)
  expect((await ask(tab, VERIFY, { passkey: one.key.answer('nothing') })).status).toBe(422)
  const login = await makeLogin(server, companyId, { flags: ['sr_login'] })
  const fresh = await signIn(server, login)
  const foreign = authenticator('https://evil.example').make(await challengeOf(fresh, NEW))
  expect((await ask(fresh, '/api/second-factor/passkey/confirm', { name: 'X', passkey: foreign })).status).toBe(422)
})

test('a passkey has five minutes to answer', async () => {
  const { login, key } = await withPasskey()
  const answeredAfter = async (seconds: number) => {
    const tab = await signIn(server, login)
    const passkey = key.answer(await challengeOf(tab, USE))
    server.clock.offsetMs += seconds * 1000
    return (await ask(tab, VERIFY, { passkey })).status
  }
  expect(await answeredAfter(280)).toBe(200)
  expect(await answeredAfter(300)).toBe(422)
})

test('adding one some time after the sign-in needs the password again', async () => {
  const tab = await signIn(server, await makeLogin(server, companyId, { flags: ['data_analytics'] }))
  expect((await ask(tab, NEW)).status).toBe(200)
  server.clock.offsetMs += 301_000
  const late = await ask(tab, NEW)
  expect([late.status, late.body.code]).toEqual([403, 'step_up_needed'])
})
