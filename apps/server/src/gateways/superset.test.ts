import { decodeJwt } from 'jose'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type FakeSuperset, startSuperset } from '../../test/outside/superset.ts'
import { companyClause, openSuperset, type Superset } from './superset.ts'

const DASHBOARD = '0192c0de-0009-7000-8000-000000000001'
const ask = { dashboardId: DASHBOARD, username: 'sunita', companyId: 42 }
const opened: FakeSuperset[] = []
let superset: FakeSuperset
let gateway: Superset
const open = (more: object = {}) =>
  openSuperset({ SUPERSET_URL: superset.url, SUPERSET_USER: 'pillar', SUPERSET_PASSWORD: 'a long password', ...more })!
beforeEach(async () => {
  superset = await startSuperset()
  opened.push(superset)
  superset.dashboards = [DASHBOARD]
  gateway = open()
})
afterAll(() => Promise.all(opened.map((one) => one.close())))

const paths = () => superset.heard.map((one) => one.url.pathname.replace('/api/v1/security/', ''))

describe('a token for a dashboard of Superset', () => {
  it('is made with a sign-in, a form token with its cookie, the user, and a row filter of the company', async () => {
    const claims = decodeJwt(await gateway.guestToken(ask))
    expect(paths()).toEqual(['login', 'csrf_token/', 'guest_token/'])
    expect(superset.asked).toEqual([
      {
        user: { username: 'sunita', first_name: '', last_name: '' },
        resources: [{ type: 'dashboard', id: DASHBOARD }],
        rls: [{ clause: 'company_id = 42' }],
      },
    ])
    expect(claims).toMatchObject({ type: 'guest', resources: [{ id: DASHBOARD }] })
  })

  it('needs one sign-in for many, also at the same time', async () => {
    await Promise.all([gateway.guestToken(ask), gateway.guestToken(ask)])
    await gateway.guestToken(ask)
    expect(paths().filter((path) => path === 'login')).toHaveLength(1)
  })

  it('is made after signing in again, once, when the access token has expired', async () => {
    await gateway.guestToken(ask)
    superset.expire()
    await gateway.guestToken(ask)
    expect(paths().filter((path) => path === 'login')).toHaveLength(2)
    const answer = superset.answer
    superset.answer = (heard, response) => {
      if (!heard.url.pathname.endsWith('csrf_token/')) return answer(heard, response)
      response.writeHead(401).end('{}')
      return undefined
    }
    await expect(gateway.guestToken(ask)).rejects.toThrow('does not let our account make dashboard tokens')
    expect(paths().filter((path) => path === 'login')).toHaveLength(3)
  })

  it.each([
    [
      'the account is wrong',
      () => open({ SUPERSET_PASSWORD: 'another' }),
      'The analytics server does not accept our account.',
    ],
    [
      'it does not know the dashboard',
      () => {
        superset.dashboards = []
        return gateway
      },
      'does not know this dashboard',
    ],
  ])('is refused in a sentence when %s', async (_, prepare, words) => {
    await expect(prepare().guestToken(ask)).rejects.toThrow(words)
  })

  it.each([
    ['the form token', 'x-csrftoken'],
    ['the session cookie', 'cookie'],
    ['the referrer', 'referer'],
  ])('would not be given without %s', async (_, header) => {
    const answer = superset.answer
    superset.answer = (heard, response) => {
      if (heard.url.pathname.endsWith('guest_token/')) delete heard.headers[header]
      return answer(heard, response)
    }
    await expect(gateway.guestToken(ask)).rejects.toThrow('refuses to embed it')
  })

  it('is a sentence when the server is away, hangs up, or answers something else', async () => {
    superset.answer = () => false
    await expect(gateway.guestToken(ask)).rejects.toThrow('The analytics server cannot be reached: it broke off')
    superset.answer = (_heard, response) => void response.end('<html>')
    await expect(gateway.guestToken(ask)).rejects.toThrow('holds no sign-in')
    superset.answer = (_heard, response) => void response.writeHead(502).end()
    await expect(gateway.guestToken(ask)).rejects.toThrow('answered 502')
    const away = open({ SUPERSET_URL: 'http://127.0.0.1:9' })
    await expect(away.guestToken(ask)).rejects.toThrow('it refused the connection')
  })

  it('is given up when all its requests together take too long', async () => {
    const { answer } = superset
    superset.answer = async (heard, response) => {
      await new Promise((done) => setTimeout(done, 300))
      return answer(heard, response)
    }
    const env = { SUPERSET_URL: superset.url, SUPERSET_USER: 'pillar', SUPERSET_PASSWORD: 'a long password' }
    const hasty = openSuperset(env, 500)!
    const began = performance.now()
    await expect(hasty.guestToken(ask)).rejects.toThrow('it did not answer in time')
    expect(performance.now() - began).toBeLessThan(590)
    // The successful sign-in is kept: the rest is done in the time left.
    await expect(openSuperset(env, 2_000)!.guestToken(ask)).resolves.toBeTypeOf('string')
  })

  it('signs in anew after a sign-in that failed', async () => {
    const { answer } = superset
    superset.answer = () => false
    await expect(gateway.guestToken(ask)).rejects.toThrow()
    superset.answer = answer
    await expect(gateway.guestToken(ask)).resolves.toBeTypeOf('string')
  })
})

describe('the settings of Superset', () => {
  it('need an account', () => {
    expect(() => open({ SUPERSET_USER: undefined })).toThrow('set SUPERSET_USER and SUPERSET_PASSWORD')
    expect(open({ SUPERSET_URL: undefined })).toBeNull()
  })

  it('make a row filter of whole numbers alone', () => {
    expect(companyClause(7)).toBe('company_id = 7')
    for (const bad of [0, -1, 1.5, Number.NaN, '1 or 1=1' as never]) expect(() => companyClause(bad)).toThrow()
  })
})
