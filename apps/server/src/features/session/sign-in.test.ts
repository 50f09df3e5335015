import { FLAGS } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  asOwner,
  makeCompany,
  makeLocation,
  makeLogin,
  PASSWORD,
  signIn,
  type TestCompany,
  type TestLogin,
} from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { findCaller } from './session.queries.ts'

// Modules are shared with other files: this one reloads them around the mock.
vi.hoisted(() => vi.resetModules())
afterAll(() => void vi.resetModules())
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>()
  return { ...real, hash: vi.fn(real.hash), verify: vi.fn(real.verify) }
})

const LOGIN = '/api/enterprise-login'
const REFRESH = '/api/refresh'
const LOGOUT = '/api/logout'
/** Needs a bearer and has no other effect: a wrong password gets 403 while the session lives, 401 once it has ended. */
const alive = async (bearer: Record<string, string>) =>
  (await server.call('/api/confirm-enterprise-login', {}, bearer)).status !== 401

let server: TestServer
let company: TestCompany
beforeAll(async () => {
  server = await startTestServer()
  company = await makeCompany(server)
})
afterAll(() => server.close())
const person = (): Promise<TestLogin> => makeLogin(server, company.id, { flags: ['data_analytics', 'ecdr'] })
const minutes = (count: number) => count * 60_000

async function at<T>(offsetMs: number, work: () => Promise<T>): Promise<T> {
  server.clock.offsetMs = offsetMs
  try {
    return await work()
  } finally {
    server.clock.offsetMs = 0
  }
}

