import { createHash } from 'node:crypto'
import { FLAGS } from '@pillar/contract'
import { everyCall } from '@pillar/contract/every-call'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Peer, startPeer } from '../../../test/outside/peer.ts'
import {
  asOwner,
  dump,
  mailTo,
  makeCompany,
  makeLogin,
  PASSWORD,
  type SignedIn,
  signIn,
  type TestLogin,
} from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { untilWaiting } from '../../../test/waiting.ts'

const CHANGE = '/api/user/change-password'
const CONFIRM = '/api/confirm-enterprise-login'
const FRESH = 'nine bustards at Birdsville'

let server: TestServer
let companyId: number
beforeAll(async () => {
  server = await startTestServer()
  companyId = (await makeCompany(server)).id
})
afterAll(() => server.close())
beforeEach(() => asOwner(server, 'truncate throttle'))

const due = (login: TestLogin) =>
  asOwner(server, 'update login set must_change_password = true where id = $1', [login.id])
const isDue = async (login: TestLogin) =>
  (
    await asOwner<{ must: boolean }>(server, 'select must_change_password as must from login where id = $1', [login.id])
  )[0]!.must
const change = (tab: SignedIn, password = FRESH, current_password = PASSWORD, password_confirmation = password) =>
  server.call(CHANGE, { current_password, password, password_confirmation }, { ...tab.bearer, ...tab.cookie })
const bearerOf = (reply: { body: Record<string, unknown> }) => ({ authorization: `Bearer ${reply.body.access_token}` })
const statusOf = async (bearer: Record<string, string>) => (await server.call(CONFIRM, {}, bearer)).status

describe('a person whose password somebody else set', () => {
  const behindSignIn = everyCall.filter(
    ({ call }) => call.needs === 'signed-in' || FLAGS.some((flag) => [call.needs].flat().includes(flag)),
  )

  it('can sign in, is reminded at every refresh, and can only choose a new password', async () => {
    const login = await makeLogin(server, companyId, { flags: FLAGS })
    await due(login)
    const tab = await signIn(server, login)
    expect(tab.reply.body.must_change_password).toBe(true)
    expect((await server.call('/api/refresh', {}, tab.cookie)).body.must_change_password).toBe(true)
    const open: string[] = []
    for (const { name, call } of behindSignIn) {
      const path = call.path.replaceAll(/\{\w+\}/g, 'x')
      const reply = await server.call<{ code?: string }>(path, {}, tab.bearer, call.method)
      if (reply.status === 403 && reply.body.code === 'new_password_needed') continue
      open.push(`${name} ${reply.status}`)
    }
    // 422: the empty body was checked.
    expect(open).toEqual(['session.changePassword 422'])
    expect(behindSignIn.length).toBeGreaterThan(40)
    expect((await server.call('/api/logout', {}, tab.cookie)).status).toBe(200)
  })

  it('is stopped at once if the flag is set during a session', async () => {
    const login = await makeLogin(server, companyId)
    const tab = await signIn(server, login)
    expect(await statusOf(tab.bearer)).toBe(422)
    await due(login)
    const reply = await server.call(CONFIRM, { name: login.username, password: PASSWORD }, tab.bearer)
    expect([reply.status, reply.body.code]).toEqual([403, 'new_password_needed'])
    expect(reply.body.message).toBe('Please choose a new password before you go on.')
    expect(
      await asOwner(server, 'select 1 from step_up g join session s on s.id = g.session_id where s.login_id = $1', [
        login.id,
      ]),
    ).toEqual([])
  })

  it('continues in a new session after choosing it, and every earlier session and link ends', async () => {
    const login = await makeLogin(server, companyId)
    const [tab, phone] = [await signIn(server, login), await signIn(server, login)]
    await server.call(CONFIRM, { name: login.username, password: PASSWORD, action: 'save' }, tab.bearer)
    await server.call('/api/user/request-reset-password', { username: login.username })
    const link = /\/reset-password\/([\w-]{43})\n/.exec((await mailTo(server, login.email))[0]!.text)![1]!
    await due(login)

    const done = await change(tab)
    expect(done.status).toBe(200)
    expect(done.body).toMatchObject({ username: login.username, must_change_password: false })
    expect(await isDue(login)).toBe(false)
    expect(await statusOf(bearerOf(done))).toBe(422)
    const [cookie] = done.cookies
    expect(cookie!.value).not.toBe(tab.secret)
    expect((await server.call('/api/refresh', {}, { cookie: `${cookie!.name}=${cookie!.value}` })).status).toBe(200)

    for (const old of [tab, phone]) {
      expect(await statusOf(old.bearer)).toBe(401)
      expect((await server.call('/api/refresh', {}, old.cookie)).status).toBe(401)
    }
    expect(
      await asOwner(server, 'select 1 from step_up g join session s on s.id = g.session_id where s.login_id = $1', [
        login.id,
      ]),
    ).toEqual([])
    const reset = {
      reset_token: link,
      password: 'six emus near Esperance',
      password_confirmation: 'six emus near Esperance',
    }
    expect((await server.call('/api/user/reset-password', reset)).status).toBe(404)
    expect((await server.call('/api/enterprise-login', { name: login.username, password: PASSWORD })).status).toBe(403)
    await signIn(server, { ...login, password: FRESH })
    expect((await mailTo(server, login.email))[0]!.subject).toBe('Your Pillar password was changed')
    const rows = await asOwner(
      server,
      `select session_id, detail from audit where login_id = $1 and action = 'session.change-password'`,
      [login.id],
    )
    expect(rows).toEqual([
      { session_id: tab.reply.body.session_id, detail: { forced: true, new_session: done.body.session_id } },
    ])
  })

  it('can also use a mailed reset link', async () => {
    const login = await makeLogin(server, companyId)
    await due(login)
    await server.call('/api/user/request-reset-password', { username: login.username })
    const link = /\/reset-password\/([\w-]{43})\n/.exec((await mailTo(server, login.email))[0]!.text)![1]!
    const reset = { reset_token: link, password: FRESH, password_confirmation: FRESH }
    expect((await server.call('/api/user/reset-password', reset)).status).toBe(200)
    expect(await isDue(login)).toBe(false)
  })
})

