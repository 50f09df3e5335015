import { contract } from '@pillar/contract'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeAt } from '../../../../test/authenticator.ts'
import { asOwner, makeCompany, makeLogin, type SignedIn, signIn, stepUp } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { makeSupport } from '../../../../test/support.ts'
import { untilWaiting } from '../../../../test/waiting.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { PUBLIC_URL: 'http://localhost:3000' } })
})
afterAll(() => server.close())

const ask = ({ bearer, cookie }: SignedIn, path: string, body: unknown = {}) =>
  server.call(`/api/second-factor/${path}`, body, { ...bearer, ...cookie })
const codeOf = (secret: string) => codeAt(secret, server.services.now().getTime() / 1000)

/** A person with an authenticator app, whose next code differs from the one that confirmed it. */
async function withApp() {
  const login = await makeLogin(server, (await makeCompany(server)).id)
  const first = await signIn(server, login)
  const { secret } = (await ask(first, 'app/start')).body as { secret: string }
  expect((await ask(first, 'app/confirm', { code: codeOf(secret) })).status).toBe(200)
  server.clock.offsetMs += 30_000
  return { login, secret, tab: first }
}

test('a session ended while it shows the second factor is not replaced by another', async () => {
  const { login, secret } = await withApp()
  const tab = await signIn(server, login)
  const client = new pg.Client({ connectionString: server.ownerUrl })
  await client.connect()
  try {
    // Admitted, then held up where the attempt is counted, as on a busy server.
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

test('a right code clears the wrong ones before it', async () => {
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

test('a browser remembered while support removes the second factor is no longer remembered afterwards', async () => {
  const { login } = await withApp()
  const support = await makeSupport(server)
  const client = new pg.Client({ connectionString: server.ownerUrl })
  await client.connect()
  try {
    // As `verify` does: the login is locked, then the browser is stored.
    await client.query('begin')
    await client.query('select 1 from login where id = $1 for update', [login.id])
    const reset = support.ask(contract.secondFactor.reset, { uuid: login.uuid, reason: 'Lost phone' })
    await untilWaiting(server)
    await client.query(
      `insert into remembered_browser (token_hash, login_id, created_at, expires_at)
      values ('late', $1, now(), now() + interval '1 day')`,
      [login.id],
    )
    await client.query('commit')
    expect((await reset).status).toBe(200)
  } finally {
    await client.end()
  }
  expect(await asOwner(server, 'select 1 from remembered_browser where login_id = $1', [login.id])).toEqual([])
})

test('a write that has used its step-up and waits for the login does not keep support from removing the second factor', async () => {
  const { login } = await withApp()
  await asOwner(
    server,
    `insert into step_up (token_hash, session_id, action, expires_at)
    select 'spent', id, 'save', now() + interval '1 hour' from session where login_id = $1 and ended_at is null limit 1`,
    [login.id],
  )
  const support = await makeSupport(server)
  const client = new pg.Client({ connectionString: server.ownerUrl })
  await client.connect()
  try {
    await client.query('begin')
    expect((await client.query(`update step_up set used_at = now() where token_hash = 'spent'`)).rowCount).toBe(1)
    expect((await support.ask(contract.secondFactor.reset, { uuid: login.uuid, reason: 'Lost phone' })).status).toBe(
      200,
    )
    await client.query('commit')
  } finally {
    await client.end()
  }
})

test('a session ended while it sets up an authenticator app sets up none', async () => {
  const login = await makeLogin(server, (await makeCompany(server)).id)
  const tab = await signIn(server, login)
  const { secret } = (await ask(tab, 'app/start')).body as { secret: string }
  const client = new pg.Client({ connectionString: server.ownerUrl })
  await client.connect()
  try {
    await client.query('begin; lock table throttle in exclusive mode')
    const confirmed = ask(tab, 'app/confirm', { code: codeOf(secret) })
    const held = `select 1 from pg_locks where not granted and relation = 'throttle'::regclass`
    await expect.poll(async () => (await client.query(held)).rowCount).toBe(1)
    await asOwner(server, 'update session set ended_at = now() where login_id = $1', [login.id])
    await client.query('commit')
    const reply = await confirmed
    expect([reply.status, reply.body.code]).toEqual([401, 'session_expired'])
  } finally {
    await client.end()
  }
  expect(await asOwner(server, 'select second_factor from login where id = $1', [login.id])).toEqual([
    { second_factor: false },
  ])
})

test('removing two factors at once leaves a login without a second factor, not with one that nobody can show', async () => {
  const { login, tab } = await withApp()
  const [passkey] = await asOwner<{ uuid: string }>(
    server,
    `insert into passkey (uuid, login_id, credential_id, public_key, counter, transports, name)
    values (gen_random_uuid(), $1, 'of this test', '', 0, '{}', 'Phone') returning uuid`,
    [login.id],
  )
  const grants = [
    await stepUp(server, { login, tab }, 'delete', null),
    await stepUp(server, { login, tab }, 'delete', passkey!.uuid),
  ]
  const client = new pg.Client({ connectionString: server.ownerUrl })
  await client.connect()
  try {
    await client.query('begin; lock table audit in exclusive mode')
    const path = '/api/second-factor'
    const app = server.call(`${path}/app/remove`, {}, grants[0])
    await untilWaiting(server)
    const other = server.call(`${path}/passkey/${passkey!.uuid}/remove`, {}, grants[1])
    await untilWaiting(server, 2)
    await client.query('commit')
    expect([(await app).status, (await other).status]).toEqual([200, 200])
  } finally {
    await client.end()
  }
  expect(await asOwner(server, 'select second_factor from login where id = $1', [login.id])).toEqual([
    { second_factor: false },
  ])
})
