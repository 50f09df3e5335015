import { PgBoss } from 'pg-boss'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { job, openQueue } from '../../src/api/queue.ts'
import { asOwner } from '../people.ts'
import { startTestServer, type TestServer } from '../server.ts'

const silent = pino({ level: 'silent' })
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('a job that runs for hours is not begun again beside itself, and one whose worker died is within minutes', async () => {
  const begun: (() => void)[] = []
  const long = job({
    ...{ name: 'long', payload: z.object({}), concurrency: () => 2, retries: 3 },
    run: () => new Promise<void>((done) => void begun.push(done)),
  })
  // As an earlier version made it.
  const supervisor = new PgBoss({
    connectionString: server.ownerUrl,
    migrate: false,
    supervise: false,
    schedule: false,
  })
  supervisor.on('error', () => {})
  await supervisor.start()
  await supervisor.createQueue('long', { expireInSeconds: 900 })
  const queue = await openQueue(server.ownerUrl, [long], silent)
  await queue.work([long], { ...server.services, log: silent })
  await server.services.pools.system.transaction().execute((tx) => queue.send(tx, long, {}))
  await expect.poll(() => begun.length, { timeout: 10_000 }).toBe(1)
  const after = async (what: string) => {
    await asOwner(server, `update pgboss.job set ${what} where name = 'long'`)
    await asOwner(server, `update pgboss.queue set monitor_on = null, monitor_claim_on = null where name = 'long'`)
    await supervisor.supervise('long')
  }
  await after(`started_on = now() - interval '3 hours', heartbeat_on = now() - interval '80 seconds'`)
  const [now] = await asOwner(server, `select state, retry_count from pgboss.job where name = 'long'`)
  expect(now).toEqual({ state: 'active', retry_count: 0 })
  await after(`heartbeat_on = now() - interval '121 seconds'`)
  await expect.poll(() => begun.length, { timeout: 10_000 }).toBe(2)
  for (const finish of begun) finish()
  await Promise.all([queue.stop(), supervisor.stop()])
})

it('a worker that is told to stop returns a job it cannot finish in time, and another worker takes it within seconds', async () => {
  const begun: string[] = []
  const endless = (who: string) =>
    job({
      ...{ name: 'endless', payload: z.object({}), concurrency: () => 1, retries: 3 },
      run: () => new Promise<void>((done) => void (begun.push(who) > 1 && done())),
    })
  const open = async (who: string) => {
    const queue = await openQueue(server.ownerUrl, [endless(who)], silent)
    await queue.work([endless(who)], { ...server.services, log: silent })
    return queue
  }
  const first = await open('first')
  await server.services.pools.system.transaction().execute((tx) => first.send(tx, endless('first'), {}))
  await expect.poll(() => begun, { timeout: 10_000 }).toEqual(['first'])
  const second = await open('second')
  await first.stop()
  await expect.poll(() => begun, { timeout: 10_000 }).toEqual(['first', 'second'])
  await second.stop()
}, 90_000)
