import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../test/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('no serving connection lets PostgreSQL compile its statements, whatever the server has set', async () => {
  const { app, system, staff } = server.services.pools
  for (const pool of [app, system, staff]) {
    const { rows } = await sql`select setting, source from pg_settings where name = 'jit'`.execute(pool)
    expect(rows).toEqual([{ setting: 'off', source: 'client' }])
  }
})
