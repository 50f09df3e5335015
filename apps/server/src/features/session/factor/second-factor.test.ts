import { type Call, FLAGS, type Flag } from '@pillar/contract'
import { everyCall } from '@pillar/contract/every-call'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { codeAt } from '../../../../test/authenticator.ts'
import {
  asOwner,
  dump,
  mailTo,
  makeCompany,
  makeLogin,
  type SignedIn,
  signIn,
  type TestLogin,
} from '../../../../test/people.ts'
import { type Reply, startTestServer, type TestServer } from '../../../../test/server.ts'

let server: TestServer
let companyId: number
beforeAll(async () => {
  server = await startTestServer({ env: { SECOND_FACTOR: 'required', PUBLIC_URL: 'http://localhost:3000' } })
  companyId = (await makeCompany(server)).id
})
afterAll(() => server.close())
beforeEach(() => asOwner(server, 'truncate throttle'))

const STATUS = '/api/second-factor/status'
const VERIFY = '/api/second-factor/verify'
const ask = (
  tab: Pick<SignedIn, 'bearer' | 'cookie'>,
  path: string,
  body: unknown = {},
  more: Record<string, string> = {},
) => server.call(path, body, { ...tab.bearer, ...tab.cookie, ...more })
const codeOf = (secret: string, late = 0) => codeAt(secret, server.services.now().getTime() / 1000 + late)
function nextHalfMinute() {
  server.clock.offsetMs += 30_000
}

/** Signs in and sets up an authenticator app. */
async function withApp(flags: readonly Flag[] = ['sr_login']) {
  const login = await makeLogin(server, companyId, { flags })
  const tab = await signIn(server, login)
  const { secret } = (await ask(tab, '/api/second-factor/app/start')).body as { secret: string }
  const set = await ask(tab, '/api/second-factor/app/confirm', { code: codeOf(secret) })
  expect(set.status).toBe(200)
  nextHalfMinute()
  return { login, tab, secret, codes: set.body.recovery_codes as string[] }
}

const tabOf = (reply: Reply<Record<string, unknown>>) => ({
  bearer: { authorization: `Bearer ${reply.body.access_token}` },
  cookie: { cookie: reply.cookies.map(({ name, value }) => `${name}=${value}`).join('; ') },
})
const works = async (tab: Pick<SignedIn, 'bearer'>) => (await server.call('/api/company/list', {}, tab.bearer)).status

describe('before the second factor', () => {
  const isBehind = (call: Call) =>
    call.needs === 'signed-in' || FLAGS.some((flag) => [call.needs].flat().includes(flag))
  const behindSignIn = everyCall.filter(({ call }) => isBehind(call))
  const openTo = async (tab: SignedIn) => {
    const open: string[] = []
    for (const { name, call } of behindSignIn) {
      const reply = await server.call<{ code?: string }>(
        call.path.replaceAll(/\{\w+\}/g, 'x'),
        {},
        tab.bearer,
        call.method ?? 'POST',
      )
      if (reply.body.code !== 'second_factor_needed') open.push(name)
    }
    return open.sort()
  }

  test('a session that has not shown it can do nothing but show it', async () => {
    const { login } = await withApp(FLAGS)
    const tab = await signIn(server, login)
    expect(tab.reply.body.second_factor).toBe('check')
    expect((await server.call('/api/refresh', {}, tab.cookie)).body.second_factor).toBe('check')
    expect(await openTo(tab)).toEqual(['secondFactor.challenge', 'secondFactor.status', 'secondFactor.verify'])
  })

  test('somebody who must have one and has none can only set one up or change the password', async () => {
    const login = await makeLogin(server, companyId, { flags: FLAGS })
    const tab = await signIn(server, login)
    expect(tab.reply.body.second_factor).toBe('setup')
    expect(await openTo(tab)).toEqual([
      'secondFactor.challenge',
      'secondFactor.confirmApp',
      'secondFactor.confirmPasskey',
      'secondFactor.startApp',
      'secondFactor.startPasskey',
      'secondFactor.status',
      'secondFactor.verify',
      'session.changePassword',
    ])
  })

  test('a password cannot be changed before the second factor is shown', async () => {
    const { login } = await withApp()
    const tab = await signIn(server, login)
    const body = {
      current_password: login.password,
      password: 'nine bustards at Birdsville',
      password_confirmation: 'nine bustards at Birdsville',
    }
    expect((await ask(tab, '/api/user/change-password', body)).body.code).toBe('second_factor_needed')
  })

  test('head office staff need none, but may have one', async () => {
    const login = await makeLogin(server, companyId, { flags: ['data_analytics'] })
    const tab = await signIn(server, login)
    expect(tab.reply.body.second_factor).toBe('done')
    const one = await withApp(['data_analytics'])
    expect((await signIn(server, one.login)).reply.body.second_factor).toBe('check')
  })
})

