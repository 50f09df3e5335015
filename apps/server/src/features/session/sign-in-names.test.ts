import { verify } from '@node-rs/argon2'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { guess as guessAt, LOGIN, seen } from '../../../test/outside/guess.ts'
import { asOwner, fresh, mailTo, makeCompany, makeLogin, PASSWORD } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'

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
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

describe('two names of one login (T6)', () => {
  it('show no more than the names of two: answers count what was typed', async () => {
    const username = fresh('headoffice')
    const { email } = await makeLogin(server, companyId, { username })
    const other = await makeLogin(server, companyId, { username: fresh('headoffice') })
    // Both patterns are the same for an outsider: a username and an address, ten guesses each, one after the other and in turn.
    const order = [...'uuuuuuueeeeeeeueueue']
    const typed = { u: [username, ` ${username.toUpperCase()}`], e: [email.toUpperCase(), email] }
    const apart = {
      u: [other.username, ` ${other.username.toUpperCase()}`],
      e: [fresh('x@Example.'), fresh('y@example.')],
    }
    apart.e[0] = apart.e[1]!.toUpperCase()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    for (const [turn, kind] of order.entries()) {
      const one = seen(await guess(typed[kind as 'u' | 'e'][turn % 2]!))
      expect([turn, one]).toEqual([turn, seen(await guess(apart[kind as 'u' | 'e'][turn % 2]!))])
    }
  })

  it('share five guesses: after those the right password is not checked until the wait is over, and is answered like a wrong one', async () => {
    const { id, username, email } = await makeLogin(server, companyId)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    for (let times = 0; times < 5; times++) await guess(username)
    vi.mocked(verify).mockClear()
    const held = await server.call<{ errors?: Record<string, string[]> }>(LOGIN, { name: email, password: PASSWORD })
    expect([held.status, held.body.errors?.attempts_remaining]).toEqual([403, ['4']])
    // The work is the same, against a hash that is nobody's.
    const [row] = await asOwner<{ password_hash: string }>(server, 'select password_hash from login where id = $1', [
      id,
    ])
    expect(vi.mocked(verify).mock.calls.map(([hash]) => hash === row!.password_hash)).toEqual([false])
    const [entry] = await asOwner<{ detail: object }>(
      server,
      `select detail from audit where action = 'session.login-failed' order by id desc limit 1`,
    )
    expect(entry!.detail).toMatchObject({ held: true })
    // The wait of the login ends no later than the one that its name shows.
    vi.setSystemTime(Date.now() + 1000)
    expect((await server.call(LOGIN, { name: email, password: PASSWORD })).status).toBe(200)
  })
})

describe('known and unknown names (T6)', () => {
  it('get the same answers with the same work; bench/sign-in.ts measures the time', async () => {
    for (let index = 0; index < (DEEP ? 500 : 15); index++) {
      const from = `198.18.${index >> 8}.${index & 255}`
      vi.mocked(verify).mockClear()
      const known = seen(await guess((await makeLogin(server, companyId)).username, from))
      expect(vi.mocked(verify)).toHaveBeenCalledTimes(1)
      expect(seen(await guess(fresh('nobody'), from))).toEqual(known)
      expect(vi.mocked(verify)).toHaveBeenCalledTimes(2)
      const [one, other] = vi.mocked(verify).mock.calls.map(([hash]) => String(hash).split('$').slice(0, 4))
      expect(one).toEqual(other)
    }
  })

  it('get the same answers if the login is disabled, also to the right password', async () => {
    const { id, username } = await makeLogin(server, companyId)
    await asOwner(server, 'update login set disabled_at = now() where id = $1', [id])
    for (const name of [username, fresh('nobody')]) {
      const replies = [await server.call(LOGIN, { name, password: PASSWORD }), await guess(name)]
      expect(replies.map(({ status, body }) => [status, body.errors])).toEqual([
        [403, { attempts_remaining: ['4'] }],
        [403, { attempts_remaining: ['3'] }],
      ])
    }
  })

  it('get the same answer and response time for a forgotten password', async () => {
    const ask = async (username: string) => {
      const started = performance.now()
      const reply = await server.call(RESET, { username })
      return { reply: seen(reply), ms: performance.now() - started }
    }
    await ask((await makeLogin(server, companyId)).username)
    const pairs: { known: Awaited<ReturnType<typeof ask>>; unknown: Awaited<ReturnType<typeof ask>> }[] = []
    for (let index = 0; index < (DEEP ? 25 : 5); index++) {
      const { username } = await makeLogin(server, companyId)
      // Both at once, so that other load on the machine slows both.
      const [known, unknown] = await Promise.all([ask(username), ask(fresh('nobody'))])
      pairs.push({ known, unknown })
    }
    for (const { known, unknown } of pairs) {
      expect(known.reply).toEqual(unknown.reply)
      expect(known.reply.body).toEqual({
        message: 'If the username you entered exists, you will receive an email with a link to reset your password.',
      })
    }
    const ratio = median(pairs.map((pair) => pair.known.ms)) / median(pairs.map((pair) => pair.unknown.ms))
    expect(ratio).toBeGreaterThan(DEEP ? 0.8 : 0.66)
    expect(ratio).toBeLessThan(DEEP ? 1.25 : 1.5)
  })

  it('allow five reset links an hour, whatever names of a login are typed, and do not show that they are one login', async () => {
    const { username, email } = await makeLogin(server, companyId)
    const names = [username, email, username.toUpperCase(), email.toUpperCase(), username, email]
    const asked = await Promise.all(names.map((name) => server.call(RESET, { username: name })))
    expect(asked.map((reply) => reply.status)).toEqual(names.map(() => 200))
    expect(await mailTo(server, email)).toHaveLength(5)
    for (const name of [(await makeLogin(server, companyId)).username, fresh('nobody')]) {
      const replies = await Promise.all([1, 2, 3, 4, 5, 6].map(() => server.call(RESET, { username: name })))
      expect(replies.map((reply) => reply.status).sort()).toEqual([200, 200, 200, 200, 200, 429])
    }
  })
})
