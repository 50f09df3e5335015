import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { connectionWarning, roomOf } from './room.queries.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('a process that may open more connections than the database has left says so, and names the limit that is in the way', async () => {
  const { pools } = server.services
  const [first, ...others] = await roomOf(pools.system)
  expect(others).toEqual([])
  expect([first.of, first.used > 0, first.most > first.used]).toEqual(['server', true, true])
  const limits = { app: 16, system: 8, staff: 4 }
  expect(connectionWarning({ limits }, [{ of: 'server', most: 97, used: 65 }])).toBeNull()
  expect(connectionWarning({ limits }, [{ of: 'server', most: 97, used: 66 }])).toMatch(
    /^This process may open 32 connections to the database, which allows 97 and has 66 open\. Raise max_connections: /,
  )
  const { pathname } = new URL(server.servingUrl)
  await asOwner(server, `alter database ${pathname.slice(1)} connection limit 20`)
  const room = await roomOf(pools.system)
  expect(room).toMatchObject([{ of: 'database', most: 20 }, { of: 'server' }])
  expect(connectionWarning({ limits }, room)).toMatch(
    /which allows 20 and has \d+ open\. Raise the connection limit of the database/,
  )
})
