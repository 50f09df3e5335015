import type { Country } from '@pillar/domain/time/locale'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { asOwner } from '../../test/people.ts'
import { startTestServer, type TestServer } from '../../test/server.ts'
import { jobs } from '../features/index.ts'
import { nightOf, startNights } from './night.ts'
import { Foreseen, job, NotAgain, openQueue } from './queue.ts'
import { repeat } from './repeat.ts'

const silent = pino({ level: 'silent' })
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('every failure of a job is logged, without row data', async () => {
  const failing = job({
    name: 'failing',
    payload: z.object({ patient: z.string() }),
    concurrency: () => 1,
    retries: 0,
    run: async () => {
      throw Object.assign(new Error('duplicate key: (Ines Moran)'), { code: '23505' })
    },
  })
  const lines: string[] = []
  const log = pino({}, { write: (line) => void lines.push(line) })
  const queue = await openQueue(server.ownerUrl, [failing], log)
  await queue.work([failing], { ...server.services, log })
  await server.services.pools.system.transaction().execute((tx) => queue.send(tx, failing, { patient: 'Ines Moran' }))
  await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(1)
  await queue.stop()
  expect(JSON.parse(lines[0]!)).toMatchObject({ job: 'failing', reason: '23505', msg: 'a job failed' })
  expect(lines.join()).not.toContain('Moran')
})

it('a start creates the queues that are missing, and writes no other', async () => {
  const written = () => asOwner(server, 'select name, xmin::text from pgboss.queue order by name')
  const missing = job({ name: 'missing', payload: z.object({}), concurrency: () => 1, retries: 0, run: async () => {} })
  const before = await written()
  const queue = await openQueue(server.ownerUrl, [...jobs, missing], silent)
  await queue.stop()
  expect((await written()).filter(({ name }) => name !== missing.name)).toEqual(before)
  expect(await written()).toHaveLength(before.length + 1)
})

it('a failing job is reported and retried, but not reported if a mail server or the database was away', async () => {
  const outages = [new Foreseen('The mail server is away.'), Object.assign(new Error('gone'), { code: '08006' })]
  let tries = 0
  const shaky = job({
    name: 'shaky',
    payload: z.object({}),
    concurrency: () => 1,
    retries: 3,
    run: async () => {
      tries++
      const outage = outages.shift()
      if (outage) throw outage
      if (tries === 3) throw new Error('broken')
    },
  })
  const errors = { ...server.services.errors, report: vi.fn() }
  const queue = await openQueue(server.ownerUrl, [shaky], silent)
  // Its pauses would grow from 2 s.
  await asOwner(server, `update pgboss.queue set retry_delay = 0, retry_backoff = false where name = 'shaky'`)
  await queue.work([shaky], { ...server.services, log: silent, errors })
  await server.services.pools.system.transaction().execute((tx) => queue.send(tx, shaky, {}))
  await expect.poll(() => tries).toBe(4)
  await queue.stop()
  expect(errors.report).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ call: 'job shaky' }))
})

// These wait, so they run at the same time: each has queues of its own.
it.concurrent('a job that nothing else requests is retried a quarter of an hour after it was given up, unless a later one did its work, no later try would help or a week has passed', async ({
  expect,
}) => {
  const done: string[] = []
  let away = true
  const lasting = job({
    ...{ name: 'lasting', payload: z.object({ what: z.string() }), concurrency: () => 1, retries: 0, again: true },
    run: async ({ what }) => {
      if (what === 'E') done.push(what)
      if (what === 'E') throw new NotAgain('nobody wants it')
      if (away) throw new Error('away')
      done.push(what)
    },
  })
  const { again: _, ...rest } = lasting
  const passing = job({ ...rest, name: 'passing' })
  let queue = await openQueue(server.ownerUrl, [lasting, passing], silent)
  const work = () => queue.work([lasting, passing], { ...server.services, log: silent })
  const restart = async () => {
    await queue.stop()
    queue = await openQueue(server.ownerUrl, [lasting, passing], silent)
    await work()
  }
  const send = (which: typeof passing, what: string) =>
    server.services.pools.system.transaction().execute((tx) => queue.send(tx, which, { what }, what))
  const states = async () => {
    const rows = await asOwner<{ job: string }>(
      server,
      `select concat_ws(' ', name, data->>'what', state) as job from pgboss.job where name in ('lasting', 'passing') order by 1`,
    )
    return rows.map((row) => row.job)
  }
  await work()
  for (const what of ['A', 'B', 'D', 'E']) await send(lasting, what)
  await send(passing, 'C')
  const never = ['lasting D failed', 'lasting E failed', 'passing C failed']
  const failed = ['lasting A failed', 'lasting B failed', ...never]
  await expect.poll(states, { timeout: 10_000 }).toEqual(failed)
  away = false
  await send(lasting, 'B')
  await restart()
  await expect
    .poll(states, { timeout: 10_000 })
    .toEqual(['lasting A failed', 'lasting B completed', ...failed.slice(1)])
  await asOwner(
    server,
    `update pgboss.job set completed_on = completed_on - interval '16 minutes' where name <> 'nightly'`,
  )
  await asOwner(server, `update pgboss.job set created_on = created_on - interval '7 days' where data->>'what' = 'D'`)
  await restart()
  await expect
    .poll(states, { timeout: 10_000 })
    .toEqual(['lasting A completed', 'lasting B completed', ...failed.slice(1)])
  expect(done).toEqual(['E', 'B', 'A'])
  await queue.stop()
})

