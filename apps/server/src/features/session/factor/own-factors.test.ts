import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authenticator, codeAt } from '../../../../test/authenticator.ts'
import { asOwner, makeCompany, makeLogin, signIn } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { askAs } from '../../../../test/support.ts'

const { secondFactor } = contract

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { PUBLIC_URL: 'http://localhost:3000' } })
})
afterAll(() => server.close())

/** A person with a passkey for whom a second factor is optional. */
async function withPasskey() {
  const login = await makeLogin(server, (await makeCompany(server)).id)
  const tab = await signIn(server, login)
  const ask = askAs(server, { login, tab })
  const key = authenticator()
  const { options } = (await ask(secondFactor.startPasskey, {})).body as { options: { challenge: string } }
  const set = await ask(secondFactor.confirmPasskey, {
    name: 'Laptop',
    passkey: { ...key.make(options.challenge), type: 'public-key' },
  })
  expect(set.status).toBe(200)
  const [passkey] = (await ask(secondFactor.status, {})).body.passkeys
  return { login, tab, ask, key, id: passkey!.id, codes: set.body.recovery_codes }
}

type Person = Awaited<ReturnType<typeof withPasskey>>

const appCode = (secret: string) => codeAt(secret, server.services.now().getTime() / 1000)

/** Signs in with the passkey on a browser that is remembered. @returns signs in there again and returns what is required then */
async function rememberedBrowser({ login, key }: Person) {
  const tab = await signIn(server, login)
  const both = { ...tab.bearer, ...tab.cookie }
  const asked = await server.call<{ options: { challenge: string } }>('/api/second-factor/challenge', {}, both)
  const shown = { passkey: key.answer(asked.body.options.challenge), remember: true }
  const reply = await server.call('/api/second-factor/verify', shown, both)
  expect(reply.status).toBe(200)
  const kept = reply.cookies.find(({ name }) => name === 'pillar_browser')
  expect(kept).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' })
  const cookie = `pillar_browser=${kept?.value}`
  const body = { name: login.username, password: login.password }
  return async () => (await server.call('/api/enterprise-login', body, { cookie })).body.second_factor
}

test('a passkey is removed by its owner and nobody else', async () => {
  const owner = await withPasskey()
  const other = await withPasskey()
  expect((await other.ask(secondFactor.removePasskey, { id: owner.id })).status).toBe(404)
  expect((await owner.ask(secondFactor.status, {})).body.passkeys).toHaveLength(1)
  expect((await owner.ask(secondFactor.removePasskey, { id: owner.id })).status).toBe(200)
  expect((await owner.ask(secondFactor.status, {})).body.passkeys).toEqual([])
})

test('adding another factor leaves the first one’s recovery codes unchanged', async () => {
  const { ask, login, codes } = await withPasskey()
  expect(codes).toHaveLength(10)
  const { secret } = (await ask(secondFactor.startApp, {})).body as { secret: string }
  const second = await ask(secondFactor.confirmApp, { code: appCode(secret) })
  expect([second.status, second.body.recovery_codes]).toEqual([200, null])
  const tab = await signIn(server, login)
  const by = await server.call(
    '/api/second-factor/verify',
    { recovery_code: codes?.[0] },
    { ...tab.bearer, ...tab.cookie },
  )
  expect(by.status).toBe(200)
})

test('removing the last one removes its recovery codes and remembered browsers; an unfinished app counts for nothing', async () => {
  const person = await withPasskey()
  await rememberedBrowser(person)
  expect((await person.ask(secondFactor.startApp, {})).status).toBe(200)
  expect((await person.ask(secondFactor.removePasskey, { id: person.id })).status).toBe(200)
  const left = `select (select count(*)::int from recovery_code where login_id = $1) as codes,
    (select count(*)::int from remembered_browser where login_id = $1) as browsers`
  const { id } = person.login
  expect(await asOwner(server, left, [id])).toEqual([{ codes: 0, browsers: 0 }])
  expect((await signIn(server, person.login)).reply.body.second_factor).toBe('done')
  expect((await person.ask(secondFactor.newRecoveryCodes, {})).status).toBe(409)
})

test('a browser remembered while the database’s clock was a day ahead is asked once it is set back', async () => {
  const person = await withPasskey()
  const askedThere = await rememberedBrowser(person)
  server.clock.offsetMs = -86_400_000
  const asked = await askedThere()
  server.clock.offsetMs = 0
  expect([asked, await askedThere()]).toEqual(['check', 'done'])
})

test('a remembered browser is asked again once its owner has forgotten all of them', async () => {
  const person = await withPasskey()
  const askedThere = await rememberedBrowser(person)
  expect(await askedThere()).toBe('done')
  expect((await person.ask(secondFactor.status, {})).body.remembered_browsers).toBe(1)
  expect((await person.ask(secondFactor.forgetBrowsers, {})).status).toBe(200)
  expect(await askedThere()).toBe('check')
})
