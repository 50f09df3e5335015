import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import cookie from '@fastify/cookie'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import type { Services } from '../context.ts'
import { DOCUMENTS, mountPages, pageOf } from './pages.ts'
import { tellScreens } from './screens.ts'

it('serves each address its page, and the Outbox inside the portal to signed-in people', () => {
  for (const [path, stranger, signedIn] of [
    ['/', 'index.html', 'index.html'],
    ['/login', 'public.html', 'public.html'],
    ['/en_gb/reset-password/token', 'public.html', 'public.html'],
    ['/clinicaltrial/code/withdraw', 'patient.html', 'patient.html'],
    ['/calculator', 'signup.html', 'signup.html'],
    ['/en_gb/calculator/code', 'signup.html', 'signup.html'],
    ['/u/code', 'patient.html', 'patient.html'],
    ['/outbox', 'public.html', 'index.html'],
    ['/en_us/outbox/', 'public.html', 'index.html'],
    ['/outboxes', 'index.html', 'index.html'],
  ] as const) {
    expect([path, pageOf(path, false), pageOf(path, true)]).toEqual([path, stranger, signedIn])
  }
})

it('serves the documents for reading in our own page only', async () => {
  const app = Fastify()
  const folder = fileURLToPath(new URL('../../../../web/public', import.meta.url))
  await mountPages(app, folder, { env: {} } as Services)
  for (const name of DOCUMENTS) {
    const reply = await app.inject({ method: 'GET', url: `/${name}` })
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/pdf'])
    expect(reply.headers['content-security-policy']).toContain("frame-ancestors 'self'")
    expect(reply.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  }
  await app.close()
})

it('lets no browser keep a page, and no other site show one', async () => {
  const app = Fastify()
  await app.register(cookie)
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'x-frame-options': 'DENY', 'content-security-policy': "frame-ancestors 'none'" })
  })
  const env = { DATA_DIR: join(tmpdir(), 'pillar-nowhere') }
  const services = { env, publicUrl: () => 'https://pillar.example' } as Services
  await mountPages(app, fileURLToPath(new URL('../../../../web', import.meta.url)), services)
  for (const [url, frame, ancestors] of [
    ['/login', 'DENY', "frame-ancestors 'none'"],
    ['/consent/code', 'DENY', "frame-ancestors 'none'"],
    ['/embedded/00000000-0000-4000-8000-000000000000', undefined, 'frame-ancestors https://pillar.example'],
  ] as const) {
    const { headers } = await app.inject({ method: 'GET', url })
    expect([url, headers['cache-control']]).toEqual([url, 'no-store'])
    expect([url, headers['x-frame-options'], headers['content-security-policy']]).toEqual([url, frame, ancestors])
  }
  // A script of an earlier version that is gone is no page.
  expect((await app.inject({ method: 'GET', url: '/assets/gone.js' })).statusCode).toBe(404)
  await app.close()
})

it('answers a HEAD like a GET: what checks links before people open them takes a 404 for a dead one', async () => {
  const app = Fastify()
  await app.register(cookie)
  await mountPages(app, fileURLToPath(new URL('../../../../web', import.meta.url)), { env: {} } as Services)
  const head = (url: string) => app.inject({ method: 'HEAD', url })
  for (const url of ['/login', '/unsubscribe/code', '/u/code', '/consent/code']) {
    const { statusCode, headers } = await head(url)
    expect([url, statusCode, headers['content-type']]).toEqual([url, 200, 'text/html; charset=utf-8'])
  }
  for (const url of ['/api/none', '/webhooks/none']) expect([url, (await head(url)).statusCode]).toEqual([url, 404])
  await app.close()
})

it('redirects a country in capitals to the same page, with the rest of the address', async () => {
  const app = Fastify()
  await mountPages(app, fileURLToPath(new URL('../../../../web', import.meta.url)), { env: {} } as Services)
  for (const [url, to] of [
    ['/en_GB', '/en_gb'],
    ['/en_US/campaigns?campaign=1', '/en_us/campaigns?campaign=1'],
    ['/EN_gb/reset-password/aBc', '/en_gb/reset-password/aBc'],
    ['/en_GB//evil.example', '/en_gb//evil.example'],
  ] as const) {
    const reply = await app.inject({ method: 'GET', url })
    expect([url, reply.statusCode, reply.headers.location]).toEqual([url, 308, to])
  }
  await app.close()
})

it('tells with every answer to a call which screens it serves, as long as they are built', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pillar-screens-'))
  const told = async (path: string) => {
    const app = Fastify()
    tellScreens(app, folder)
    app.get('/api/x', async () => 'x')
    app.get('/x', async () => 'x')
    const { headers } = await app.inject({ method: 'GET', url: path })
    await app.close()
    return headers['x-pillar-screens']
  }
  expect(await told('/api/x')).toBeUndefined()
  const script = '<script type="module" crossorigin src="/assets/index-8nSF_i-t.js"></script>'
  writeFileSync(join(folder, 'index.html'), `<script src="/assets/scheme-1.js"></script>${script}`)
  expect([await told('/api/x'), await told('/api/none'), await told('/x')]).toEqual([
    ...['index-8nSF_i-t.js', 'index-8nSF_i-t.js'],
    undefined,
  ])
  rmSync(folder, { recursive: true })
})
