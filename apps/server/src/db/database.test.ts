import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { databaseProxy } from '../../test/database-proxy.ts'
import { startTestServer, type TestServer } from '../../test/server.ts'
import { refuseAway } from './away.ts'

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

it.each(['ignored', 'refused'] as const)(
  'nothing starts behind a pooler where a connection’s options are %s',
  async (options) => {
    const direct = server.services.pools.appPool.options.connectionString!
    await expect(refuseAway({ DATABASE_URL: direct, MIGRATE: 'off' })).resolves.toBeUndefined()
    const pooler = await databaseProxy(direct, { options })
    try {
      await expect(refuseAway({ DATABASE_URL: pooler.url, MIGRATE: 'off' })).rejects.toThrow(
        /^The database that DATABASE_URL names .* is behind a pooler, such as PgBouncer, .*Connect to PostgreSQL itself/,
      )
    } finally {
      await pooler.close()
    }
  },
)
