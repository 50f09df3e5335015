import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { asOwner } from '../../test/people.ts'
import { startTestServer, type TestServer } from '../../test/server.ts'
import type { Context } from '../api/context.ts'
import { openErrors, readDsn } from './errors.ts'
import { faultOf, RELEASE, screenFault } from './fault.ts'

/** Personal data and secrets, as database and library errors tend to quote them. */
const CANARIES = ['Ines Moran', '+61400111222', 'ines@mail.example', 'tok_3f9a2b7c1d', 'Bearer abc.def', '2950 12345 1']
const QUOTING = `duplicate key value (name)=(${CANARIES.join(', ')})\n    at Ines Moran (/x/apps/server/src/app.ts:1:1)`

const broken = vi.hoisted(() => ({ error: null as unknown }))
// Test files share loaded modules: this one reloads them around its mock.
vi.hoisted(() => vi.resetModules())
afterAll(() => void vi.resetModules())
vi.mock('../features/index.ts', async (original) => {
  const real = await original<typeof import('../features/index.ts')>()
  const info = (input: never, context: Context) => {
    if (broken.error !== null) throw broken.error
    return real.handlers.portal.info(input, context)
  }
  return { ...real, handlers: { ...real.handlers, portal: { ...real.handlers.portal, info } } }
})

/** A server for as much of the Sentry protocol as we use. */
const received: { url: string; headers: IncomingMessage['headers']; body: string }[] = []
let answer: { status: number; headers?: Record<string, string> } = { status: 200 }
const sentry = createServer((request, reply) => {
  let body = ''
  request.on('data', (chunk: Buffer) => {
    body += chunk.toString()
  })
  request.on('end', () => {
    received.push({ url: request.url ?? '', headers: request.headers, body })
    reply.writeHead(answer.status, answer.headers).end('{}')
  })
})

let kept: TestServer
let sending: TestServer
beforeAll(async () => {
  await new Promise<void>((done) => sentry.listen(0, '127.0.0.1', done))
  const { port } = sentry.address() as { port: number }
  kept = await startTestServer()
  sending = await startTestServer({ env: { SENTRY_DSN: `http://publickey@127.0.0.1:${port}/errors/42` } })
})
afterAll(async () => {
  sentry.close()
  await kept.close()
  await sending.close()
})
afterEach(async () => {
  broken.error = null
  received.length = 0
  answer = { status: 200 }
  for (const server of [kept, sending]) await asOwner(server, 'truncate error_report; truncate throttle')
})

const fail = async (server: TestServer, error: unknown) => {
  broken.error = error
  const reply = await server.call(`/api/portal-info?token=${CANARIES[3]}`, { name: CANARIES[0] })
  expect(reply.status).toBe(500)
  await server.services.errors.flush()
}
const rows = () => asOwner<Record<string, unknown>>(kept, 'select * from error_report order by id')
const quoting = () => Object.assign(new TypeError(QUOTING), { code: '23505', detail: QUOTING, parameters: CANARIES })
const clean = (text: string) => CANARIES.filter((canary) => text.includes(canary))

