import { read } from '@pillar/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { buildApp } from '../../app.ts'
import { openLog } from '../log.ts'
import { mountCall } from './mount.ts'

/** Text a user might have typed, or a detail of a person. */
const CANARY = 'Zzquentina'

let server: TestServer
let app: TestServer['app']
let fail: () => Promise<never>
let answer: () => Promise<string>
const lines: string[] = []

beforeAll(async () => {
  server = await startTestServer()
  const services = { ...server.services, log: openLog('trace', { write: (line) => void lines.push(line) }) }
  app = await buildApp(services)
  const shape = { needs: 'public', about: 'Fails.', example: {}, input: z.object({}) } as const
  const call = read({ ...shape, path: '/probe', output: z.object({}) })
  mountCall(app, 'probe.fails', call, () => fail(), services)
  const large = read({ ...shape, path: '/large-probe', output: z.object({ text: z.string() }) })
  mountCall(app, 'probe.large', large, async () => ({ text: await answer() }), services)
})
afterAll(async () => {
  await app.close()
  await server.close()
})

/** The log line of a request that fails this way. */
async function lineOf(work: () => Promise<unknown>): Promise<{ reason: string; stack: string }> {
  fail = async () => {
    await work()
    throw new Error('it did not fail')
  }
  lines.length = 0
  const reply = await app.inject({ method: 'POST', url: '/probe', payload: {} })
  expect([reply.statusCode, reply.body.includes(CANARY)]).toEqual([500, false])
  const [line] = lines.filter((one) => one.includes('request failed'))
  expect(line).not.toContain(CANARY)
  return JSON.parse(line ?? '{}')
}

it('logs a database failure by code, broken rule and place, never with the message, which quotes values', async () => {
  const { pools } = server.services
  const cast = await lineOf(() => sql`select ${CANARY}::text::int`.execute(pools.system))
  expect(cast.reason).toBe('22P02')
  expect(cast.stack).toContain('executeQuery')
  const rule = await lineOf(() => asOwner(server, 'insert into migration (name, run_on) values (null, now())'))
  expect(rule.reason).toBe('23502 migration name')
  const stacked = await lineOf(() => sql`select ${`\n    at ${CANARY}`}::text::int`.execute(pools.system))
  expect(stacked.stack).toContain('executeQuery')
})

it('does not quote text that is not valid JSON', async () => {
  expect((await lineOf(async () => JSON.parse(CANARY))).reason).toBe('SyntaxError')
})

it('logs our own failures with what was thrown', async () => {
  const mine = await lineOf(async () => Promise.reject(new Error('two heads')))
  expect(mine.reason).toBe('two heads')
  expect(mine.stack).toContain('failure-log.test.ts')
})

it('says nothing of a failure when somebody leaves before a large answer is ready', async () => {
  lines.length = 0
  await app.listen({ host: '127.0.0.1', port: 0 })
  const leaving = new AbortController()
  const answered = new Promise<void>((done) => {
    answer = async () => {
      leaving.abort()
      // The server notices the closed connection before it has worked out the answer.
      await new Promise((passed) => setTimeout(passed, 200))
      setTimeout(done, 200)
      return 'many words '.repeat(10_000)
    }
  })
  const { port } = app.server.address() as { port: number }
  const asked = fetch(`http://127.0.0.1:${port}/large-probe`, {
    ...{ method: 'POST', body: '{}', signal: leaving.signal },
    headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip' },
  })
  await expect(asked).rejects.toThrow('aborted')
  await answered
  expect(lines.filter((line) => line.includes('probe.large') && JSON.parse(line).level >= 40)).toEqual([])
})
