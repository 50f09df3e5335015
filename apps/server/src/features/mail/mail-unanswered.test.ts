import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { type MailServer, startMailServer } from '../../../test/outside/mail-server.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { Queue } from '../../api/context.ts'
import { openQueue } from '../../api/queue.ts'
import { queueMail, sendMail } from './mail.jobs.ts'

let smtp: MailServer
let server: TestServer
let queue: Queue
const lines: string[] = []
const log = pino({}, { write: (line) => void lines.push(line) })
beforeAll(async () => {
  smtp = await startMailServer()
  server = await startTestServer({ env: { SMTP_URL: smtp.url } })
})
afterAll(async () => {
  await server.close()
  smtp.close()
})
beforeEach(async () => {
  smtp.received.length = lines.length = 0
  smtp.answer = '250 taken'
  smtp.after = Promise.resolve()
  await asOwner(server, `truncate mail restart identity; delete from pgboss.job where name = 'mail'`)
  queue = await openQueue(server.ownerUrl, [sendMail], log)
  await queue.work([sendMail], { ...server.services, log })
})
afterEach(() => queue.stop())

const post = () =>
  server.services.pools.system
    .transaction()
    .execute((tx) => queueMail(tx, server.services, { to: 'robin@mail.example', subject: 'Hello', text: 'Hi.' }))
const job = async () => (await asOwner(server, `select * from pgboss.job where name = 'mail'`))[0]!
const untilIt = (state: string, tries: number) =>
  expect.poll(async () => pick(await job()), { timeout: 20_000 }).toEqual([state, tries])
const pick = ({ state, retry_count }: Record<string, unknown>) => [state, retry_count]
/** Skips the wait for the next try. @returns how many seconds were left, to the nearest ten */
const skipWait = async () => {
  const [{ left }] = (await asOwner<{ left: number }>(
    server,
    `update pgboss.job j set start_after = now() from pgboss.job before where j.name = 'mail' and before.id = j.id
     returning round(extract(epoch from before.start_after - now()) / 10)::int * 10 as left`,
  )) as [{ left: number }]
  return left
}
const failure = async () => (await asOwner<{ failure: string | null }>(server, 'select failure from mail'))[0]!.failure

it('a letter that the mail server takes without an answer is sent at most four times, at growing intervals, then given up', async () => {
  smtp.answer = null
  await post()
  const waits: number[] = []
  for (const tries of [0, 1, 2]) {
    await untilIt('retry', tries)
    expect(smtp.received).toHaveLength(tries + 1)
    expect(await failure()).toBe('The mail server broke off before it said whether it took the letter.')
    waits.push(await skipWait())
  }
  expect(waits).toEqual([60, 600, 3600])
  await asOwner(server, `update pgboss.job set retry_limit = 4 where name = 'mail'`)
  await untilIt('failed', 4)
  expect(smtp.received).toHaveLength(4)
  expect(new Set(smtp.received.map(({ data }) => /Message-ID: .*/.exec(data)![0]))).toHaveLength(1)
  expect(await failure()).toContain('It was given up: it went 4 times')
  // Nor is it tried for the rest of a week, even once the server is well again.
  expect((await job()).output).toMatchObject({ name: 'NotAgain' })
  expect(lines.join()).toContain('a letter could not be delivered')
  expect(lines.join()).not.toContain('robin')
})

it('a letter that was taken, which cannot be recorded, is not sent again and again either', async () => {
  await asOwner(
    server,
    `create function unwritable() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$;
     create trigger unwritable before update of sent_at on mail for each row execute function unwritable()`,
  )
  try {
    await post()
    const waits: number[] = []
    for (const tries of [0, 1, 2]) {
      await untilIt('retry', tries)
      expect(smtp.received).toHaveLength(tries + 1)
      expect(await failure()).toBe('The mail server took the letter, but that could not be recorded: P0001')
      waits.push(await skipWait())
    }
    expect(waits).toEqual([60, 600, 3600])
    await asOwner(server, `update pgboss.job set retry_limit = 4 where name = 'mail'`)
    await untilIt('failed', 4)
    expect(smtp.received).toHaveLength(4)
  } finally {
    await asOwner(server, 'drop trigger unwritable on mail; drop function unwritable()')
  }
})

it('a mail server that takes minutes does not let PostgreSQL end the transaction of the letter', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let answer = () => {}
  smtp.after = new Promise((done) => {
    answer = done
  })
  try {
    await post()
    await expect.poll(() => smtp.received.length, { timeout: 20_000 }).toBe(1)
    vi.advanceTimersByTime(30_000)
    const awake = `select from pg_stat_activity where datname = current_database() and query like '%being delivered%' and state = 'idle in transaction'`
    await expect.poll(async () => (await asOwner(server, awake)).length, { timeout: 20_000 }).toBe(1)
    answer()
    await expect.poll(async () => (await job()).state, { timeout: 20_000 }).toBe('completed')
    expect(smtp.received).toHaveLength(1)
  } finally {
    answer()
    vi.useRealTimers()
  }
})

it('it is sent at the next try if the server is well again, and tries that never reached it do not count', async () => {
  smtp.answer = null
  await post()
  for (const tries of [0, 1, 2, 3, 4]) {
    await untilIt('retry', tries)
    smtp.answer = tries < 3 ? '421 away' : tries === 3 ? null : '250 taken'
    await skipWait()
  }
  await expect.poll(async () => (await job()).state, { timeout: 20_000 }).toBe('completed')
  expect(smtp.received).toHaveLength(3)
  expect(await failure()).toBeNull()
})

it('a mail server’s message that contains an address is stored and logged without it', async () => {
  smtp.answer = '550 <Robin@mail.example>: no such user'
  await post()
  await untilIt('retry', 0)
  expect(await failure()).toContain('550 <the address>: no such user')
  expect(JSON.stringify((await job()).output)).not.toMatch(/robin/i)
  expect(lines.join()).toContain('no such user')
  expect(lines.join()).not.toMatch(/robin/i)
})

it('two letters never share a Message-ID, even if a restored or a new database counts from 1 again: mail systems would drop the second', async () => {
  for (let sent = 1; sent <= 2; sent++) {
    await asOwner(server, 'truncate mail restart identity')
    await post()
    await expect.poll(() => smtp.received.length, { timeout: 20_000 }).toBe(sent)
  }
  const ids = smtp.received.map(({ data }) => /Message-ID: <(.*)>/.exec(data)![1]!)
  expect(new Set(ids).size).toBe(2)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}@pillar\.example$/)
})
