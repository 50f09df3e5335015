import type { Refusal } from '@pillar/contract'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../test/server.ts'
import type { Services } from './context.ts'
import { watchHosts } from './host.ts'

let bare: TestServer
let named: TestServer
beforeAll(async () => {
  bare = await startTestServer({ env: { HOST: '0.0.0.0' } })
  const env = { PUBLIC_URL: 'https://Pillar.example:8443/', HOSTS: 'pillar, 10.0.0.7 ,[2001:db8::7]' }
  named = await startTestServer({ env: { ...env, METRICS_TOKEN: 'a-token-of-sixteen-and-more' } })
})
afterAll(async () => {
  await bare.close()
  await named.close()
})

const OURS = ['localhost', 'LOCALHOST:3000', 'localhost.', '127.0.0.1:3000', '127.8.9.10', '[::1]:3000']
const FORGED = [
  'attacker.example',
  'localhost.attacker.example',
  'attacker.example#localhost',
  'localhost@attacker.example',
  'attacker.example/localhost',
  '127.0.0.1.attacker.example',
  '[::1].attacker.example',
  '203.0.113.4',
  '[2001:db8::1]',
  '169.254.169.254',
  'localhost attacker.example',
]
const PLACES = [
  ['POST', '/api/portal-info'],
  ['POST', '/api/enterprise-login'],
  ['POST', '/api/outbox'],
  ['POST', '/api/campaign/enterprise/list'],
  ['GET', '/api/docs'],
  ['GET', '/'],
  ['GET', '/login'],
  ['GET', '/unsubscribe/x'],
  ['POST', '/unsubscribe-one-click/x'],
  ['GET', '/assets/x.js'],
  ['POST', '/webhooks/sms/twilio/reply'],
  ['GET', '/metrics'],
  ['GET', '/nothing'],
] as const

const statusOf = async (server: TestServer, method: 'GET' | 'POST', url: string, headers: Record<string, string>) =>
  (await server.app.inject({ method, url, headers, ...(method === 'POST' ? { payload: {} } : {}) })).statusCode

describe('the host name of a request', () => {
  it.each(PLACES)('is refused at %s %s if it is not ours', async (method, url) => {
    for (const host of FORGED) {
      if (url === '/metrics') expect([host, await statusOf(bare, method, url, { host })]).toEqual([host, 421])
      else {
        for (const server of [bare, named]) {
          expect([host, await statusOf(server, method, url, { host })]).toEqual([host, 421])
        }
      }
      // A proxy on this machine is trusted, so the host it passes on is checked as well.
      const headers = { host: 'localhost', 'x-forwarded-host': host }
      expect([host, await statusOf(bare, method, url, headers)]).toEqual([host, 421])
      // A page under a name made to point here can write that header, and must not pass for a proxy.
      const posing = { host, 'x-forwarded-host': 'localhost' }
      expect([host, await statusOf(bare, method, url, posing)]).toEqual([host, 421])
    }
  })

  it('is accepted if it is ours: this machine, PUBLIC_URL, HOSTS', async () => {
    for (const host of OURS) {
      expect([host, await statusOf(bare, 'POST', '/api/portal-info', { host })]).toEqual([host, 200])
      expect([host, await statusOf(named, 'POST', '/api/portal-info', { host })]).toEqual([host, 200])
    }
    for (const host of ['pillar.example', 'PILLAR.example:8443', 'pillar', '10.0.0.7:3000', '[2001:db8::7]']) {
      expect([host, await statusOf(bare, 'POST', '/api/portal-info', { host })]).toEqual([host, 421])
      expect([host, await statusOf(named, 'POST', '/api/portal-info', { host })]).toEqual([host, 200])
    }
  })

  it('leads to boards and nothing else if it is theirs', async () => {
    const app = Fastify()
    const env = { HOST: '127.0.0.1', HOSTS: [], BOARDS_URL: 'https://boards.example' }
    watchHosts(app, { env, publicUrl: () => 'https://pillar.example' } as unknown as Services)
    app.setErrorHandler((error: Refusal, _request, reply) => reply.status(error.status).send())
    app.get('/*', async () => 'here')
    const statusAt = async (host: string, url: string) =>
      (await app.inject({ method: 'GET', url, headers: { host } })).statusCode
    for (const url of ['/', '/login', '/api/docs', '/api/board-data/more', '/embedded'])
      expect([url, await statusAt('boards.example', url), await statusAt('pillar.example', url)]).toEqual([
        url,
        404,
        200,
      ])
    for (const url of ['/embedded/x?theme=dark', '/assets/x.js', '/api/board-data'])
      expect([url, await statusAt('boards.example', url)]).toEqual([url, 200])
    await app.close()
  })

  it('is refused with what to do', async () => {
    const reply = await bare.call('/api/portal-info', {}, { host: 'attacker.example' })
    expect(reply.body).toEqual({
      code: 'misdirected',
      message: 'This server does not go by that name. Open it by the address you were given.',
    })
  })

  it('does not matter to load balancers, and to metrics with a token', async () => {
    for (const url of ['/healthz', '/readyz']) expect(await statusOf(named, 'GET', url, { host: '10.1.2.3' })).toBe(200)
    expect(await statusOf(named, 'GET', '/metrics', { host: '10.1.2.3' })).toBe(401)
  })
})
