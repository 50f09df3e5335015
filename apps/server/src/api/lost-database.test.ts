import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type DatabaseProxy, databaseProxy } from '../../test/database-proxy.ts'
import { asOwner } from '../../test/people.ts'
import { startTestServer, type TestServer } from '../../test/server.ts'
import { DatabaseAway, isLost } from '../db/away.ts'
import { withDeadline } from '../db/deadline.ts'
import { inScope } from '../db/scope.ts'

const SECRET = 'a-secret-of-sixteen-or-more'
/** Simultaneous requests; more than the pool has connections. */
const CALLERS = 24
const AWAY = 'The database does not answer. Nothing was changed. Please try again in a moment.'
const IN_DOUBT =
  'The database stopped answering while this was being saved, so it may or may not have been saved. Look before you try again.'

let server: TestServer
let proxy: DatabaseProxy
let events = 0
beforeAll(async () => {
  server = await startTestServer({
    env: {
      SMS_GATEWAY: 'http',
      SMS_SENDER: '+61400000000',
      PUBLIC_URL: 'http://localhost:3000',
      SMS_HTTP_URL: 'http://127.0.0.1:9/?to={to}&text={text}',
      SMS_HTTP_SECRET: SECRET,
    },
    way: async (url) => {
      proxy = await databaseProxy(url)
      return proxy.url
    },
  })
})
afterAll(async () => {
  await server.close()
  await proxy.close()
})
afterEach(() => proxy.become('open'))

interface Answered {
  status: number
  ms: number
  body: { code?: string; message?: string }
  retryAfter: unknown
}

async function timed(asked: Promise<{ status: number; body: unknown; headers: Record<string, unknown> }>) {
  const began = performance.now()
  const { status, body, headers } = await asked
  return { status, body, ms: performance.now() - began, retryAfter: headers['retry-after'] } as Answered
}

/** A read that asks the database who the caller is. */
const read = () => timed(server.call('/api/enterprise-init-info', {}, { authorization: 'Bearer nobodys' }))

/** A write: a patient's text is stored before the gateway gets its answer. */
const write = (id = `event-${events++}`) => timed(server.call(reply(id)))
const reply = (id: string) =>
  `/webhooks/sms/http/reply?secret=${SECRET}&from=%2B61411111111&to=%2B61400000000&text=yes&id=${id}`

/** The statuses of a few simultaneous reads and writes. */
const few = async () => {
  const answers = await Promise.all([...Array.from({ length: 12 }, read), ...Array.from({ length: 4 }, () => write())])
  return new Set(answers.map(({ status }) => status))
}

async function readyWithin(ms: number): Promise<void> {
  for (const began = performance.now(); ; ) {
    const { statusCode } = await server.app.inject({ method: 'GET', url: '/readyz' })
    if (statusCode === 200) return
    if (performance.now() - began > ms) throw new Error(`not ready ${ms} ms after the database came back`)
  }
}

describe('an unresponsive database', () => {
  it('delays no request by 10 s, and is used again as soon as it is back', { timeout: 90_000 }, async () => {
    expect(await few()).toEqual(new Set([401, 200]))
    proxy.become('silent')
    const answers = await Promise.all([
      ...Array.from({ length: CALLERS }, read),
      ...Array.from({ length: CALLERS }, () => write()),
    ])
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(10_000)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    for (const { body, retryAfter } of answers) {
      expect([body.code, [AWAY, IN_DOUBT].includes(body.message!), retryAfter]).toEqual(['unavailable', true, '5'])
    }
    const reply = await server.app.inject({ method: 'GET', url: '/readyz' })
    expect([reply.statusCode, reply.json()]).toEqual([
      503,
      { status: 'not ready', missing: ['The database does not answer.', 'The job queue does not answer.'] },
    ])
    expect((await server.app.inject({ method: 'GET', url: '/healthz' })).statusCode).toBe(200)
    proxy.become('open')
    await readyWithin(15_000)
    // Every open connection hangs half-open: none may be handed out.
    expect(await few()).toEqual(new Set([401, 200]))
  })

  it('of connections that died unnoticed, at most one request fails', { timeout: 60_000 }, async () => {
    await few()
    proxy.become('silent')
    await new Promise((done) => setTimeout(done, 100))
    // A write that reached nobody hangs on one connection; the others are idle.
    const first = read()
    await new Promise((done) => setTimeout(done, 500))
    proxy.become('open')
    expect((await first).status).toBe(503)
    const after = await Promise.all(Array.from({ length: 12 }, read))
    expect(after.filter(({ status }) => status !== 401)).toEqual([])
    expect(Math.max(...after.map(({ ms }) => ms))).toBeLessThan(5000)
  })
})

describe('a database that answers 3 s late', () => {
  it('delays no request by 10 s', { timeout: 60_000 }, async () => {
    proxy.become({ lateMs: 3000 })
    const answers = await Promise.all([...Array.from({ length: 6 }, read), ...Array.from({ length: 6 }, () => write())])
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(10_000)
    expect(answers.filter(({ status }) => ![401, 200, 503].includes(status))).toEqual([])
    proxy.become('open')
    await readyWithin(15_000)
  })
})

