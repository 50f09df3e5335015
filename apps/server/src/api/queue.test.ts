import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { startTestServer, type TestServer } from '../../test/server.ts'
import { job, openQueue } from './queue.ts'

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
