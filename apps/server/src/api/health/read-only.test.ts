import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCompany, makeLocation, makeLogin, signIn } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { formOf, post } from '../../../test/upload.ts'
import { sentenceOf } from '../../db/away.ts'

const SENTENCE = 'The database takes no changes at this moment. Nothing was changed. Please try again in a few minutes.'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** As in the middle of a failover, or after a full disk has made the database read-only. */
async function turnReadOnly(on: boolean): Promise<void> {
  const name = new URL(server.ownerUrl).pathname.slice(1)
  await once(server.ownerUrl, `alter database "${name}" set default_transaction_read_only = ${on ? 'on' : 'off'}`)
  const others = 'datname = current_database() and usename = session_user and pid <> pg_backend_pid()'
  await once(server.servingUrl, `select pg_terminate_backend(pid) from pg_stat_activity where ${others}`)
}

async function once(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString, options: '-c default_transaction_read_only=off' })
  await client.connect()
  await client.query(statement)
  await client.end()
}

it('a read-only database still answers reads, refuses writes with 503, and makes the server not ready', async () => {
  const { id } = await makeCompany(server)
  const { bearer } = await signIn(server, await makeLogin(server, id, { flags: ['data_analytics'] }))
  const { key } = await makeLocation(server, id)
  const url = await server.app.listen({ port: 0, host: '127.0.0.1' })
  const save = () => server.call('/api/saved-view/create', { name: `View ${Date.now()}`, state: {} }, bearer)
  const ready = async () => (await fetch(`${url}/readyz`)).json()
  const form = () => formOf({ drugs: 'drug_id,name\nA,Rosuvastatin\n' }, { data_source: 'canonical' })
  await turnReadOnly(true)
  await expect.poll(ready).toEqual({
    status: 'not ready',
    missing: ['The database can only be read: it is a standby, or was set so.'],
  })
  expect(await save()).toMatchObject({ status: 503, body: { code: 'unavailable', message: SENTENCE } })
  expect((await post(`${url}/api/etl/upload`, key, form())).status).toBe(503)
  expect((await server.call('/api/saved-view/list', {}, bearer)).status).toBe(200)
  const refused = await sql`update company set name = name`.execute(server.services.pools.system).catch(sentenceOf)
  expect(refused).toMatch(/^The database takes no writes: .* Try again once/)
  await turnReadOnly(false)
  await expect.poll(ready).toEqual({ status: 'ready' })
  expect((await save()).status).toBe(200)
  expect((await post(`${url}/api/etl/upload`, key, form())).status).toBe(200)
})
