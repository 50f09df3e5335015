import { contract } from '@pillar/contract'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  asOwner,
  fresh,
  mailTo,
  makeCompany,
  makeLocation,
  makeLogin,
  signIn,
  type TestLogin,
} from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import { untilWaiting } from '../../../test/waiting.ts'

const { search, info, create, resetPassword, invite, disable, enable, endSessions, remove, restore } = contract.user
const DAY = 86_400_000
const FRESH = 'seven pelicans near Coorong'
const DEAD = 'This reset link has expired or been used. Request a new one.'
let server: TestServer
let support: Support
let companyId: number
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
  const company = await makeCompany(server)
  companyId = company.id
  // Another user of the company, so that nobody is its only one.
  await makeLogin(server, companyId)
})
afterAll(() => server.close())
beforeEach(() => asOwner(server, 'truncate throttle'))

const token = async (email: string) =>
  /\/reset-password\/([\w-]{43})\n/.exec((await mailTo(server, email))[0]!.text)![1]!
const redeem = (reset_token: string, password = FRESH) =>
  server.call('/api/user/reset-password', { reset_token, password, password_confirmation: password })
const mayCall = async (bearer: Record<string, string>) =>
  (await server.call('/api/confirm-enterprise-login', {}, bearer)).status !== 401
const signInStatus = async ({ username, password }: Pick<TestLogin, 'username' | 'password'>) =>
  (await server.call('/api/enterprise-login', { name: username, password })).status

async function invited() {
  const [{ uuid: company_id }] = (await asOwner<{ uuid: string }>(server, 'select uuid from company where id = $1', [
    companyId,
  ])) as [{ uuid: string }]
  const username = fresh('jo')
  const given = { company_id, username, email: `${username}@mail.example`, first_name: 'Jo', last_name: 'Marsh' }
  const { uuid } = (await support.ask(create, given)).body.data
  return { ...given, uuid }
}

describe('an invitation', () => {
  it('sets a password once, and the person need not change it', async () => {
    const user = await invited()
    const link = await token(user.email)
    const replies = await Promise.all([1, 2, 3, 4, 5].map((n) => redeem(link, `${FRESH} ${n}`)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404])
    const winner = replies.findIndex(({ status }) => status === 200) + 1
    const tab = await signIn(server, { username: user.username, password: `${FRESH} ${winner}` })
    expect(tab.reply.body.must_change_password).toBe(false)
    expect((await support.ask(info, { uuid: user.uuid })).body.state).toBe('active')
  })

  it('works for seven days, and a new one replaces older ones', async () => {
    const user = await invited()
    const older = await token(user.email)
    expect((await support.ask(invite, { uuid: user.uuid })).status).toBe(200)
    const newer = await token(user.email)
    expect((await redeem(older)).status).toBe(404)
    server.clock.offsetMs = 7 * DAY + 1000
    const late = await redeem(newer)
    server.clock.offsetMs = 7 * DAY - 60_000
    const inTime = await redeem(newer)
    server.clock.offsetMs = 0
    const unknown = await redeem('x'.repeat(43))
    expect(late.body).toMatchObject({ code: 'not_found', message: DEAD })
    expect([late.status, late.body]).toEqual([unknown.status, unknown.body])
    expect(inTime.status).toBe(200)
  })

  it('is shown as expired afterwards', async () => {
    const user = await invited()
    await asOwner(server, `update login set invited_at = invited_at - interval '8 days' where uuid = $1`, [user.uuid])
    expect((await support.ask(info, { uuid: user.uuid })).body.state).toBe('invitation expired')
  })

  it('opens nothing once a password was set in another way, or the login was disabled', async () => {
    const user = await invited()
    const first = await token(user.email)
    await support.ask(resetPassword, { uuid: user.uuid, password: FRESH })
    expect((await redeem(first)).status).toBe(404)
    const other = await invited()
    const second = await token(other.email)
    await support.ask(disable, { uuid: other.uuid })
    expect((await redeem(second)).status).toBe(404)
    await support.ask(enable, { uuid: other.uuid })
    expect((await redeem(second)).status).toBe(404)
    expect((await support.ask(invite, { uuid: other.uuid })).status).toBe(200)
  })
})

