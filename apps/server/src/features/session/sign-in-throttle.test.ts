import { verify } from '@node-rs/argon2'
import { foldName } from '@pillar/domain/access/login-name'
import { MAX_DELAY_SECONDS } from '@pillar/domain/access/throttle'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { guess as guessAt, LOGIN, seen } from '../../../test/outside/guess.ts'
import { asOwner, dump, fresh, mailTo, makeCompany, makeLogin, PASSWORD, signIn } from '../../../test/people.ts'
import { answersOf, startTestServer, type TestServer } from '../../../test/server.ts'
import { hashPassword, PASSWORD_COST } from './password.ts'

// Modules are shared with other files: this one reloads them around the mock.
vi.hoisted(() => vi.resetModules())
afterAll(() => void vi.resetModules())
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>()
  return { ...real, verify: vi.fn(real.verify) }
})

const RESET = '/api/user/request-reset-password'
if (DEEP) vi.setConfig({ testTimeout: 3_600_000 })

let server: TestServer
let companyId: number
beforeAll(async () => {
  server = await startTestServer()
  companyId = (await makeCompany(server)).id
})
afterAll(() => server.close())
afterEach(async () => {
  vi.useRealTimers()
  await asOwner(server, 'truncate throttle')
})

const guess = (name: string, from?: string) => guessAt(server, name, from)

describe('a wrong password', () => {
  it('is counted down by the server, the same for an unknown name', async () => {
    for (const name of [(await makeLogin(server, companyId)).username, fresh('nobody')]) {
      const left: (string | undefined)[] = []
      for (let attempt = 0; attempt < 5; attempt++) {
        const reply = await guess(name)
        expect(reply.status).toBe(403)
        expect(reply.body).toMatchObject({ code: 'wrong_password', message: 'Incorrect username or password.' })
        left.push(reply.body.errors?.attempts_remaining?.[0])
      }
      expect(left).toEqual(['4', '3', '2', '1', '0'])
      const sixth = await guess(name)
      expect(sixth.status).toBe(429)
      expect(sixth.headers['retry-after']).toBe('1')
      expect(sixth.body.message).toBe('Too many attempts. Please wait 1 second, then try again.')
    }
  })

  it('makes the next attempt wait 1, 2, 4 … seconds, up to 15 minutes', async () => {
    const { username } = await makeLogin(server, companyId)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const waits: number[] = []
    let evaluated = 0
    for (let tries = 0; tries < 60 && waits.length < 13; tries++) {
      const reply = await guess(username)
      if (reply.status === 403) {
        evaluated++
        continue
      }
      expect(reply.status).toBe(429)
      const seconds = Number(reply.headers['retry-after'])
      waits.push(seconds)
      vi.setSystemTime(Date.now() + seconds * 1000)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
    expect(Math.max(...waits)).toBe(MAX_DELAY_SECONDS)
    expect(evaluated).toBe(17)
    // The owner waits like anyone, then signs in; success clears the failures.
    expect((await server.call(LOGIN, { name: username, password: PASSWORD })).status).toBe(200)
    for (const left of '43210') expect((await guess(username)).body.errors?.attempts_remaining).toEqual([left])
    expect((await guess(username)).headers['retry-after']).toBe('1')
  })

  it('for a look-alike name counts for the look-alike, not for the login', async () => {
    const username = fresh('headoffice')
    await makeLogin(server, companyId, { username })
    for (const other of ['headoff\u0130ce', 'headoffi\u0307ce', 'headoff\u0131ce', '\u212aeadoffice']) {
      const name = username.replace('headoffice', other)
      expect([other, (await server.call(LOGIN, { name, password: PASSWORD })).status]).toEqual([other, 403])
    }
    expect((await guess(username)).body.errors?.attempts_remaining).toEqual(['4'])
    // A login with such a name is found as written, ignoring the case of A to Z.
    const dotted = await makeLogin(server, companyId, { username: fresh('\u0130stanbul') })
    expect((await server.call(LOGIN, { name: dotted.username.toUpperCase(), password: PASSWORD })).status).toBe(200)
  })

  it('folds names the same way in code and in SQL', async () => {
    const names = fc.sample(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), 500)
    const given = [...names, '\u0130\u0131\u212aI', 'STRASSE straße ẞ'].map((name) => name.replaceAll('\0', '').trim())
    const rows = await asOwner<{ folded: string }>(
      server,
      `select lower(name collate "C") as folded from unnest($1::text[]) with ordinality as t(name, n) order by n`,
      [given.map((name) => name.toWellFormed())],
    )
    expect(rows.map((row) => row.folded)).toEqual(given.map((name) => foldName(name.toWellFormed())))
  })

  it('counts for an unknown name in any case, with the same answers as a known one', async () => {
    const name = fresh('nobody')
    const known = (await makeLogin(server, companyId, { username: fresh('somebody') })).username
    for (const one of [(text: string) => text, (text: string) => text.toUpperCase(), (text: string) => ` ${text}`]) {
      expect(seen(await guess(one(name)))).toEqual(seen(await guess(one(known))))
    }
    expect((await guess(name)).body.errors?.attempts_remaining).toEqual(['1'])
  })

  it('is cleared when a reset link sets a new password', async () => {
    const login = await makeLogin(server, companyId)
    // No wait ends by itself.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    for (const name of [...Array(5).fill(login.username), login.email]) await guess(name)
    expect((await server.call(LOGIN, { name: login.username, password: PASSWORD })).status).toBe(429)
    await server.call(RESET, { username: login.email })
    const [letter] = await mailTo(server, login.email)
    const reset_token = /reset-password\/(\S+)/.exec(letter!.text)![1]!
    const password = 'four herons over Bendigo'
    const body = { reset_token, password, password_confirmation: password }
    expect((await server.call('/api/user/reset-password', body)).status).toBe(200)
    expect((await server.call(LOGIN, { name: login.username, password })).status).toBe(200)
  })

  it('is cleared by a successful sign-in with any of the names', async () => {
    const login = await makeLogin(server, companyId)
    for (const name of [login.username, login.username, login.email, login.email]) await guess(name)
    await signIn(server, login)
    expect((await guess(login.username)).body.errors?.attempts_remaining).toEqual(['4'])
    // The other name keeps its count, or it would show whose it is. The login has five tries again.
    expect((await guess(login.email)).body.errors?.attempts_remaining).toEqual(['2'])
    expect((await server.call(LOGIN, { name: login.email, password: PASSWORD })).status).toBe(200)
  })
})

