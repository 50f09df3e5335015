import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { openKeys } from './key-ring.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('transactions that hold every connection and seal do not wait for one more', async () => {
  const { env, pools } = server.services
  const keys = await openKeys(env, pools.system)
  const now = performance.now.bind(performance)
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 20_000)
  const began = now()
  const sealing = Array.from({ length: 20 }, () =>
    pools.system.transaction().execute(async () => {
      await new Promise((done) => setTimeout(done, 50))
      return (await keys.sealer('mail.recipient'))('row', 'somebody@mail.example')
    }),
  )
  expect(new Set((await Promise.all(sealing)).map(String)).size).toBe(1)
  later.mockRestore()
  expect(now() - began).toBeLessThan(5_000)
})