describe('a password set by support', () => {
  it('ends every session, must be changed, and is reported without being in the letter', async () => {
    const login = await makeLogin(server, companyId)
    const tab = await signIn(server, login)
    const { body } = await support.ask(resetPassword, { uuid: login.uuid, password: FRESH })
    expect(body.message).toBe('Password reset Successfully.')
    expect(await mayCall(tab.bearer)).toBe(false)
    expect(await signInStatus(login)).toBe(403)
    const again = await signIn(server, { ...login, password: FRESH })
    expect(again.reply.body.must_change_password).toBe(true)
    const [letter] = await mailTo(server, login.email)
    expect(letter!.subject).toBe('Your Pillar password was changed')
    expect(letter!.text).not.toContain(FRESH)
    const audit = await asOwner(server, 'select row_to_json(a)::text as row from audit a')
    expect(JSON.stringify(audit)).not.toContain(FRESH)
  })

  it('is refused when it is weak, beside its field', async () => {
    const login = await makeLogin(server, companyId)
    for (const password of ['', 'short']) {
      const { status, body } = await support.ask(resetPassword, { uuid: login.uuid, password })
      expect(status).toBe(422)
      expect(body).toHaveProperty('errors.password')
    }
    expect(await signInStatus(login)).toBe(200)
  })
})

describe('disabling a user', () => {
  it('ends every session at once; enabling allows signing in again', async () => {
    const login = await makeLogin(server, companyId)
    const tabs = [await signIn(server, login), await signIn(server, login)]
    expect((await support.ask(disable, { uuid: login.uuid })).body.state).toBe('disabled')
    for (const tab of tabs) {
      expect(await mayCall(tab.bearer)).toBe(false)
      expect((await server.call('/api/refresh', {}, tab.cookie)).status).toBe(401)
    }
    expect(await signInStatus(login)).toBe(403)
    expect((await support.ask(resetPassword, { uuid: login.uuid, password: FRESH })).status).toBe(409)
    expect((await support.ask(invite, { uuid: login.uuid })).status).toBe(409)
    expect((await support.ask(enable, { uuid: login.uuid })).body.state).toBe('active')
    // The old sessions stay ended.
    expect((await server.call('/api/refresh', {}, tabs[0]!.cookie)).status).toBe(401)
    expect(await signInStatus(login)).toBe(200)
  })

  it('ending sessions signs out everywhere and changes nothing else', async () => {
    const login = await makeLogin(server, companyId)
    const tabs = [await signIn(server, login), await signIn(server, login)]
    expect((await support.ask(endSessions, { uuid: login.uuid })).body).toEqual({ ended: 2 })
    for (const tab of tabs) expect(await mayCall(tab.bearer)).toBe(false)
    expect(await signInStatus(login)).toBe(200)
  })
})

