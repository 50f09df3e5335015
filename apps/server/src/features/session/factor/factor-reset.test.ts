import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeAt } from '../../../../test/authenticator.ts'
import { asOwner, makeCompany, makeLogin, type SignedIn, signIn } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { makeSupport } from '../../../../test/support.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { PUBLIC_URL: 'http://localhost:3000' } })
})
afterAll(() => server.close())

const ask = ({ bearer, cookie }: SignedIn, path: string, body: unknown = {}) =>
  server.call(`/api/second-factor/${path}`, body, { ...bearer, ...cookie })
const codeOf = (secret: string) => codeAt(secret, server.services.now().getTime() / 1000)

test('a second factor that support takes away leaves nothing that opens: no code, no browser that is remembered', async () => {
  const login = await makeLogin(server, (await makeCompany(server)).id)
  const tab = await signIn(server, login)
  const { secret } = (await ask(tab, 'app/start')).body as { secret: string }
  expect((await ask(tab, 'app/confirm', { code: codeOf(secret) })).status).toBe(200)
  server.clock.offsetMs += 30_000
  const remembered = await ask(await signIn(server, login), 'verify', { code: codeOf(secret), remember: true })
  expect(remembered.status).toBe(200)
  const kept = async () => {
    const tables = ['authenticator_app', 'recovery_code', 'remembered_browser']
    const counts = tables.map(
      (table) => `select '${table}' as of, count(*)::int as n from ${table} where login_id = $1`,
    )
    const rows = await asOwner<{ of: string; n: number }>(server, counts.join(' union all '), [login.id])
    return Object.fromEntries(rows.map(({ of, n }) => [of, n]))
  }
  expect(await kept()).toEqual({ authenticator_app: 1, recovery_code: 10, remembered_browser: 1 })
  const support = await makeSupport(server)
  const reset = await support.ask(contract.secondFactor.reset, { uuid: login.uuid, reason: 'Lost phone' })
  expect(reset.status).toBe(200)
  expect(await kept()).toEqual({ authenticator_app: 0, recovery_code: 0, remembered_browser: 0 })
})
