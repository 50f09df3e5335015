import { type Call, contract } from '@pillar/contract'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  asOwner,
  makeCompany,
  makeLogin,
  PASSWORD,
  type SignedIn,
  signIn,
  type TestLogin,
} from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'

let server: TestServer
let login: TestLogin
let tab: SignedIn
beforeAll(async () => {
  server = await startTestServer({ env: { PUBLIC_URL: 'http://portal.example' } })
  login = await makeLogin(server, (await makeCompany(server)).id)
  tab = await signIn(server, login)
})
afterAll(() => server.close())

const calls = Object.values(contract).flatMap((group) => Object.values(group) as Call[])
const form = 'name=x&password=y'
const cookieCalls = ['/api/refresh', '/api/logout']

/** Headers that every response carries. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none';script-src 'self';style-src 'self' 'unsafe-inline';frame-src 'self';img-src 'self' data:;font-src 'self';" +
    "connect-src 'self';manifest-src 'self';form-action 'self';object-src 'none';base-uri 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

describe('security headers (T13)', () => {
  it('are on every route and every error', async () => {
    const json = { 'content-type': 'application/json' }
    const requests: [string, number | null, InjectOptions][] = [
      ...calls.map((call): [string, null, InjectOptions] => [
        call.path,
        null,
        { method: 'POST', url: call.path, payload: {} },
      ]),
      ...calls.map((call): [string, number, InjectOptions] => [
        `GET ${call.path}`,
        404,
        { method: 'GET', url: call.path },
      ]),
      ['no such call', 404, { method: 'POST', url: '/api/nothing', payload: {} }],
      ['health', 200, { method: 'GET', url: '/healthz' }],
      ['readiness', 200, { method: 'GET', url: '/readyz' }],
      ['docs', 200, { method: 'GET', url: '/api/docs' }],
      ['metrics', 200, { method: 'GET', url: '/metrics' }],
      ['broken JSON', 422, { method: 'POST', url: '/api/enterprise-login', payload: '{', headers: json }],
      [
        'too large',
        413,
        { method: 'POST', url: '/api/enterprise-login', payload: `"${'x'.repeat(300_000)}"`, headers: json },
      ],
      [
        'form',
        415,
        {
          method: 'POST',
          url: '/api/enterprise-login',
          payload: form,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        },
      ],
      ['refresh', 200, { method: 'POST', url: '/api/refresh', payload: {}, headers: tab.cookie }],
      // Fastify answers both before any hook has run.
      ['not decodable', 404, { method: 'GET', url: '/%' }],
      ['not decodable, a call', 404, { method: 'POST', url: '/api/template/%ff/info/enterprise', payload: {} }],
      [
        'longer than any id',
        401,
        { method: 'POST', url: `/api/template/${'x'.repeat(300)}/info/enterprise`, payload: {} },
      ],
      ['written otherwise', 200, { method: 'POST', url: '/%61pi/portal-info', payload: {} }],
    ]
    for (const [name, status, request] of requests) {
      const reply = await server.app.inject(request)
      if (status !== null) expect([name, reply.statusCode]).toEqual([name, status])
      expect({ name, ...reply.headers }).toMatchObject({ name, ...HEADERS })
      expect(reply.headers).not.toHaveProperty('server')
      expect(reply.headers).not.toHaveProperty('x-powered-by')
      expect(reply.headers).not.toHaveProperty('access-control-allow-origin')
      if (/^\/(?:a|%61)pi\//.test(String(request.url)))
        expect([name, reply.headers['cache-control']]).toEqual([name, 'no-store'])
    }
  })

  it('are on the response when the server fails, which reveals no internals', async () => {
    await asOwner(server, 'alter table session rename to elsewhere')
    try {
      const reply = await server.app.inject({ method: 'POST', url: '/api/refresh', payload: {}, headers: tab.cookie })
      expect(reply.statusCode).toBe(500)
      expect(reply.headers).toMatchObject(HEADERS)
      expect(reply.json()).toEqual({
        code: 'failed',
        message: 'Something went wrong on the server. Nothing was changed. Please try again.',
      })
    } finally {
      await asOwner(server, 'alter table elsewhere rename to session')
    }
  })
})

describe('cross-site requests (T13)', () => {
  const sessions = async () => (await asOwner<{ n: number }>(server, 'select count(*)::int as n from session'))[0]!.n
  const body = () => ({ name: login.username, password: PASSWORD })

  it('are refused and change nothing', async () => {
    const before = await sessions()
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://portal.example.evil.example' },
      { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
    ]
    for (const headers of foreign) {
      for (const path of ['/api/enterprise-login', ...cookieCalls]) {
        const reply = await server.call(path, path === '/api/enterprise-login' ? body() : {}, {
          ...tab.cookie,
          ...headers,
        })
        expect([path, headers, reply.status]).toEqual([path, headers, 403])
        expect(reply.cookies).toEqual([])
      }
    }
    expect(await sessions()).toBe(before)
    expect((await server.call('/api/refresh', {}, tab.cookie)).status).toBe(200)
  })

  it('are refused at every write that needs no sign-in', async () => {
    const writes = calls.filter((call) => call.needs === 'public' && call.kind === 'write')
    expect(writes.length).toBeGreaterThan(5)
    for (const call of writes) {
      const { status } = await server.call(call.path, {}, { origin: 'https://evil.example' }, call.method)
      expect([call.path, status]).toEqual([call.path, 403])
    }
  })

  it('are refused as a form, as plain text, or without a JSON content type', async () => {
    const before = await sessions()
    const shapes: [string | undefined, string][] = [
      ['application/x-www-form-urlencoded', form],
      ['text/plain', JSON.stringify(body())],
      ['multipart/form-data; boundary=b', `--b\r\ncontent-disposition: form-data; name="name"\r\n\r\nx\r\n--b--\r\n`],
      ['application/json-patch', '{}'],
      ['text/plain; application/json', '{}'],
      [undefined, ''],
    ]
    for (const [type, payload] of shapes) {
      // Without a body and its type, a bearer proves that no other site made the request.
      const asked = type ? calls : calls.filter(({ needs }) => needs === 'public' || needs === 'session-cookie')
      for (const call of asked.filter((one) => one.body !== 'multipart' && one.method !== 'DELETE')) {
        const headers = { ...tab.cookie, ...tab.bearer, ...(type ? { 'content-type': type } : {}) }
        const reply = await server.app.inject({ method: 'POST', url: call.path, payload, headers })
        // A caller without the flag is refused first; nobody gets further.
        const expected = reply.statusCode === 401 || reply.statusCode === 403 ? reply.statusCode : 415
        expect([call.path, type, reply.statusCode]).toEqual([call.path, type, expected])
      }
    }
    expect(await sessions()).toBe(before)
    expect((await server.call('/api/refresh', {}, tab.cookie)).status).toBe(200)
  })

  it('an empty body is an empty request, with a bearer or a JSON content type', async () => {
    const path = contract.session.confirmEula.path
    const json = { 'content-type': 'application/json' }
    const bodies: Record<string, string>[] = [{}, json]
    for (const headers of bodies) {
      const reply = await server.app.inject({ method: 'POST', url: path, headers: { ...tab.bearer, ...headers } })
      expect([headers, reply.statusCode]).toEqual([headers, 200])
      const missing = await server.app.inject({
        method: 'POST',
        url: contract.session.changePassword.path,
        headers: { ...tab.bearer, ...headers },
      })
      expect([headers, missing.statusCode]).toEqual([headers, 422])
    }
    const refresh = { method: 'POST', url: '/api/refresh', headers: { ...tab.cookie, ...json } } as const
    expect((await server.app.inject(refresh)).statusCode).toBe(200)
  })

  it('are let through from the portal’s own pages and from programs', async () => {
    for (const headers of [
      { 'sec-fetch-site': 'same-origin', origin: 'http://portal.example' },
      { origin: 'http://portal.example' },
      {} as Record<string, string>,
    ]) {
      expect((await server.call('/api/refresh', {}, { ...tab.cookie, ...headers })).status).toBe(200)
    }
  })
})