describe('a new password', () => {
  it('needs the current one; wrong entries count like failed sign-ins', async () => {
    const login = await makeLogin(server, companyId)
    const tab = await signIn(server, login)
    const left: unknown[] = []
    for (let attempt = 0; attempt < 3; attempt++) {
      const reply = await change(tab, FRESH, 'not the password')
      expect([reply.status, reply.body.code, reply.body.message]).toEqual([
        403,
        'wrong_password',
        'The current password is not right.',
      ])
      left.push(reply.body.errors)
    }
    expect(left).toEqual(['4', '3', '2'].map((count) => ({ attempts_remaining: [count] })))
    const guess = await server.call('/api/enterprise-login', { name: login.username, password: 'wrong' })
    expect(guess.body.errors).toEqual({ attempts_remaining: ['1'] })
    await change(tab, FRESH, 'not the password')
    expect((await change(tab)).status).toBe(429)
    await signInStillWorks(login)
  })

  const signInStillWorks = async (login: TestLogin) => {
    await asOwner(server, 'truncate throttle')
    await signIn(server, login)
  }

  it('is refused with its field, and nothing changes, when it is short, listed, guessable, mistyped or the current one', async () => {
    const login = await makeLogin(server, companyId)
    await due(login)
    const tab = await signIn(server, login)
    const refused: [string, string, RegExp, string][] = [
      ['short', 'short', /15 characters/, 'password'],
      ['passwordpassword', 'passwordpassword', /lists that attackers/, 'password'],
      ['Robin Vale 2026!!!', 'Robin Vale 2026!!!', /anyone would guess/, 'password'],
      [FRESH, `${FRESH}.`, /not the same/, 'password_confirmation'],
      [PASSWORD, PASSWORD, /is the current one/, 'password'],
    ]
    for (const [password, confirmation, message, field] of refused) {
      const reply = await change(tab, password, PASSWORD, confirmation)
      expect([reply.status, reply.body.message]).toEqual([422, expect.stringMatching(message)])
      expect(reply.body.errors).toHaveProperty(field)
      expect(reply.cookies).toEqual([])
    }
    expect(await isDue(login)).toBe(true)
    expect(await statusOf(tab.bearer)).toBe(403)
    await signInStillWorks(login)
  })

  it('is set once by twenty requests at once', async () => {
    const login = await makeLogin(server, companyId)
    const tab = await signIn(server, login)
    const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => change(tab, `${FRESH} ${index}`)))
    const won = replies.findIndex((reply) => reply.status === 200)
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    for (const reply of replies) expect([200, 401, 403, 409, 429]).toContain(reply.status)
    await signInStillWorks({ ...login, password: `${FRESH} ${won}` })
    const open = await asOwner(server, 'select 1 from session where login_id = $1 and ended_at is null', [login.id])
    // The email about the change, and the one from the sign-in after it.
    expect(open).toHaveLength(2)
  })

  it('can be chosen at any time, and neither password is stored in the database', async () => {
    const login = await makeLogin(server, companyId)
    const tab = await signIn(server, login)
    expect((await change(tab, 'forty-two quolls, counted')).status).toBe(200)
    const stolen = await dump(server)
    expect(stolen).not.toContain('forty-two quolls')
    expect(stolen).toContain('"forced": false')
  })

  it('cannot be set by anyone else: without a token nothing changes', async () => {
    const login = await makeLogin(server, companyId)
    const { cookie } = await signIn(server, login)
    const body = { current_password: PASSWORD, password: FRESH, password_confirmation: FRESH }
    expect((await server.call(CHANGE, body)).status).toBe(401)
    expect((await server.call(CHANGE, body, cookie)).status).toBe(401)
    await signIn(server, login)
  })
})