describe('removing a user', () => {
  it('takes them out of every list, ends their sessions, frees their name, and is undone for 30 days', async () => {
    const login = await makeLogin(server, companyId)
    const tab = await signIn(server, login)
    await server.call('/api/user/request-reset-password', { username: login.username })
    expect((await support.ask(remove, { uuid: login.uuid })).body).toEqual({ removed: true })
    expect(await mayCall(tab.bearer)).toBe(false)
    expect(await signInStatus(login)).toBe(403)
    expect((await support.ask(search, { search_term: login.uuid })).body.total).toBe(0)
    for (const call of [remove, disable, invite])
      expect((await support.ask(call, { uuid: login.uuid })).status).toBe(404)
    const removed = await support.ask(search, { search_term: login.uuid, show: 'removed' })
    expect(removed.body.results[0]).toMatchObject({ uuid: login.uuid, state: 'removed' })
    server.clock.offsetMs = 30 * DAY + 60_000
    const tab30 = await makeSupport(server)
    expect((await tab30.ask(restore, { uuid: login.uuid })).status).toBe(409)
    server.clock.offsetMs = 0
    expect((await support.ask(restore, { uuid: login.uuid })).body.state).toBe('active')
    // What was open before does not open again with the login.
    const renewed = await server.call('/api/refresh', {}, tab.cookie)
    const again = [await mayCall(tab.bearer), renewed.status, (await redeem(await token(login.email))).status]
    expect(again).toEqual([false, 401, 404])
    expect(await signInStatus(login)).toBe(200)
    expect((await support.ask(restore, { uuid: login.uuid })).status).toBe(404)
  })

  it('keeps somebody who was disabled before disabled when they are restored', async () => {
    const login = await makeLogin(server, companyId)
    await support.ask(disable, { uuid: login.uuid })
    server.clock.offsetMs = 1000
    await support.ask(remove, { uuid: login.uuid })
    expect((await support.ask(restore, { uuid: login.uuid })).body.state).toBe('disabled')
    server.clock.offsetMs = 0
  })

  it('cannot be undone once somebody else has the name and signs in with it', async () => {
    const login = await makeLogin(server, companyId)
    await support.ask(remove, { uuid: login.uuid })
    const other = await makeLogin(server, companyId, { username: login.username })
    expect(await signInStatus(other)).toBe(200)
    const { status, body } = await support.ask(restore, { uuid: login.uuid })
    expect([status, body.message]).toEqual([409, 'Somebody else has that username by now. Please change theirs first.'])
  })

  it('is refused while they own something, which is named', async () => {
    const company = await makeCompany(server)
    const login = await makeLogin(server, company.id)
    const place = await makeLocation(server, company.id, 'Wattle Street')
    const gone = await makeLocation(server, company.id, 'Acacia Road')
    await asOwner(server, 'update location set owner_login_id = $1 where id in ($2, $3)', [login.id, place.id, gone.id])
    await asOwner(server, 'update location set removed_at = now() where id = $1', [gone.id])
    await asOwner(
      server,
      `insert into campaign (uuid, company_id, name, goal_type, measure_by, goal, active)
       values (gen_random_uuid(), $1, 'c', 'scripts', 'target', 1, true), (gen_random_uuid(), $1, 'd', 'scripts', 'target', 1, false)`,
      [company.id],
    )
    const both = await support.ask(remove, { uuid: login.uuid })
    expect([both.status, both.body.message]).toEqual([
      409,
      `Robin Vale owns Wattle Street. Please choose another owner first. Robin Vale is the only user of ${company.name}, which still has 1 pharmacy and 1 active campaign. Please add another user first.`,
    ])
    const second = await makeLogin(server, company.id)
    await asOwner(server, 'update location set owner_login_id = $1', [second.id])
    // A locked-out user cannot look after the company.
    await asOwner(server, 'update login set disabled_at = now() where id = $1', [second.id])
    expect((await support.ask(remove, { uuid: login.uuid })).body.message).toMatch(/^Robin Vale is the only user of/)
    await asOwner(server, 'update login set disabled_at = null where id = $1', [second.id])
    expect((await support.ask(remove, { uuid: login.uuid })).status).toBe(200)
  })

  it('nobody can remove or disable themselves, nor the last support login', async () => {
    for (const call of [remove, disable]) {
      const { status, body } = await support.ask(call, { uuid: support.login.uuid })
      expect([status, body.message]).toEqual([
        409,
        `You cannot ${call === remove ? 'remove' : 'disable'} yourself. Another support login can do it.`,
      ])
    }
    expect(await mayCall(support.tab.bearer)).toBe(true)
  })

  it('two support people who disable each other at once leave one', async () => {
    await asOwner(server, 'update login set disabled_at = now() where sr_login')
    const [one, other] = [await makeSupport(server), await makeSupport(server)]
    const owner = new pg.Client({ connectionString: server.ownerUrl })
    await owner.connect()
    try {
      // Both are admitted and wait for the same rows before either has locked anybody out.
      await owner.query('begin')
      await owner.query('select from login where sr_login for update')
      const asked = [one.ask(disable, { uuid: other.login.uuid }), other.ask(disable, { uuid: one.login.uuid })]
      await untilWaiting(server, 2)
      await owner.query('commit')
      expect((await Promise.all(asked)).map(({ status }) => status).sort()).toEqual([200, 409])
    } finally {
      await owner.end()
    }
    const left = await asOwner<{ id: number }>(server, 'select id from login where sr_login and disabled_at is null')
    expect(left).toHaveLength(1)
    // One who is already locked out may be removed.
    const [mine, theirs] = left[0]!.id === one.login.id ? [one, other] : [other, one]
    await makeLogin(server, theirs.company.id)
    expect((await mine.ask(remove, { uuid: theirs.login.uuid })).status).toBe(200)
    await asOwner(server, 'update login set disabled_at = null where id = $1', [support.login.id])
  })
})

describe('the console’s user calls', () => {
  it('are recorded in the log of the user’s own company', async () => {
    const { uuid } = await makeLogin(server, companyId)
    const acts = { resetPassword, invite, endSessions, disable, enable, remove, restore }
    for (const [name, call] of Object.entries(acts))
      expect([name, (await support.ask(call, { uuid, password: FRESH })).status]).toEqual([name, 200])
    const log = await asOwner<{ action: string }>(
      server,
      'select action from audit where company_id = $1 and object = $2 order by id',
      [companyId, uuid],
    )
    expect(log.map(({ action }) => action)).toEqual(Object.keys(acts).map((name) => `user.${name}`))
  })

  it('are for support only', async () => {
    const login = await makeLogin(server, companyId, { flags: ['data_analytics', 'ecdr', 'guild_login'] })
    const tab = await signIn(server, login)
    for (const call of [...Object.values(contract.user), ...Object.values(contract.userLink)]) {
      const path = call.path.replaceAll(/\{\w+\}/g, login.uuid)
      const reply = await server.call(path, call.example as object, tab.bearer)
      expect([path, reply.status, reply.body.code]).toEqual([path, 403, 'not_allowed'])
    }
  })
})
