import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import {
  asOwner,
  dump,
  mailTo,
  makeCompany,
  makeLogin,
  PASSWORD,
  signIn,
  type TestLogin,
} from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeLink, redeemLink } from './link.queries.ts'

const ASK = '/api/user/request-reset-password'
const RESET = '/api/user/reset-password'
const FRESH = 'seven pelicans near Coorong'
if (DEEP) vi.setConfig({ testTimeout: 3_600_000 })

let server: TestServer
let companyId: number
beforeAll(async () => {
  server = await startTestServer({ env: { PUBLIC_URL: 'http://portal.example:8443' } })
  companyId = (await makeCompany(server)).id
})
afterAll(() => server.close())

const DEAD = 'This reset link has expired or been used. Request a new one.'

const check = (reset_token: string) => server.call('/api/user/check-reset-link', { reset_token })

const redeem = (reset_token: string, password = FRESH, password_confirmation = password) =>
  server.call(RESET, { reset_token, password, password_confirmation })

async function tokenFor(login: TestLogin, headers: Record<string, string> = {}): Promise<string> {
  expect((await server.call(ASK, { username: login.username }, headers)).status).toBe(200)
  const [letter] = await mailTo(server, login.email)
  return /\/reset-password\/([\w-]{43})\n/.exec(letter!.text)![1]!
}

describe('a reset link', () => {
  it('sets a new password, ends every session and notifies the owner', async () => {
    const login = await makeLogin(server, companyId)
    const tab = await signIn(server, login)
    const done = await redeem(await tokenFor(login))
    expect(done.status).toBe(200)
    expect(done.body.message).toBe('Password successfully reset! Redirecting to Login...')
    expect((await server.call('/api/refresh', {}, tab.cookie)).status).toBe(401)
    expect((await server.call('/api/confirm-enterprise-login', {}, tab.bearer)).status).toBe(401)
    expect((await server.call('/api/enterprise-login', { name: login.username, password: PASSWORD })).status).toBe(403)
    await signIn(server, { ...login, password: FRESH })
    expect((await mailTo(server, login.email))[0]!.subject).toBe('Your Pillar password was changed')
  })

  it('works by email address and is mailed with the public address; a forged Host gets nothing', async () => {
    const login = await makeLogin(server, companyId)
    for (const header of ['host', 'x-forwarded-host']) {
      const forged = await server.call(ASK, { username: login.username }, { [header]: 'evil.example' })
      expect(forged.status).toBe(421)
    }
    expect(await mailTo(server, login.email)).toEqual([])
    await tokenFor({ ...login, username: login.email.toUpperCase() }, { forwarded: 'host=evil.example' })
    const [letter] = await mailTo(server, login.email)
    expect(letter!.text).toContain('http://portal.example:8443/reset-password/')
    expect(await dump(server)).not.toContain('evil.example')
  })

  it('is not mailed after it has expired, if the mail server was away', async () => {
    const login = await makeLogin(server, companyId)
    await tokenFor(login)
    const [job] = await asOwner<{ until: string }>(
      server,
      `select data->>'until' as until from pgboss.job where name = 'mail' order by (data->>'mail_id')::int desc limit 1`,
    )
    expect(Math.round((Date.parse(job!.until) - Date.now()) / 60_000)).toBe(60)
  })

  it('works once, even for a hundred requests at once', async () => {
    const login = await makeLogin(server, companyId)
    const token = await tokenFor(login)
    const replies = await Promise.all(
      Array.from({ length: DEEP ? 100 : 40 }, (_, index) => redeem(token, `${FRESH} ${index}`)),
    )
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200, 404]))
    await asOwner(server, 'truncate throttle')
    const winner = replies.findIndex((reply) => reply.status === 200)
    await signIn(server, { ...login, password: `${FRESH} ${winner}` })
  })

  it('stops working when a newer one is sent, even if two are requested at once', async () => {
    const login = await makeLogin(server, companyId)
    const older = await tokenFor(login)
    const newer = await tokenFor(login)
    expect((await redeem(older)).status).toBe(404)
    await Promise.all([1, 2, 3].map(() => server.call(ASK, { username: login.username })))
    expect((await redeem(newer)).status).toBe(404)
    const open = await asOwner(server, 'select 1 from link where subject_id = $1 and used_at is null', [login.id])
    expect(open).toHaveLength(1)
  })

  it('expires after an hour', async () => {
    const login = await makeLogin(server, companyId)
    const token = await tokenFor(login)
    server.clock.offsetMs = 60 * 60_000
    const late = await redeem(token)
    server.clock.offsetMs = 59 * 60_000
    const inTime = await redeem(token)
    server.clock.offsetMs = 0
    expect(late.status).toBe(404)
    // Not the code of an ended session, so a browser signed in elsewhere stays signed in.
    expect(late.body).toMatchObject({ code: 'not_found', message: DEAD })
    expect(inTime.status).toBe(200)
  })

  it('does not work if it was made while the database’s clock was a day ahead', async () => {
    const login = await makeLogin(server, companyId)
    server.clock.offsetMs = 86_400_000
    const token = await tokenFor(login)
    expect((await check(token)).status).toBe(200)
    server.clock.offsetMs = 0
    expect([(await check(token)).status, (await redeem(token)).status]).toEqual([404, 404])
    expect((await redeem(await tokenFor(login))).status).toBe(200)
  })

  it('can be checked any number of times before use, and not after', async () => {
    const login = await makeLogin(server, companyId)
    const token = await tokenFor(login)
    for (let index = 0; index < 5; index++) expect((await check(token)).status).toBe(200)
    expect((await redeem(token)).status).toBe(200)
    const used = await check(token)
    const unknown = await check('x'.repeat(43))
    expect(used.status).toBe(404)
    expect(used.body).toMatchObject({ code: 'not_found', message: DEAD })
    expect(unknown.body.message).toBe(used.body.message)
  })

  it('cannot be guessed through the check', async () => {
    await asOwner(server, 'truncate throttle')
    const answers = []
    for (let index = 0; index < 120; index++) answers.push((await check(`${index}`.padStart(43, 'x'))).status)
    expect(answers.at(-1)).toBe(429)
    await asOwner(server, 'truncate throttle')
  })

  it('works even if others on its network failed as often as a network may', async () => {
    const token = await tokenFor(await makeLogin(server, companyId))
    expect((await check('x'.repeat(43))).status).toBe(404)
    await asOwner(server, `update throttle set points = 100 where key like 'addr:%'`)
    expect((await check('x'.repeat(43))).status).toBe(429)
    expect((await redeem('x'.repeat(43))).status).toBe(429)
    expect((await check(token)).status).toBe(200)
    expect((await redeem(token)).status).toBe(200)
    await asOwner(server, 'truncate throttle')
  })

  it('is not used up by scanners, wrong passwords or other calls', async () => {
    const login = await makeLogin(server, companyId)
    const token = await tokenFor(login)
    for (let index = 0; index < 25; index++) {
      await server.app.inject({ method: 'GET', url: `/reset-password/${token}` })
      await server.app.inject({ method: 'HEAD', url: `/reset-password/${token}` })
      const query = `?reset_token=${token}&password=x&password_confirmation=x`
      expect((await server.app.inject({ method: 'GET', url: `${RESET}${query}` })).statusCode).toBe(404)
    }
    expect((await redeem(token, 'too short')).status).toBe(422)
    expect((await redeem(token, FRESH, 'something else')).body.errors).toHaveProperty('password_confirmation')
    expect((await redeem(token)).status).toBe(200)
  })

  it('is stored only as a hash, and so are sessions', async () => {
    const login = await makeLogin(server, companyId)
    const tab = await signIn(server, login)
    const token = await tokenFor(login)
    const stolen = await dump(server)
    expect(stolen).toContain(login.email)
    for (const secret of [token, tab.token, tab.secret, PASSWORD]) {
      for (const form of ['utf8', 'hex', 'base64'] as const) {
        expect(stolen).not.toContain(Buffer.from(secret).toString(form))
      }
      expect(stolen).not.toContain(Buffer.from(secret, 'base64url').toString('hex'))
    }
  })

  it('is not mailed to a disabled login', async () => {
    const login = await makeLogin(server, companyId)
    await asOwner(server, 'update login set disabled_at = now() where id = $1', [login.id])
    expect((await server.call(ASK, { username: login.username })).status).toBe(200)
    expect(await mailTo(server, login.email)).toEqual([])
  })
})