describe('a sign-in whose password changes before its session opens', () => {
  it('opens no session that outlives the change', async () => {
    const login = await makeLogin(server, companyId)
    const other = new pg.Client({ connectionString: server.ownerUrl })
    await other.connect()
    try {
      await other.query('begin')
      await other.query(`update login set password_hash = password_hash || 'x' where id = $1`, [login.id])
      // Reads the old hash, because the change is not committed, then waits for the row.
      const late = server.call('/api/enterprise-login', { name: login.username, password: PASSWORD })
      await untilWaiting(server)
      await other.query('commit')
      expect((await late).status).toBe(403)
    } finally {
      await other.end()
    }
    expect(await asOwner(server, 'select 1 from session where login_id = $1', [login.id])).toEqual([])
  })
})

describe('breached passwords', () => {
  const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase()
  let peer: Peer
  let asking: TestServer
  beforeAll(async () => {
    peer = await startPeer()
    asking = await startTestServer({ env: { BREACHED_PASSWORDS_URL: `${peer.url}/range` } })
  })
  afterAll(async () => {
    await asking.close()
    await peer.close()
  })

  it('are refused, and checked only when everything else is fine; an outage lets them pass', async () => {
    const known = 'eleven geese on a pond'
    peer.answer = (_heard, response) => void response.end(`${sha1(known).slice(5)}:12\r\n${'0'.repeat(35)}:0`)
    const login = await makeLogin(asking, (await makeCompany(asking)).id)
    const tab = await signIn(asking, login)
    const ask = (password: string, current_password = PASSWORD) =>
      asking.call(CHANGE, { current_password, password, password_confirmation: password }, tab.bearer)
    await ask('short')
    await ask(known, 'not the password')
    expect(peer.heard).toEqual([])
    const refused = await ask(known)
    expect([refused.status, refused.body.message]).toEqual([
      422,
      'This password is on lists that attackers try first. Please choose another one.',
    ])
    expect(peer.heard.map((heard) => heard.url.pathname)).toEqual([`/range/${sha1(known).slice(0, 5)}`])
    peer.answer = (_heard, response) => void response.writeHead(500).end()
    expect((await ask(known)).status).toBe(200)
  })
})