describe('signing in', () => {
  it('returns the flags, the person and the company, by username or email in any letter case', async () => {
    const login = await person()
    for (const name of [login.username, login.username.toUpperCase(), login.email, ` ${login.email.toUpperCase()} `]) {
      const { body, status } = await server.call(LOGIN, { name, password: PASSWORD })
      expect(status).toBe(200)
      expect(body).toMatchObject({
        ...Object.fromEntries(FLAGS.map((flag) => [flag, flag === 'data_analytics' || flag === 'ecdr'])),
        ...{ first_name: 'Robin', last_name: 'Vale', username: login.username, portal_eula: false, recruiter: null },
        company: { uuid: company.uuid, name: company.name, type: 'enterprise', country: 'AU' },
      })
      expect(body.access_token).toMatch(/^[\w-]{43}$/)
    }
  })

  it('asks for both fields in the specified words', async () => {
    for (const body of [
      { name: ' ', password: 'x' },
      { name: 'x', password: '' },
    ]) {
      const reply = await server.call(LOGIN, body)
      expect(reply.status).toBe(422)
      expect(reply.body.message).toBe('Username and password are required.')
    }
  })

  it('sets a strict, HttpOnly cookie for an hour and a marker without a secret', async () => {
    const { reply, secret, token } = await signIn(server, await person())
    const [session, marker] = [reply.headers['set-cookie']].flat() as string[]
    expect(session).toMatch(/^pillar_session=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(marker).toMatch(/^pillar_signed_in=1; Max-Age=3600; Path=\/; SameSite=Strict$/)
    expect(secret).not.toBe(token)
  })

  it('uses the __Host- cookie on https and ignores the plain name', async () => {
    const https = await startTestServer({ env: { PUBLIC_URL: 'https://portal.example' } })
    try {
      const login = await makeLogin(https, (await makeCompany(https)).id)
      const { reply, secret } = await signIn(https, login)
      const [session] = [reply.headers['set-cookie']].flat() as string[]
      expect(session).toMatch(
        /^__Host-pillar_session=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      )
      expect((await https.call(REFRESH, {}, { cookie: `pillar_session=${secret}` })).status).toBe(401)
      expect((await https.call(REFRESH, {}, { cookie: `__Host-pillar_session=${secret}` })).status).toBe(200)
    } finally {
      await https.close()
    }
  })

  it('issues a new secret every time and ends the session it replaces', async () => {
    const login = await person()
    const first = await signIn(server, login)
    const again = await server.call(LOGIN, { name: login.username, password: PASSWORD }, first.cookie)
    expect(again.cookies[0]?.value).not.toBe(first.secret)
    expect(await alive(first.bearer)).toBe(false)
    expect((await server.call(REFRESH, {}, first.cookie)).status).toBe(401)
  })

  it('counts nothing against its network, nor against everybody', async () => {
    await asOwner(server, 'truncate throttle')
    await signIn(server, await person())
    const counted = await asOwner(server, `select points from throttle where key like 'addr:%' or key like 'all:%'`)
    expect(counted).toEqual([{ points: 0 }, { points: 0 }])
  })

  it('upgrades a hash with weaker parameters', async () => {
    const login = await person()
    const hash = async () =>
      (
        await asOwner<{ password_hash: string }>(server, 'select password_hash from login where id = $1', [login.id])
      )[0]!.password_hash
    expect(await hash()).toContain('$argon2id$v=19$m=64,t=1,p=1$')
    const cheap = server.services.passwordCost
    server.services.passwordCost = undefined
    await signIn(server, login)
    server.services.passwordCost = cheap
    expect(await hash()).toContain('$argon2id$v=19$m=65536,t=3,p=1$')
    await signIn(server, login)
    expect(await hash()).toContain('m=65536,t=3')
  })

  it('upgrades it once if two sign in at once, and accepts both', async () => {
    const login = await person()
    const cheap = server.services.passwordCost
    server.services.passwordCost = { memoryCost: 128, timeCost: 1 }
    const statuses = await Promise.all(
      Array.from({ length: 4 }, () => server.call(LOGIN, { name: login.username, password: login.password })),
    ).then((replies) => replies.map(({ status }) => status))
    server.services.passwordCost = cheap
    expect(statuses).toEqual([200, 200, 200, 200])
  })
})

describe('the session', () => {
  it('issues tokens without changing the cookie: 100 refreshes from two tabs, no sign-out', async () => {
    const tab = await signIn(server, await person())
    const replies = await Promise.all(Array.from({ length: 100 }, () => server.call(REFRESH, {}, tab.cookie)))
    expect(replies.filter((reply) => reply.status !== 200)).toEqual([])
    expect(new Set(replies.map((reply) => reply.body.access_token)).size).toBe(100)
    expect(new Set(replies.map((reply) => reply.cookies[0]?.value))).toEqual(new Set([tab.secret]))
    expect(await alive(tab.bearer)).toBe(true)
    // The word before a token may be written in any letter case (RFC 9110).
    for (const word of ['Bearer', 'bearer'])
      expect(await alive({ authorization: `${word} ${replies[50]!.body.access_token}` })).toBe(true)
  })

  it('ends 900 seconds after the last refresh, not before', async () => {
    const tab = await signIn(server, await person())
    await at(minutes(14), async () => expect((await server.call(REFRESH, {}, tab.cookie)).status).toBe(200))
    await at(minutes(28.9), async () => expect((await server.call(REFRESH, {}, tab.cookie)).status).toBe(200))
    await at(minutes(44), async () => {
      const late = await server.call(REFRESH, {}, tab.cookie)
      expect(late.status).toBe(401)
      expect(late.body.message).toContain('expired')
    })
  })

  it('accepts an access token for 15 minutes', async () => {
    const tab = await signIn(server, await person())
    await at(minutes(14.9), async () => expect(await alive(tab.bearer)).toBe(true))
    await at(minutes(15.1), async () => expect(await alive(tab.bearer)).toBe(false))
  })

  it('ends after 12 hours even when active', async () => {
    const tab = await signIn(server, await person())
    let bearer = tab.bearer
    for (let minute = 10; minute < 720; minute += 10) {
      const reply = await at(minutes(minute), () => server.call(REFRESH, {}, tab.cookie))
      expect(reply.status).toBe(200)
      bearer = { authorization: `Bearer ${reply.body.access_token}` }
    }
    await at(minutes(719), async () => expect(await alive(bearer)).toBe(true))
    await at(minutes(720.1), async () => {
      expect(await alive(bearer)).toBe(false)
      expect((await server.call(REFRESH, {}, tab.cookie)).status).toBe(401)
    })
  })

  it('that was used while the database’s clock was a day ahead ends when it is set back', async () => {
    const tab = await at(minutes(24 * 60), async () => signIn(server, await person()))
    expect(await at(minutes(24 * 60), () => alive(tab.bearer))).toBe(true)
    expect(await alive(tab.bearer)).toBe(false)
    expect((await server.call(REFRESH, {}, tab.cookie)).status).toBe(401)
  })

  it('ends everywhere at sign-out, and no other session does', async () => {
    const login = await person()
    const [tab, phone] = [await signIn(server, login), await signIn(server, login)]
    const second = await server.call(REFRESH, {}, tab.cookie)
    const out = await server.call(LOGOUT, {}, tab.cookie)
    expect(out.status).toBe(200)
    expect(out.headers['clear-site-data']).toBe('"cache"')
    expect(
      [out.headers['set-cookie']].flat().every((one) => String(one).includes('Max-Age=0') || /1970/.test(String(one))),
    ).toBe(true)
    expect(await alive(tab.bearer)).toBe(false)
    expect(await alive({ authorization: `Bearer ${second.body.access_token}` })).toBe(false)
    expect((await server.call(REFRESH, {}, tab.cookie)).status).toBe(401)
    expect(await alive(phone.bearer)).toBe(true)
  })

  it('ends when the login is disabled, which then answers like a wrong password', async () => {
    const login = await person()
    const tab = await signIn(server, login)
    await asOwner(server, 'update login set disabled_at = now() where id = $1', [login.id])
    expect(await alive(tab.bearer)).toBe(false)
    expect((await server.call(REFRESH, {}, tab.cookie)).status).toBe(401)
    const reply = await server.call(LOGIN, { name: login.username, password: PASSWORD })
    expect(reply.status).toBe(403)
    expect(reply.body.message).toBe('Incorrect username or password.')
  })

  it('is never changed by a GET', async () => {
    const tab = await signIn(server, await person())
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE'] as const) {
      for (const url of [REFRESH, LOGOUT]) {
        expect((await server.app.inject({ method, url, headers: tab.cookie })).statusCode).toBe(404)
      }
    }
    expect(await alive(tab.bearer)).toBe(true)
  })
})