describe('an authenticator app', () => {
  test('opens a new session with its code; the old one ends', async () => {
    const { login, secret } = await withApp()
    const tab = await signIn(server, login)
    const reply = await ask(tab, VERIFY, { code: ` ${codeOf(secret).slice(0, 3)} ${codeOf(secret).slice(3)}` })
    expect([reply.status, reply.body.second_factor]).toEqual([200, 'done'])
    expect(await works(tabOf(reply))).toBe(200)
    expect((await ask(tab, STATUS)).status).toBe(401)
    expect((await server.call('/api/refresh', {}, tab.cookie)).status).toBe(401)
  })

  test('accepts each code once, even if two are sent at once, and none that is a minute old', async () => {
    const { login, secret } = await withApp()
    const tabs = await Promise.all([signIn(server, login), signIn(server, login)])
    const code = codeOf(secret)
    const replies = await Promise.all(tabs.map((tab) => ask(tab, VERIFY, { code })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422])
    const later = await signIn(server, login)
    expect((await ask(later, VERIFY, { code })).status).toBe(422)
    expect((await ask(later, VERIFY, { code: codeOf(secret, -90) })).status).toBe(422)
    expect((await ask(later, VERIFY, { code: codeOf(secret, 90) })).status).toBe(422)
  })

  test('guesses are counted separately from passwords: signing in again does not reset them', async () => {
    const { login, secret } = await withApp()
    const guess = async (tab: SignedIn, code = '000000') => (await ask(tab, VERIFY, { code })).status
    const statuses: number[] = []
    for (let count = 0; count < 5; count++) statuses.push(await guess(await signIn(server, login)))
    expect(statuses.slice(0, 4)).toEqual([422, 422, 422, 422])
    const tabs = await Promise.all(Array.from({ length: 4 }, () => signIn(server, login)))
    // The clock stands still, so that no wait ends on a busy machine.
    const clock = vi.spyOn(server.services, 'now').mockReturnValue(server.services.now())
    await guess(tabs[0]!)
    const others = [await guess(tabs[1]!), await guess(tabs[2]!), await guess(tabs[3]!, codeOf(secret))]
    clock.mockRestore()
    expect(others).toEqual([429, 429, 429])
  })

  test('only counts with its first code, and a second one does not replace it', async () => {
    const login = await makeLogin(server, companyId, { flags: ['sr_login'] })
    const tab = await signIn(server, login)
    const { secret } = (await ask(tab, '/api/second-factor/app/start')).body as { secret: string }
    expect((await signIn(server, login)).reply.body.second_factor).toBe('setup')
    expect((await ask(tab, '/api/second-factor/app/confirm', { code: '000000' })).body.errors).toHaveProperty('code')
    const set = await ask(tab, '/api/second-factor/app/confirm', { code: codeOf(secret) })
    expect(set.body.second_factor).toBe('done')
    expect(await works(tab)).toBe(200)
    expect((await ask(tab, '/api/second-factor/app/start')).status).toBe(409)
  })

  test('needs the password again if it is added later', async () => {
    const login = await makeLogin(server, companyId, { flags: ['data_analytics'] })
    const tab = await signIn(server, login)
    server.clock.offsetMs += 301_000
    const reply = await ask(tab, '/api/second-factor/app/start')
    expect([reply.status, reply.body.code]).toEqual([403, 'step_up_needed'])
    const { grant } = (
      await ask(tab, '/api/confirm-enterprise-login', {
        name: login.username,
        password: login.password,
        action: 'save',
      })
    ).body
    expect((await ask(tab, '/api/second-factor/app/start', {}, { 'x-step-up-grant': String(grant) })).status).toBe(200)
  })

  test('has its secret and its codes nowhere in the database in plain text', async () => {
    const { secret, codes } = await withApp()
    const all = await dump(server)
    expect(all).not.toContain(secret)
    for (const code of codes) expect(all).not.toContain(code.replace('-', ''))
    for (const code of codes) expect(all).not.toContain(code)
  })
})

describe('recovery codes', () => {
  test('each opens one session, and the owner is notified', async () => {
    const { login, codes } = await withApp()
    expect(codes).toHaveLength(10)
    const tabs = await Promise.all([signIn(server, login), signIn(server, login)])
    const replies = await Promise.all(tabs.map((tab) => ask(tab, VERIFY, { recovery_code: codes[0]?.toLowerCase() })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422])
    const inside = tabOf(replies.find(({ status }) => status === 200)!)
    expect((await ask(inside, STATUS)).body.recovery_codes).toBe(9)
    const letters = await mailTo(server, login.email)
    expect(letters.some(({ text }) => text.includes('A recovery code was used to sign in.'))).toBe(true)
  })

  test('new ones replace the old ones', async () => {
    const { login, codes, tab } = await withApp()
    const { grant } = (
      await ask(tab, '/api/confirm-enterprise-login', {
        name: login.username,
        password: login.password,
        action: 'save',
      })
    ).body
    const fresh = await ask(tab, '/api/second-factor/recovery-codes', {}, { 'x-step-up-grant': String(grant) })
    expect(fresh.body.recovery_codes).toHaveLength(10)
    const half = await signIn(server, login)
    expect((await ask(half, VERIFY, { recovery_code: codes[1] })).status).toBe(422)
    expect((await ask(half, VERIFY, { recovery_code: (fresh.body.recovery_codes as string[])[1] })).status).toBe(200)
  })
})