describe('connections that are reset', () => {
  it('give their requests a 503, and affect nobody else', { timeout: 60_000 }, async () => {
    await readyWithin(15_000)
    for (let round = 0; round < 5; round++) {
      proxy.become({ lateMs: 200 })
      const under = Promise.all([...Array.from({ length: 8 }, read), ...Array.from({ length: 8 }, () => write())])
      await new Promise((done) => setTimeout(done, 100))
      proxy.reset()
      proxy.become('open')
      const answers = await under
      expect(answers.filter(({ status }) => ![401, 200, 503].includes(status))).toEqual([])
      expect(await few()).toEqual(new Set([401, 200]))
    }
  })
})

describe('a commit whose answer is lost', () => {
  it('is reported as uncertain, not as unchanged', { timeout: 30_000 }, async () => {
    const scope = { companyId: 1, locationIds: [] }
    const failed = (readOnly: boolean) =>
      inScope(server.services.pools.app, scope, async (tx) => {
        if (readOnly) await sql`set transaction read only`.execute(tx)
        await sql`select 1`.execute(tx)
        proxy.become({ lateMs: 300 })
        setTimeout(() => proxy.reset(), 100)
      }).catch((error: unknown) => error)
    const error = await failed(false)
    expect(error).toBeInstanceOf(DatabaseAway)
    expect(error).toMatchObject({ inDoubt: true, code: '08006' })
    proxy.become('open')
    expect(await failed(true)).toMatchObject({ inDoubt: false, code: '08006' })
  })
})

describe('the limit of a query', () => {
  it('applies to the transaction, so a job may take longer than a request', { timeout: 60_000 }, async () => {
    const { app } = server.services.pools
    const scope = { companyId: 1, locationIds: [] }
    const seconds = (time: number, limit?: string) =>
      inScope(app, scope, async (tx) => {
        if (limit) await sql.raw(`set local statement_timeout = ${limit}`).execute(tx)
        await sql`select pg_sleep(${time})`.execute(tx)
        return 'done'
      })
    const asked = Promise.all([
      seconds(12, `'120s'`),
      seconds(12).catch((error: { code?: string }) => error.code),
      withDeadline({ ends: performance.now() + 1000 }, () => seconds(12)).catch((error: unknown) => error),
    ])
    const running = `select 1 from pg_stat_activity where query like 'select pg_sleep%' and state = 'active' and datname = current_database()`
    await expect.poll(async () => (await asOwner(server, running)).length).toBeGreaterThan(1)
    const [long, stopped, request] = await asked
    expect([long, stopped]).toEqual(['done', '57014'])
    expect(request).toBeInstanceOf(DatabaseAway)
    expect(await seconds(0)).toBe('done')
    // The request's connection was given up, and PostgreSQL noticed that nobody waits.
    expect(await asOwner(server, running)).toEqual([])
  })
})

/** A write during which the database raises this error; the next one is fine. */
async function writeMeeting(code: string): Promise<Answered> {
  await asOwner(
    server,
    `create function give_way() returns trigger language plpgsql as $$ begin raise exception 'no' using errcode = '${code}'; end $$;
     create trigger give_way before insert on gateway_event for each row execute function give_way()`,
  )
  const told = await write()
  await asOwner(server, 'drop function give_way cascade')
  expect((await write()).status).toBe(200)
  return told
}

it.each(['40P01', '40001', '55P03'])(
  'a write that yields to others (%s) is not our fault, and may be retried',
  async (code) => {
    const told = await writeMeeting(code)
    expect([told.status, told.retryAfter, told.body.message]).toEqual([
      503,
      '1',
      'Something else was changing the same at that moment. Nothing was changed. Please try again.',
    ])
  },
)

it.each([
  [
    '53100',
    507,
    '300',
    'The disk of the server is full. Nothing was changed. Please try again later; support can make room.',
  ],
  [
    '57014',
    503,
    '10',
    'The database is too busy to answer in time. Nothing was changed. Please try again in a moment.',
  ],
])(
  'a write that the database ends with %s is refused with a sentence of its own',
  async (code, status, after, says) => {
    const told = await writeMeeting(code)
    expect([told.status, told.retryAfter, told.body.message]).toEqual([status, after, says])
  },
)

const failedWith = (code: string, message: string) =>
  Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code })

it('a worker that goes away behind the coordinator is a lost connection; any other inner error is not', () => {
  expect(isLost(failedWith('08006', 'connection to the remote node failed'))).toBe(true)
  expect(isLost(failedWith('XX000', 'failure on connection marked as essential: 10.0.0.21:5432'))).toBe(true)
  expect(isLost(failedWith('XX000', 'terminating connection due to unexpected postmaster exit'))).toBe(true)
  expect(isLost(failedWith('XX000', 'cache lookup failed for type 16385'))).toBe(false)
  expect(isLost(failedWith('23505', 'failure on connection marked as essential: 10.0.0.21:5432'))).toBe(false)
})
