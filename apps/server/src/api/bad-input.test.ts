import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Call, contract } from '@pillar/contract'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEEP } from '../../test/deep.ts'
import { makeCompany, makeLogin, signIn } from '../../test/people.ts'
import { startTestServer, type TestServer } from '../../test/server.ts'
import { buildApp } from '../app.ts'

const RUNS = DEEP ? 5000 : 300
const SECRET = 'a file outside the folder of the screens'

let server: TestServer
let app: FastifyInstance
let folder: string
let port: number
let bearer: string

beforeAll(async () => {
  server = await startTestServer()
  folder = await mkdtemp(join(tmpdir(), 'pillar-screens-'))
  await mkdir(join(folder, 'dist/assets'), { recursive: true })
  await writeFile(join(folder, 'x'), SECRET)
  await writeFile(join(folder, 'dist/x'), SECRET)
  await writeFile(join(folder, 'dist/assets/app.js'), 'built')
  for (const page of ['index', 'public', 'patient']) await writeFile(join(folder, `dist/${page}.html`), '<p>page')
  app = await buildApp(server.services, join(folder, 'dist'))
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as { port: number }).port
  const login = await makeLogin(server, (await makeCompany(server)).id, { flags: ['data_analytics'] })
  bearer = (await signIn(server, login)).token
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
  await server.close()
})

/** Sends bytes unchanged, because any client would tidy the path first. Returns the status, or 0 if the connection closed without one. */
function send(method: string, path: string, body = ''): Promise<{ status: number; text: string }> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => done({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text }))
    const head = [
      `${method} ${path} HTTP/1.1`,
      'host: localhost',
      'connection: close',
      `authorization: Bearer ${bearer}`,
    ]
    if (method === 'POST') head.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
    socket.write(`${head.join('\r\n')}\r\n\r\n`, 'latin1')
    if (method === 'POST') socket.write(body)
  })
}

const ODD = [
  '..',
  '.',
  '%2e%2e',
  '%2E.',
  '%00',
  '%',
  '%zz',
  '%c0%ae',
  '%ed%a0%80',
  '%ff',
  '\\',
  '%5c',
  '%2f',
  '',
  ' ',
  '//',
]
const ends = fc.oneof(
  fc.constantFrom(
    ...ODD,
    'x',
    'assets',
    'app.js',
    'etc',
    'passwd',
    '\0',
    '\u00ff',
    '*',
    ':id',
    '{id}',
    '?',
    '#',
    ';',
    '~',
  ),
  fc.string({ unit: 'binary-ascii', maxLength: 8 }).map((text) => text.replaceAll(/[\r\n ]/g, '')),
)
const starts = fc.constantFrom(
  ...Array<string>(15).fill('/assets'),
  ...['', '/api', '/api/template', '/consent', '/reset-password', '/unsubscribe-one-click', '/webhooks/sms'],
  ...['/en_gb', '/healthz', '/u', '/download-file', '/metrics', '/api/consent', '/api/validate-unsubscribe'],
)
const paths = fc
  .tuple(starts, fc.array(ends, { minLength: 1, maxLength: 6 }))
  .map(([start, parts]) => `${start}/${parts.join('/')}`)

describe('an invalid path', () => {
  it.each([
    '/assets/../../x',
    '/assets/../x',
    '/assets/..%2f..%2fx',
    '/assets/%2e%2e/%2e%2e/x',
    '/assets/..\\..\\x',
    '/assets/..%5c..%5cx',
    '/assets/%00',
    '/assets/app.js%00.html',
    '/assets/%ed%a0%80',
    '/assets/%zz',
    '/%00',
    '/api/template/%00/edit/enterprise',
    '/consent/%ed%a0%80',
    'http://attacker.example/assets/../../x',
    '*',
  ])('%s is answered, and shows nothing from outside', async (path) => {
    for (const method of ['GET', 'POST', 'HEAD']) {
      const { status, text } = await send(method, path)
      expect([method, status, status >= 200 && status < 500]).toEqual([method, status, true])
      expect(text).not.toContain(SECRET)
      expect(text).not.toMatch(/node_modules|\bat .*\.ts:\d/)
      if (path.startsWith('/assets/')) expect([method, status >= 400]).toEqual([method, true])
    }
  })

  it('never fails the server', async () => {
    const property = fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'DELETE'),
      paths,
      async (method, path) => {
        const { status, text } = await send(method, path, '{}')
        expect([method, path, status, status >= 200 && status < 500]).toEqual([method, path, status, true])
        expect(text).not.toContain(SECRET)
      },
    )
    await fc.assert(property, { numRuns: RUNS })
  })
})

describe('text that cannot be stored', () => {
  const calls = Object.values(contract)
    .flatMap((members) => Object.values(members) as Call[])
    .filter((call) => call.body !== 'multipart')
  const odd = fc.constantFrom('\ud800', '\udfff', 'a\udc00b', '\0', 'a\0b', '\ud83d', '\uffff', '\u202e')
  const text = fc.oneof(
    odd,
    fc.tuple(fc.string(), odd).map(([some, one]) => some + one),
  )

  it('is refused in every field of every call, without a server error', async () => {
    const property = fc.asyncProperty(fc.constantFrom(...calls), text, fc.boolean(), async (call, value, deep) => {
      const fields = Object.keys((call.input as unknown as { shape?: object }).shape ?? {})
      const body = Object.fromEntries(fields.map((field) => [field, deep ? [{ [value]: value }] : value]))
      const path = call.path.replaceAll(/\{\w+\}/g, encodeURIComponent(value.toWellFormed()))
      const { status } = await send('POST', path, JSON.stringify(body))
      expect([call.path, status, status >= 200 && status < 500]).toEqual([call.path, status, true])
    })
    await fc.assert(property, { numRuns: RUNS })
  })

  it.each(['\ud800', 'half a pair \udc00', 'nul \0'])(
    '%j is refused with a sentence in a text field',
    async (value) => {
      const bodies = {
        '/api/enterprise-login': { name: value, password: 'x' },
        '/api/campaign/enterprise/list': { search_term: value },
      }
      for (const [path, body] of Object.entries(bodies)) {
        const { status, text: answer } = await send('POST', path, JSON.stringify(body))
        expect([path, status]).toEqual([path, 422])
        expect(answer).toContain('The request holds a character that cannot be stored.')
      }
    },
  )
})