describe('a remembered browser', () => {
  const browserOf = (reply: Reply<Record<string, unknown>>) =>
    reply.cookies.find(({ name }) => name === 'pillar_browser')

  test('is off by default; chosen, it skips the second factor of this login for 30 days', async () => {
    const { login, secret } = await withApp()
    const plain = await ask(await signIn(server, login), VERIFY, { code: codeOf(secret) })
    expect(browserOf(plain)).toBeUndefined()
    nextHalfMinute()
    const reply = await ask(await signIn(server, login), VERIFY, { code: codeOf(secret), remember: true })
    const cookie = { cookie: `pillar_browser=${browserOf(reply)?.value}` }
    const enter = (who: TestLogin) =>
      server.call('/api/enterprise-login', { name: who.username, password: who.password }, cookie)
    expect((await enter(login)).body.second_factor).toBe('done')
    const other = await withApp()
    expect((await enter(other.login)).body.second_factor).toBe('check')
    server.clock.offsetMs += 30 * 86_400_000
    expect((await enter(login)).body.second_factor).toBe('check')
  })

  test('is forgotten with a new password', async () => {
    const { login, secret } = await withApp()
    const reply = await ask(await signIn(server, login), VERIFY, { code: codeOf(secret), remember: true })
    const password = 'nine bustards at Birdsville'
    const body = { current_password: login.password, password, password_confirmation: password }
    const changed = await ask(tabOf(reply), '/api/user/change-password', body)
    expect(changed.body.second_factor).toBe('done')
    const cookie = { cookie: `pillar_browser=${browserOf(reply)?.value}` }
    const again = await server.call('/api/enterprise-login', { name: login.username, password }, cookie)
    expect(again.body.second_factor).toBe('check')
  })
})

test('the last one of a person who must have one stays', async () => {
  const { login, tab } = await withApp()
  const grant = async (who: TestLogin, from: Pick<SignedIn, 'bearer' | 'cookie'>) => {
    const body = { name: who.username, password: who.password, action: 'delete' }
    return { 'x-step-up-grant': String((await ask(from, '/api/confirm-enterprise-login', body)).body.grant) }
  }
  const kept = await ask(tab, '/api/second-factor/app/remove', {}, await grant(login, tab))
  expect([kept.status, (await ask(tab, STATUS)).body.app]).toEqual([409, true])
  const free = await withApp(['data_analytics'])
  const gone = await ask(free.tab, '/api/second-factor/app/remove', {}, await grant(free.login, free.tab))
  expect([gone.status, (await signIn(server, free.login)).reply.body.second_factor]).toEqual([200, 'done'])
})

describe('support resets a lost one', () => {
  const reset = async (tab: SignedIn, staff: TestLogin, uuid: string, body: object) => {
    const path = `/api/user/${uuid}/reset/second-factor`
    const confirm = { name: staff.username, password: staff.password, action: 'save', object: uuid }
    const { grant } = (await ask(tab, '/api/confirm-enterprise-login', confirm)).body
    return ask(tab, path, body, { 'x-step-up-grant': String(grant) })
  }

  test('with a reason that both logs keep; sessions end and the owner is notified', async () => {
    const lost = await withApp(['data_analytics'])
    const staff = await withApp()
    const without = await reset(staff.tab as SignedIn, staff.login, lost.login.uuid, { reason: ' ' })
    expect(without.body.message).toBe('Please enter a reason.')
    const reason = 'Lost phone, called back on the number of the pharmacy'
    expect((await reset(staff.tab as SignedIn, staff.login, lost.login.uuid, { reason })).status).toBe(200)
    expect((await ask(lost.tab, STATUS)).status).toBe(401)
    expect((await signIn(server, lost.login)).reply.body.second_factor).toBe('done')
    const rows = await asOwner<{ company_id: number | null; detail: { reason?: string } }>(
      server,
      `select company_id, detail from audit where action = 'secondFactor.reset' and object = $1`,
      [lost.login.uuid],
    )
    expect(rows.some((row) => row.company_id !== null && row.detail.reason === reason)).toBe(true)
    expect((await mailTo(server, lost.login.email))[0]?.text).toContain('reported lost')
  })

  test('but never their own', async () => {
    const staff = await withApp()
    const reply = await reset(staff.tab as SignedIn, staff.login, staff.login.uuid, { reason: 'Because I can' })
    expect(reply.status).toBe(409)
  })
})
