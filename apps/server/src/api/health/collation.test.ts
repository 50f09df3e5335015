import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { cloneDatabase, databaseUrl } from '../../../test/database.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { collationChange, collationWarning } from './collation.queries.ts'

/** A server on a database whose indexes were built by the rules of an earlier operating system. */
let moved: TestServer
let server: TestServer
const name = `pillar_sorted_${process.pid}`
beforeAll(async () => {
  server = await startTestServer()
  const built = await cloneDatabase(inject('ownerUrl'))
  await asOwner(
    server,
    `create database ${name} template ${new URL(built.url).pathname.slice(1)} collation_version '0.1'`,
  )
  await built.drop()
  const [ownerUrl, servingUrl] = [inject('ownerUrl'), inject('servingUrl')].map((url) => databaseUrl(url, name))
  moved = await startTestServer({ on: { ownerUrl: ownerUrl!, servingUrl: servingUrl! } })
})
afterAll(async () => {
  await moved?.close()
  await asOwner(server, `drop database if exists ${name} with (force)`)
  await server.close()
})

const gauge = async (at: TestServer) =>
  /^pillar_database_collation_changed (\d)$/m.exec((await at.app.inject('/metrics')).body)?.[1]

it('the log of a start and the metrics report a server that sorts text in another order than its indexes', async () => {
  const found = await collationChange(moved.services.pools.system)
  expect(found).toMatchObject({ database: name, built: '0.1' })
  expect(collationWarning(found)).toContain(`reindex database ${name}`)
  expect(await gauge(moved)).toBe('1')
})

it('the two statements in the log end the warning, and a database in the order of its server gets none', async () => {
  await asOwner(moved, `reindex database ${name}`)
  await asOwner(moved, `alter database ${name} refresh collation version`)
  for (const at of [moved, server]) {
    expect(collationWarning(await collationChange(at.services.pools.system))).toBeNull()
    expect(await gauge(at)).toBe('0')
  }
})
