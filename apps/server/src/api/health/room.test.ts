import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { connectionWarning, roomOf } from './room.queries.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('a process that may open more connections than the database has left says so', async () => {
  const { pools } = server.services
  const { most, used } = await roomOf(pools.system)
  expect([used > 0, most > used]).toEqual([true, true])
  const limits = { app: 16, system: 8, staff: 4 }
  expect(connectionWarning({ limits }, { most: 97, used: 65 })).toBeNull()
  expect(connectionWarning({ limits }, { most: 97, used: 66 })).toMatch(
    /^This process may open 32 connections to the database, which allows 97 and has 66 open\. Raise max_connections: /,
  )
})