describe('a right password', () => {
  it.each([
    ['replaced', `password_hash = 'another'`],
    ['taken away with the login', 'disabled_at = now()'],
  ])('that is %s while it is checked opens no session', async (_how, change) => {
    const { id, username } = await makeLogin(server, companyId)
    const real = vi.mocked(verify).getMockImplementation()!
    vi.mocked(verify).mockImplementationOnce(async (...given) => {
      const fits = await real(...given)
      await asOwner(server, `update login set ${change} where id = $1`, [id])
      return fits
    })
    const reply = await server.call<{ code: string }>(LOGIN, { name: username, password: PASSWORD })
    expect([reply.status, reply.body.code]).toEqual([403, 'wrong_password'])
    expect(await asOwner(server, 'select id from session where login_id = $1', [id])).toEqual([])
  })
})

describe('many attempts at once (T7)', () => {
  it('checks five of a thousand guesses at one login, from one address or 200, under any of its names', async () => {
    // The clock stands still so that no wait ends in the meantime.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    for (const [count, spread] of [
      [DEEP ? 1000 : 150, 1],
      [1000, 200],
    ] as const) {
      const username = fresh('headoffice')
      const { id, email } = await makeLogin(server, companyId, { username })
      const [row] = await asOwner<{ password_hash: string }>(server, 'select password_hash from login where id = $1', [
        id,
      ])
      const names = [username, email, username.toUpperCase(), email.toUpperCase(), ` ${username}`]
      vi.mocked(verify).mockClear()
      const one = (index: number) => guess(names[index % names.length]!, `203.0.113.${(index % spread) + 1}`)
      const replies = await answersOf(count, one, 100)
      const evaluated = vi.mocked(verify).mock.calls.filter(([hash]) => hash === row!.password_hash)
      expect(evaluated.length).toBeLessThanOrEqual(5)
      expect(evaluated.length).toBeGreaterThan(0)
      expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([403, 429]))
      await asOwner(server, 'truncate throttle')
    }
  })

  it('blocks one address that tries many names, and no other address', async () => {
    const replies: number[] = []
    for (let index = 0; index < 104; index++) replies.push((await guess(`spray-${index}`, '198.51.100.7')).status)
    expect(replies.filter((status) => status === 403)).toHaveLength(100)
    expect(replies.slice(100)).toEqual([429, 429, 429, 429])
    expect((await guess('spray-200', '198.51.100.8')).status).toBe(403)
    // A refused attempt does not count against the name.
    expect((await guess('spray-103', '198.51.100.8')).body.errors?.attempts_remaining).toEqual(['4'])
  })

  it('are blocked after a thousand failures by everybody in a minute, without counting the blocked ones', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const { username } = await makeLogin(server, companyId)
    await guess(fresh('nobody'), '198.51.100.9')
    await asOwner(server, `update throttle set points = 999 where key = 'all:everyone'`)
    expect((await guess(fresh('nobody'), '198.51.100.10')).status).toBe(403)
    vi.mocked(verify).mockClear()
    const stopped = await guess(username, '198.51.100.11')
    expect(stopped.status).toBe(429)
    expect(stopped.body.message).toMatch(/^Too many attempts at this moment\./)
    expect(vi.mocked(verify)).not.toHaveBeenCalled()
    vi.setSystemTime(Date.now() + 61_000)
    expect((await guess(username, '198.51.100.11')).body.errors?.attempts_remaining).toEqual(['4'])
  })

  it('get 503 without a password check when the counters are unavailable', async () => {
    const login = await makeLogin(server, companyId)
    const tab = await signIn(server, login)
    vi.mocked(verify).mockClear()
    await asOwner(server, 'alter table throttle rename to elsewhere')
    try {
      const body = { name: login.username, password: PASSWORD }
      for (const reply of [
        await server.call(LOGIN, body),
        await server.call('/api/confirm-enterprise-login', body, tab.bearer),
        await server.call(RESET, { username: login.username }),
        await server.call('/api/user/reset-password', { reset_token: 'x', password: 'x', password_confirmation: 'x' }),
      ]) {
        expect(reply.status).toBe(503)
        expect(reply.headers['retry-after']).toBe('5')
      }
      expect(vi.mocked(verify)).not.toHaveBeenCalled()
    } finally {
      await asOwner(server, 'alter table elsewhere rename to throttle')
    }
    expect((await server.call(LOGIN, { name: login.username, password: PASSWORD })).status).toBe(200)
  })

  it('count the addresses of one IPv6 site as one: a line at home may have 65,536 networks', async () => {
    const networks = async () => (await asOwner(server, `select 1 from throttle where key like 'addr:%'`)).length
    for (const from of ['2001:db8:1:2::5', '2001:db8:1:3:aaaa:bbbb:cccc:dddd', '2001:db8:1::', '2001:db8:1:ffff::']) {
      await guess(fresh('six'), from)
    }
    expect(await networks()).toBe(1)
    for (const from of ['2001:db8:2:2::5', '::1', '203.0.113.1', '203.0.113.2']) await guess(fresh('six'), from)
    expect(await networks()).toBe(5)
    // Some proxies give the port too, which differs for each connection.
    for (const from of ['203.0.113.1:50123', '203.0.113.1:50124', '[2001:db8:2:2::5]:443', '[2001:db8:2:2::5]'])
      await guess(fresh('six'), from)
    expect(await networks()).toBe(5)
  })

  it('store neither names nor addresses in the counters', async () => {
    const name = fresh('someone')
    await guess(name, '192.0.2.77')
    const rows = JSON.stringify(await asOwner(server, 'select * from throttle'))
    expect(rows).toContain('free:')
    expect(rows).not.toContain(name)
    expect(rows).not.toContain('192.0.2.77')
    expect(await dump(server)).not.toContain(name)
  })
})

it('on a slow machine, with more sign-ins than it can do, those that would miss the request’s deadline are refused in time and the rest succeed', async () => {
  const slow = { ...PASSWORD_COST, timeCost: 12 }
  const before = performance.now()
  await Promise.all([1, 2].map(() => hashPassword('three herons over Ballarat', slow)))
  const pair = performance.now() - before
  const count = 2 * Math.max(4, Math.ceil(14_000 / pair))
  const began = performance.now()
  const answers = await Promise.all(
    Array.from({ length: Math.min(count, 150) }, () =>
      hashPassword('three herons over Ballarat', slow).then(
        () => 'done',
        (refusal) => refusal.code,
      ),
    ),
  )
  expect(performance.now() - began).toBeLessThan(9_000 + pair)
  expect([...new Set(answers)]).toEqual(['done', 'unavailable'])
  expect(await hashPassword('three herons over Ballarat')).toMatch(/^\$argon2id\$/)
}, 60_000)
