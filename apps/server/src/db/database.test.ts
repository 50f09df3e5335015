import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { databaseUrl, outside } from '../../test/database.ts'
import { databaseProxy } from '../../test/database-proxy.ts'
import { startTestServer, type TestServer } from '../../test/server.ts'
import { refuseAway } from './away.ts'
import { appConnections } from './database.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('serving connections read and write values and wait for each other alike, whatever the server has set, and have no statement compiled', async () => {
  const { app, system, staff } = server.services.pools
  for (const pool of [app, system, staff]) {
    const { rows } = await sql<{ name: string; setting: string }>`
      select name, setting from pg_settings where source = 'client' and name in (
        'TimeZone', 'DateStyle', 'IntervalStyle', 'bytea_output', 'extra_float_digits', 'jit',
        'default_transaction_isolation', 'lock_timeout', 'idle_session_timeout',
        'search_path', 'standard_conforming_strings', 'transform_null_equals', 'array_nulls')`.execute(pool)
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      ...{ TimeZone: 'UTC', DateStyle: 'ISO, MDY', IntervalStyle: 'postgres' },
      ...{ bytea_output: 'hex', extra_float_digits: '1', jit: 'off' },
      ...{ default_transaction_isolation: 'read committed', lock_timeout: '0', idle_session_timeout: '0' },
      ...{ search_path: 'public', standard_conforming_strings: 'on', transform_null_equals: 'off', array_nulls: 'on' },
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
        /^Between Pillar and the database that DATABASE_URL names .* is a pooler, .*Connect to PostgreSQL itself/,
      )
    } finally {
      await pooler.close()
    }
  },
)

it('nothing starts with an address whose own options would replace the roles', async () => {
  const address = new URL(server.services.pools.appPool.options.connectionString!)
  address.searchParams.set('options', '-c work_mem=64MB')
  await expect(refuseAway({ DATABASE_URL: address.href, MIGRATE: 'off' })).rejects.toThrow(
    /^DATABASE_URL gives connections options of its own/,
  )
})

it.each([['LATIN1'], ['SQL_ASCII']])('nothing starts on a database that stores text as %s', async (encoding) => {
  const name = `text_${encoding.toLowerCase()}`
  const ownerUrl = inject('ownerUrl')
  const [make, drop] = [
    `create database ${name} encoding '${encoding}' locale 'C' template template0`,
    `drop database if exists ${name}`,
  ]
  const run = await outside(ownerUrl)
  for (const statement of [drop, make]) await run(statement)
  try {
    await expect(refuseAway({ DATABASE_URL: databaseUrl(ownerUrl, name), MIGRATE: 'off' })).rejects.toThrow(
      new RegExp(`^The database that DATABASE_URL names .* stores text as ${encoding}, .*encoding 'UTF8'`),
    )
  } finally {
    await run(drop)
  }
})

it('however many uploads are loaded at once, their connections are not taken from what sends and answers', () => {
  const others = (ETL_WORKERS: number) => appConnections({ ROLE: 'worker', ETL_WORKERS }) - ETL_WORKERS
  expect([others(1), others(16)]).toEqual([14, 14])
  expect(appConnections({ ROLE: 'web', ETL_WORKERS: 16 })).toBe(16)
})