describe('an uncaught error', () => {
  it('is stored with its name, place and call, without personal data (T37)', async () => {
    await fail(kept, quoting())
    const [row] = await rows()
    expect(row).toMatchObject({
      ...{ source: 'server', name: 'TypeError', code: '23505', call: 'portal.info', status: 500, release: RELEASE },
    })
    expect(row!.frames).toContainEqual({
      ...{ file: 'apps/server/src/gateways/errors.test.ts', function: 'quoting' },
      ...{ line: expect.any(Number), column: expect.any(Number) },
    })
    expect(JSON.stringify(row)).not.toContain('node_modules')
    expect(clean(JSON.stringify(await rows()))).toEqual([])
  })

  it('is sent to SENTRY_DSN as an envelope, without personal data (T37)', async () => {
    await fail(sending, quoting())
    expect(received).toHaveLength(1)
    const [{ url, headers, body }] = received as [(typeof received)[number]]
    expect(url).toBe('/errors/api/42/envelope/')
    expect(headers['content-type']).toBe('application/x-sentry-envelope')
    expect(headers['x-sentry-auth']).toMatch(
      /^Sentry sentry_version=7, sentry_client=pillar\/[\d.]+, sentry_key=publickey$/,
    )
    const [head, item, event] = body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(item).toEqual({ type: 'event' })
    expect(head).toEqual({ event_id: event.event_id, sent_at: event.timestamp })
    expect(event).toMatchObject({
      ...{ event_id: expect.stringMatching(/^[0-9a-f]{32}$/), platform: 'node', level: 'error', release: RELEASE },
      ...{ transaction: 'portal.info', tags: { source: 'server', code: '23505', status: 500 } },
    })
    const [thrown] = event.exception.values
    expect(thrown).toMatchObject({ type: 'TypeError', value: '23505' })
    // Sentry expects the innermost frame last.
    expect(thrown.stacktrace.frames.at(-1)).toMatchObject({ function: 'quoting', in_app: true })
    expect(clean(JSON.stringify(received))).toEqual([])
    expect(await asOwner(sending, 'select 1 from error_report')).toEqual([])
  })

  it.each([null, undefined, 'Ines Moran', 7, {}, { name: 'Ines Moran', code: 'Ines Moran', stack: QUOTING }])(
    'reveals nothing of %j',
    (thrown) => {
      expect(faultOf(thrown)).toMatchObject({ name: 'Error', code: null, frames: [] })
    },
  )

  it('has its place even if the installation’s path contains a space', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pillar with a space '))
    try {
      const inside = (file: string) => join(folder, 'apps/server', file)
      for (const file of ['package.json', 'src/gateways/fault.ts'])
        cpSync(join(import.meta.dirname, '../..', file), inside(file))
      const print = `import { faultOf } from './fault.ts'; console.log(faultOf(new Error('x')).frames[0].file)`
      writeFileSync(inside('src/gateways/print.ts'), print)
      const { stdout, stderr } = spawnSync(process.execPath, [inside('src/gateways/print.ts')], { encoding: 'utf8' })
      expect(stdout || stderr).toBe('apps/server/src/gateways/print.ts\n')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('is deleted after a thousand newer ones', async () => {
    const { errors, pools } = kept.services
    await sql`insert into error_report (source, name, release, frames) select 'server', 'Error', 'old', '[]' from generate_series(1, 1200)`.execute(
      pools.system,
    )
    errors.report(faultOf(new Error('one more')))
    await errors.flush()
    const [{ n, newest }] = (await asOwner(
      kept,
      `select count(*)::int as n, max(release) filter (where id = (select max(id) from error_report)) as newest from error_report`,
    )) as [{ n: number; newest: string }]
    expect([n, newest]).toEqual([1000, RELEASE])
  })

  it('is counted in /metrics, even if it could not be reported', async () => {
    answer = { status: 500 }
    const before = sending.services.errors.counts.server
    await fail(sending, new RangeError('x'))
    expect(sending.services.errors.counts.server).toBe(before + 1)
    const metrics = await sending.app.inject({ method: 'GET', url: '/metrics' })
    expect(metrics.body).toContain(`pillar_errors_reported{source="server"} ${before + 1}`)
  })

  it('waits for nobody: a service that asks to wait gets none of the following errors', async () => {
    answer = { status: 429, headers: { 'retry-after': '30' } }
    await fail(sending, new Error('first'))
    await fail(sending, new Error('second'))
    expect(received).toHaveLength(1)
  })

  it('that the service sends elsewhere is logged as not reported, and no service is left alone for more than an hour', async () => {
    const { port } = sentry.address() as { port: number }
    const said: unknown[] = []
    const log = { warn: (fields: unknown) => said.push(fields) } as never
    const env = { SENTRY_DSN: `http://publickey@127.0.0.1:${port}/errors/42` } as never
    const errors = openErrors(env, sending.services.pools, log)
    const report = () => {
      errors.report(faultOf(new Error('x')))
      return errors.flush()
    }
    answer = { status: 301, headers: { location: `http://127.0.0.1:${port}/elsewhere` } }
    await report()
    expect([said, received.length]).toEqual([[{ reason: 'status 301' }], 1])
    answer = { status: 429, headers: { 'retry-after': '99999999' } }
    await report()
    const hours = performance.now() + 3_601_000
    const clock = vi.spyOn(performance, 'now').mockReturnValue(hours)
    await report()
    clock.mockRestore()
    expect(received).toHaveLength(3)
  })
})

describe('an error on a screen', () => {
  const told = (more: object = {}) => ({
    ...{ name: 'TypeError', page: '/campaigns' },
    frames: [{ file: '/assets/portal-abc123.js', line: 1, column: 52, function: 'render' }],
    ...more,
  })
  const tell = (body: unknown, headers: Record<string, string> = {}) => kept.call('/api/report-error', body, headers)

  it('is accepted without sign-in and stored with only names and places (T37)', async () => {
    expect((await tell(told())).body).toEqual({ taken: true })
    const hostile = { file: `/assets/${CANARIES[2]}`, line: 1, column: 1, function: CANARIES[0] }
    const elsewhere = {
      file: 'https://pillar.example/reset-password/tok_3f9a2b7c1d',
      line: 1,
      column: 1,
      function: 'x',
    }
    const page = `/reset-password/${CANARIES[3]}`
    await tell(told({ name: CANARIES[0], page, message: CANARIES[1], frames: [hostile, elsewhere] }))
    await kept.services.errors.flush()
    const [fine, empty] = await rows()
    expect(fine).toMatchObject({
      source: 'screens',
      name: 'TypeError',
      call: '/campaigns',
      ...{ frames: told().frames },
    })
    expect(empty).toMatchObject({ name: 'Error', call: null, frames: [] })
    expect(clean(JSON.stringify(await rows()))).toEqual([])
  })

  it('is refused from another site, when too long, or too frequent', async () => {
    expect((await tell(told(), { origin: 'https://attacker.example' })).status).toBe(403)
    expect((await tell(told({ name: 'E'.repeat(101) }))).status).toBe(422)
    const replies = await Promise.all(Array.from({ length: 22 }, () => tell(told())))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(20)
    expect(replies.find((reply) => reply.status === 429)?.headers['retry-after']).toBeDefined()
  })

  it('keeps the page only if it is one of our routes', () => {
    expect(screenFault(told(), ['/campaigns']).call).toBe('/campaigns')
    expect(screenFault(told({ page: '/campaigns?find=Ines' }), ['/campaigns']).call).toBeNull()
  })
})

describe('SENTRY_DSN', () => {
  it('is read as the protocol writes it', () => {
    expect(readDsn('https://k@o1.ingest.example/7').url).toBe('https://o1.ingest.example/api/7/envelope/')
    for (const wrong of ['https://o1.ingest.example/7', 'https://k@o1.ingest.example/', 'https://k@host/project']) {
      expect(() => readDsn(wrong)).toThrow(
        'The setting SENTRY_DSN is not usable: it must look like https://key@host/project.',
      )
    }
  })
})