it.concurrent('a nightly job that was given up is retried after growing pauses, and never together with that of the next night', async ({
  expect,
}) => {
  let tries = 0
  let away = true
  const nightly = job({
    ...{ name: 'nightly', payload: z.object({}), nightly: {}, concurrency: () => 1, retries: 0 },
    run: async () => {
      tries++
      if (away) throw new Error('away')
    },
  })
  let queue = await openQueue(server.ownerUrl, [nightly], silent)
  let now = new Date('2026-11-30T15:00:00Z')
  const services = { ...server.services, log: silent, now: () => now }
  /** Starts the queue again `minutes` after the job was given up, and returns the job's state. */
  const after = async (minutes: number) => {
    await queue.stop()
    const ago = `now() - interval '${minutes} minutes'`
    await asOwner(server, `update pgboss.job set completed_on = ${ago} where name = 'nightly'`)
    queue = await openQueue(server.ownerUrl, [nightly], silent)
    await queue.work([nightly], services)
    await queue.onceFor(nightOf(services), nightly, {})
    await new Promise((done) => setTimeout(done, 1_200))
    return tries
  }
  await queue.work([nightly], services)
  await queue.onceFor(nightOf(services), nightly, {})
  await expect.poll(() => tries, { timeout: 10_000 }).toBe(1)
  const triesAfter: number[] = []
  for (const minutes of [14, 16, 29, 31, 59, 61, 59, 61]) triesAfter.push(await after(minutes))
  expect(triesAfter).toEqual([1, 2, 2, 3, 3, 4, 4, 5])
  away = false
  now = new Date('2026-12-01T15:00:00Z')
  expect(await after(61)).toBe(6)
  const states = await asOwner(server, `select state from pgboss.job where name = 'nightly' order by created_on`)
  expect(states).toEqual([{ state: 'failed' }, { state: 'completed' }])
  await queue.stop()
})

it.concurrent('a night’s work is done once, whoever requests it, from two in the morning local to the installation', async ({
  expect,
}) => {
  let done = 0
  const nightly = job({
    ...{ name: 'nightly-work', payload: z.object({}), nightly: {}, concurrency: () => 1, retries: 0 },
    run: async () => void done++,
  })
  const other = job({ ...nightly, name: 'by-day', nightly: undefined })
  const queue = await openQueue(server.ownerUrl, [nightly, other], silent)
  let now = new Date('2026-12-01T14:59:00Z')
  const services = { ...server.services, queue, log: silent, now: () => now }
  await queue.work([nightly, other], services)
  const ask = async () => {
    const stops = Array.from({ length: 5 }, () => startNights(services, [nightly, other]))
    for (const stop of stops) await stop()
    await new Promise((passed) => setTimeout(passed, 1_200))
    return done
  }
  expect([await ask(), await ask()]).toEqual([1, 1])
  now = new Date('2026-12-01T15:00:00Z')
  expect([await ask(), await ask()]).toEqual([2, 2])
  await queue.stop()

  const nights = (COUNTRY: Country, ...times: string[]) =>
    times.map((at) => nightOf({ env: { ...server.services.env, COUNTRY }, now: () => new Date(at) }))
  expect(nights('AU', '2026-12-01T14:59:59Z', '2026-12-01T15:00:00Z')).toEqual(['2026-12-01', '2026-12-02'])
  expect(nights('GB', '2026-12-01T01:59:59Z', '2026-12-01T02:00:00Z')).toEqual(['2026-11-30', '2026-12-01'])
  // Where the clock skips from two to three, and where it shows two o'clock twice.
  const change = ['2026-10-03T15:59:59Z', '2026-10-03T16:00:00Z', '2027-04-03T15:00:00Z', '2027-04-03T16:00:00Z']
  expect(nights('AU', ...change)).toEqual(['2026-10-03', '2026-10-04', '2027-04-04', '2027-04-04'])
})

