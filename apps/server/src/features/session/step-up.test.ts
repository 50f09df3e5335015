import { type Call, contract, type StepUp } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  asOwner,
  fresh,
  makeCompany,
  makeLogin,
  PASSWORD,
  type SignedIn,
  signIn,
  type TestLogin,
} from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { spendStepUp } from './step-up.queries.ts'

const CONFIRM = '/api/confirm-enterprise-login'

let server: TestServer
let login: TestLogin
let tab: SignedIn
beforeAll(async () => {
  server = await startTestServer()
  login = await makeLogin(server, (await makeCompany(server)).id)
  tab = await signIn(server, login)
})
afterAll(() => server.close())

const confirm = async (about: { action?: StepUp; object?: string }, as = tab) => {
  const reply = await server.call(CONFIRM, { name: login.username, password: PASSWORD, ...about }, as.bearer)
  expect(reply.status).toBe(200)
  return String(reply.body.grant)
}
const sessionOf = (signedIn: SignedIn) => ({ sessionId: String(signedIn.reply.body.session_id) })
const use = (grant: string | null, action: StepUp, object: string | null, as = tab) =>
  spendStepUp(server.services.pools.system, sessionOf(as), grant, action, object, server.services.now())
const refused = { code: 'step_up_needed', message: 'Please enter your password again to do this.' }

describe('a step-up (T12)', () => {
  it('allows its action on its object, once', async () => {
    const grant = await confirm({ action: 'delete', object: 'c1' })
    await use(grant, 'delete', 'c1')
    await expect(use(grant, 'delete', 'c1')).rejects.toMatchObject(refused)
  })

  it('is used once by many requests at once', async () => {
    const grant = await confirm({ action: 'save' })
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => use(grant, 'save', null)))
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
  })

  it('allows nothing else: other action, other object, other session, none, invented, unbound', async () => {
    const other = await signIn(server, login)
    const grant = await confirm({ action: 'activate', object: 'c1' })
    await expect(use(grant, 'delete', 'c1')).rejects.toMatchObject(refused)
    await expect(use(grant, 'activate', 'c2')).rejects.toMatchObject(refused)
    await expect(use(grant, 'activate', null)).rejects.toMatchObject(refused)
    await expect(use(grant, 'activate', 'c1', other)).rejects.toMatchObject(refused)
    await expect(use(null, 'activate', 'c1')).rejects.toMatchObject(refused)
    await expect(use('made-up', 'activate', 'c1')).rejects.toMatchObject(refused)
    await expect(use(await confirm({}), 'activate', 'c1')).rejects.toMatchObject(refused)
    await use(grant, 'activate', 'c1')
  })

  it('for many objects is for all of them and no others, however long their list', async () => {
    const ids = Array.from({ length: 20 }, (_, n) => `01980000-0000-7000-8000-0000000000${n + 10}`)
    const grant = await confirm({ action: 'delete', object: ids.join() })
    const others = [[...ids, 'c1'], ids.slice(0, -1), [...ids.slice(0, -1), 'c1'], ids.toReversed()]
    for (const other of others) await expect(use(grant, 'delete', other.join())).rejects.toMatchObject(refused)
    await use(grant, 'delete', ids.join())
  })

  it('lasts five minutes', async () => {
    const grant = await confirm({ action: 'save', object: 'c3' })
    server.clock.offsetMs = 5 * 60_000 + 1
    await expect(use(grant, 'save', 'c3')).rejects.toMatchObject(refused)
    server.clock.offsetMs = 4.9 * 60_000
    await use(grant, 'save', 'c3')
    server.clock.offsetMs = 0
  })

  it('ends with its session', async () => {
    const short = await signIn(server, login)
    const grant = await confirm({ action: 'save', object: 'c4' }, short)
    await server.call('/api/logout', {}, short.cookie)
    await expect(use(grant, 'save', 'c4', short)).rejects.toMatchObject(refused)
  })

  it('needs the caller’s own name and password, and shares the sign-in throttle', async () => {
    const colleague = await makeLogin(server, (await makeCompany(server)).id)
    const wrong = (body: object) => server.call(CONFIRM, body, tab.bearer)
    const statuses = [
      await wrong({ name: colleague.username, password: PASSWORD }),
      await wrong({ name: fresh('nobody'), password: PASSWORD }),
      await wrong({ name: login.username, password: 'wrong' }),
      await wrong({ name: login.email, password: 'wrong' }),
    ]
    expect(statuses.map((reply) => reply.status)).toEqual([403, 403, 403, 403])
    expect(statuses.map((reply) => reply.body.errors)).toEqual(
      ['4', '3', '2', '1'].map((left) => ({ attempts_remaining: [left] })),
    )
    await wrong({ name: login.username, password: 'wrong' })
    // The right password is refused at both places now. This one says so; the sign-in does not say whose name it is.
    expect((await wrong({ name: login.username, password: PASSWORD })).status).toBe(429)
    const blocked = await server.call('/api/enterprise-login', { name: login.username, password: PASSWORD })
    expect([blocked.status, blocked.body.code]).toEqual([403, 'wrong_password'])
    await asOwner(server, 'truncate throttle')
    expect((await wrong({ name: login.email.toUpperCase(), password: PASSWORD })).status).toBe(200)
  })

  it('is required over HTTP by a call that declares it', async () => {
    const call: Call = contract.session.confirm
    const ask = (headers: Record<string, string>) =>
      server.call(CONFIRM, { name: login.username, password: PASSWORD }, { ...tab.bearer, ...headers })
    const grant = await confirm({ action: 'save' })
    call.stepUp = 'save'
    try {
      expect((await ask({})).body).toMatchObject(refused)
      expect((await ask({ 'x-step-up-grant': 'made-up' })).status).toBe(403)
      expect((await ask({ 'x-step-up-grant': grant })).status).toBe(200)
      expect((await ask({ 'x-step-up-grant': grant })).status).toBe(403)
    } finally {
      delete call.stepUp
    }
  })

  it('is stored as a hash and audited without the password', async () => {
    const grant = await confirm({ action: 'delete', object: 'c9' })
    expect(JSON.stringify(await asOwner(server, 'select * from step_up'))).not.toContain(grant)
    const [row] = await asOwner(server, 'select action, object, detail from audit order by id desc limit 1')
    expect(row).toEqual({ action: 'session.confirm', object: 'c9', detail: { action: 'delete' } })
  })
})
