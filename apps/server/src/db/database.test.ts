import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../test/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('serving connections read and write values alike, whatever the time zone, dates and numbers of the server, and have no statement compiled', async () => {
  const { app, system, staff } = server.services.pools
  for (const pool of [app, system, staff]) {
    const { rows } = await sql<{ name: string; setting: string }>`
      select name, setting from pg_settings where source = 'client' and name in (
        'TimeZone', 'DateStyle', 'IntervalStyle', 'bytea_output', 'extra_float_digits', 'jit')`.execute(pool)
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      ...{ TimeZone: 'UTC', DateStyle: 'ISO, MDY', IntervalStyle: 'postgres' },
      ...{ bytea_output: 'hex', extra_float_digits: '1', jit: 'off' },
    })
  }
})