describe('the audit log', () => {
  it('records sign-in, sign-out and failures without the name in clear', async () => {
    const login = await person()
    await server.call(LOGIN, { name: login.username, password: 'wrong' })
    const tab = await signIn(server, login)
    await server.call(LOGOUT, {}, tab.cookie)
    const rows = await asOwner<{ action: string; login_id: string | null; detail: object }>(
      server,
      'select action, login_id, detail from audit order by id desc limit 3',
    )
    expect(rows.map((row) => row.action)).toEqual(['session.logout', 'session.login', 'session.login-failed'])
    expect(rows.map((row) => row.login_id && Number(row.login_id))).toEqual([login.id, login.id, null])
    expect(JSON.stringify(rows[2]!.detail)).not.toContain(login.username)
    const { system } = server.services.pools
    await expect(system.updateTable('audit').set({ action: 'x' }).execute()).rejects.toThrow('permission denied')
    await expect(system.deleteFrom('audit').execute()).rejects.toThrow('permission denied')
  })
})

describe('hashing', () => {
  it('runs at most two hashes at once', async () => {
    const { hashPassword } = await import('./password.ts')
    const { hash } = await import('@node-rs/argon2')
    vi.mocked(hash).mockClear()
    let running = 0
    let most = 0
    const real = vi.mocked(hash).getMockImplementation()!
    vi.mocked(hash).mockImplementation(async (...given) => {
      most = Math.max(most, ++running)
      try {
        return await real(...given)
      } finally {
        running--
      }
    })
    await Promise.all(Array.from({ length: 20 }, () => hashPassword('x', { memoryCost: 64, timeCost: 1 })))
    expect(vi.mocked(hash).mock.calls.length).toBe(20)
    expect(most).toBe(2)
  })
})

it('a session that has ended opens nothing, whatever remains of its tokens', async () => {
  const tab = await signIn(server, await person())
  expect(await alive(tab.bearer)).toBe(true)
  await asOwner(server, 'update session set ended_at = now() where id = $1', [tab.reply.body.session_id])
  expect(await alive(tab.bearer)).toBe(false)
  expect((await server.call(REFRESH, {}, tab.cookie)).status).toBe(401)
})

it('a session reaches the pharmacies of its company, but none that has left', async () => {
  const { id } = await makeCompany(server)
  const [here, gone] = [await makeLocation(server, id), await makeLocation(server, id)]
  await asOwner(server, 'update location set removed_at = now() where id = $1', [gone.id])
  const { bearer } = await signIn(server, await makeLogin(server, id))
  const token = bearer.authorization!.replace('Bearer ', '')
  const { pools, now } = server.services
  expect((await findCaller(pools.system, token, now()))?.scope.locationIds).toEqual([here.id])
})