it.concurrent('no job waits for a time set by a database clock two days ahead, once the clock has been set back', async ({
  expect,
}) => {
  const done: string[] = []
  const late = job({
    ...{ name: 'late', payload: z.object({ what: z.string() }), concurrency: () => 1, retries: 3 },
    run: async ({ what }) => void done.push(what),
  })
  const queue = await openQueue(server.ownerUrl, [late], silent)
  const send = (what: string) =>
    server.services.pools.system.transaction().execute((tx) => queue.send(tx, late, { what }))
  for (const what of ['new', 'retried', 'taken', 'waits']) await send(what)
  const become = (what: string, columns: string) =>
    asOwner(server, `update pgboss.job set ${columns} where name = 'late' and data->>'what' = $1`, [what])
  await become('new', `start_after = now() + interval '2 days'`)
  await become('retried', `state = 'retry', start_after = now() + interval '2 days'`)
  // Its worker died before the clock was set back: its quarter of an hour counts from now.
  await become('taken', `state = 'active', started_on = now() + interval '2 days'`)
  await become('waits', `state = 'retry', start_after = now() + interval '50 minutes'`)
  await queue.work([late], { ...server.services, log: silent })
  await expect.poll(() => done.toSorted(), { timeout: 10_000 }).toEqual(['new', 'retried'])
  const [taken] = await asOwner<{ soon: boolean }>(
    server,
    `select started_on <= now() as soon from pgboss.job where name = 'late' and data->>'what' = 'taken'`,
  )
  expect(taken).toEqual({ soon: true })
  await queue.stop()
})

it('every job is retried once it was given up, except those requested otherwise or no longer wanted', () => {
  const once = jobs.filter(({ again, nightly }) => !again && nightly === undefined).map(({ name }) => name)
  expect(once.toSorted()).toEqual(
    [
      // Covered by the searches for waiting uploads, unwritten runs and last month's sums, and by the next upload.
      ...['etl-load', 'prepare-run', 'sixty-day', 'count-recommendations'],
      // Support waits for it on a screen, and requests it again.
      ...['verify-audit', 'test-message', 'contact-code', 'forecast-invitations'],
    ].toSorted(),
  )
})

const HOUR = 3_600_000

it('a repeated task runs again at once while there is more to do, otherwise after its interval, and goes on after a failure', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const rounds = [true, true, false, new Error('away'), true, 'more']
    let done = 0
    const stop = repeat({ log: silent }, 'counting', HOUR, async () => {
      const round = rounds[done++]
      if (round instanceof Error) throw round
      return round
    })
    await vi.advanceTimersByTimeAsync(HOUR / 2)
    expect(done).toBe(3)
    await vi.advanceTimersByTimeAsync(HOUR)
    expect(done).toBe(4)
    await vi.advanceTimersByTimeAsync(HOUR)
    expect(done).toBe(6)
    await stop()
    await vi.advanceTimersByTimeAsync(HOUR * 2)
    expect(done).toBe(6)
  } finally {
    vi.useRealTimers()
  }
})

it('a repeated task stops after the work in progress', async () => {
  let finish = () => {}
  const stop = repeat({ log: silent }, 'counting', HOUR, () => new Promise<void>((done) => (finish = done)))
  let stopped = false
  const stopping = stop().then(() => {
    stopped = true
  })
  await new Promise((later) => setImmediate(later))
  expect(stopped).toBe(false)
  finish()
  await stopping
})

it('a round that keeps failing for one reason is logged once, not each time', async () => {
  const lines: string[] = []
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line).reason) })
  let rounds = 0
  const stop = repeat({ log }, 'counting', 1, async () => {
    rounds++
    throw Object.assign(new Error('gone'), { code: rounds < 20 ? '08006' : '57014' })
  })
  await expect.poll(() => rounds).toBeGreaterThan(40)
  await stop()
  expect(lines).toEqual(['08006', '57014'])
})
