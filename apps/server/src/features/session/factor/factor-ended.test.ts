import { contract } from '@pillar/contract'
import pg from 'pg'
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

/** Somebody with an authenticator app, whose next code is another than the one that confirmed it. */
async function withApp() {
  const login = await makeLogin(server, (await makeCompany(server)).id)
  const first = await signIn(server, login)
  const { secret } = (await ask(first, 'app/start')).body as { secret: string }
  expect((await ask(first, 'app/confirm', { code: codeOf(secret) })).status).toBe(200)
  server.clock.offsetMs += 30_000
  return { login, secret }
}

test('a session that is ended while it shows the second factor is followed by none', async () => {
  const { login, secret } = await withApp()
  const tab = await signIn(server, login)
  const client = new pg.Client({ connectionString: server.ownerUrl })
  await client.connect()
  try {
    // Let in, and held up where the attempt is counted, as on a busy server.
    await client.query('begin; lock table throttle in exclusive mode')
    const shown = ask(tab, 'verify', { code: codeOf(secret), remember: true })
    const held = `select 1 from pg_locks where not granted and relation = 'throttle'::regclass`
    await expect.poll(async () => (await client.query(held)).rowCount).toBe(1)
    // A new password ends every session.
    await asOwner(server, 'update session set ended_at = now() where login_id = $1', [login.id])
    await client.query('commit')
    const reply = await shown
    expect([reply.status, reply.body.code]).toEqual([401, 'session_expired'])
    expect(reply.cookies).toEqual([])
  } finally {
    await client.end()
  }
  expect(await asOwner(server, 'select 1 from session where login_id = $1 and ended_at is null', [login.id])).toEqual(
    [],
  )
})

test('a right code forgets the wrong ones before it', async () => {
  const { login, secret } = await withApp()
  const wrong = async (tab: SignedIn) => (await ask(tab, 'verify', { code: '000000' })).body.errors
  const tab = await signIn(server, login)
  const left = await wrong(tab)
  expect(await wrong(tab)).not.toEqual(left)
  expect((await ask(tab, 'verify', { code: codeOf(secret) })).status).toBe(200)
  expect(await wrong(await signIn(server, login))).toEqual(left)
})

test('when support removes a second factor, its codes and remembered browsers stop working', async () => {
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