describe('a new password (T8)', () => {
  const LONG = 'a wombat, quite content, '.repeat(4)
  const good = [
    FRESH,
    'mauve kettle drum 7',
    'παράξενα σύννεφα πάνω',
    '青い海と白い雲と赤い夕日と緑の森',
    LONG,
    `${'ü'.repeat(3)} grün schön Öl fahren`,
    ' leading and trailing ',
    `${'a'.repeat(2)}bcdefghij klm nop`,
    'no-digits-needed-here',
    '🦘🦘🐨🐨🦜🦜🐍🐍🦎🦎🐊🐊🦈🦈🐙🐙 reef',
  ]
  const bad = [
    'short',
    'fourteen chars',
    'passwordpassword',
    'Password12345678',
    'qwertyuiopqwertyuiop',
    '123456789012345',
    'aaaaaaaaaaaaaaaaaa',
    'abcabcabcabcabcabc',
    '1qaz2wsx3edc4rfv',
    'PILLAR-2026-pillar!',
    'Robin Vale 2026!!!',
    'iloveyou iloveyou',
    'pharmacy pharmacy 1',
  ]
  it('is accepted when long and unique, with any characters, and is never cut off', async () => {
    await Promise.all(
      good.map(async (password) => {
        const login = await makeLogin(server, companyId)
        const reply = await redeem(await tokenFor(login), password)
        expect(reply.body.message).toMatch(/successfully/)
        await signIn(server, { ...login, password })
        const cut = [...password].slice(0, -1).join('')
        const wrong = await server.call('/api/enterprise-login', { name: login.username, password: cut })
        expect(wrong.status).toBe(403)
      }),
    )
  })

  it('is refused with a reason when short, common, repeated or guessable here', async () => {
    const login = await makeLogin(server, companyId, { username: 'marisol.okafor' })
    const token = await tokenFor(login)
    const accepted: string[] = []
    for (const password of [...bad, 'marisol.okafor 2026', 'Marisol.Okafor@mail.example']) {
      const reply = await redeem(token, password)
      if (reply.status !== 422) accepted.push(password)
      else expect(String(reply.body.message)).toMatch(/^(Please|This password)/)
    }
    expect(accepted).toEqual([])
    expect((await redeem(token, 'long words '.repeat(91))).status).toBe(422)
  })
})

it('a link that expires between being viewed and being used opens nothing, and stays unused', async () => {
  const { pools, secret, now } = server.services
  const { id } = await makeLogin(server, companyId)
  const link = { purpose: 'reset', subjectId: id, now: now(), seconds: 60 } as const
  const token = await pools.system.transaction().execute((tx) => makeLink(tx, secret, link))
  const redeemAt = (ms: number) =>
    pools.system
      .transaction()
      .execute((tx) => redeemLink(tx, secret, 'reset', token, new Date(link.now.getTime() + ms)))
  expect(await redeemAt(60_000)).toBeNull()
  expect(await redeemAt(59_999)).toBe(id)
})
