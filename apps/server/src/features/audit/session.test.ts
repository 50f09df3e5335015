import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { asOwner, makeCompany, makeLogin } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { Tx } from '../../db/database.ts'
import { auditLots } from './audit.queries.ts'
import { sessionRows } from './session.queries.ts'

const ROWS = DEEP ? 10_000_000 : 20_000
/** Rows written at once. */
const EACH = 500_000
const OF_A_SESSION = 100
/** Not counting the rows of one session. */
const SESSIONS = ROWS / OF_A_SESSION
const WITHIN_MS = 60_000
vi.setConfig({ testTimeout: DEEP ? 3_600_000 : 60_000, hookTimeout: DEEP ? 3_600_000 : 120_000 })

const SESSION = '01980000-0000-7000-8000-0000000000aa'

let server: TestServer
let username: string
beforeAll(async () => {
  server = await startTestServer()
  const { id: company } = await makeCompany(server)
  const login = await makeLogin(server, company, { flags: ['data_analytics'] })
  username = login.username
  // The chain does not matter here, and sealing ten million rows takes hours.
  await asOwner(server, 'alter table audit disable trigger seal')
  // Building the same indexes afterwards takes a tenth of the time.
  const indexes = await asOwner<{ name: string; made: string }>(
    server,
    `select indexname as name, indexdef as made from pg_indexes where tablename = 'audit' and indexname <> 'audit_pkey'`,
  )
  for (const { name } of indexes) await asOwner(server, `drop index ${name}`)
  for (let done = 0; done < ROWS; done += EACH) {
    await asOwner(
      server,
      `insert into audit (at, company_id, login_id, session_id, action, object, object_name, detail)
       select now() - n * interval '1 second', $1, $2, md5((n % $3)::text)::uuid, 'test.' || n % 40, gen_random_uuid()::text,
              'Thing ' || n, jsonb_build_object('n', n)
       from generate_series($4::int, $5::int) n`,
      [company, login.id, SESSIONS, done + 1, Math.min(done + EACH, ROWS)],
    )
  }
  await asOwner(
    server,
    `insert into audit (at, company_id, login_id, session_id, action, object, detail)
     select now() - $4 * n * interval '1 second', $1, $2, $3, 'inbound.replies', 'patient ' || n, '{}' from generate_series(1, $5::int) n`,
    [company, login.id, SESSION, SESSIONS, OF_A_SESSION],
  )
  for (const { made } of indexes) await asOwner(server, made)
  await asOwner(server, 'alter table audit enable trigger seal')
  await asOwner(server, 'analyze audit')
})
afterAll(() => server.close())

const search = async (tx: Tx) =>
  Array.fromAsync((await auditLots(tx, { search_term: SESSION }, 'Australia/Sydney', OF_A_SESSION))!)

describe(`what a session saw, among ${ROWS} rows of the audit (T39)`, () => {
  it('is listed completely and in order within a minute, by the command and by the search', async () => {
    const { system } = server.services.pools
    const began = performance.now()
    const seen = await sessionRows(system, SESSION)
    const told = performance.now()
    const found = await system.transaction().execute(search)
    const searched = performance.now()
    if (DEEP) process.stderr.write(`a session of ${ROWS} rows: ${told - began} ms, searched ${searched - told} ms\n`)
    const oldestFirst = Array.from({ length: OF_A_SESSION }, (_, at) => `patient ${OF_A_SESSION - at}`)
    expect(seen.map(({ object }) => object)).toEqual(oldestFirst)
    expect(new Set(seen.map((row) => row.username))).toEqual(new Set([username]))
    expect(found.flat().map(({ object }) => object)).toEqual(oldestFirst.toReversed())
    expect(told - began).toBeLessThan(WITHIN_MS)
    expect(searched - told).toBeLessThan(WITHIN_MS)
  })

  it('is found by index, without reading the whole log', async () => {
    const scans = await server.services.pools.system.transaction().execute(async (tx) => {
      await sessionRows(tx, SESSION)
      await search(tx)
      const { rows } =
        await sql`select seq_scan, idx_scan > 0 as by_index from pg_stat_xact_user_tables where relname = 'audit'`.execute(
          tx,
        )
      return rows
    })
    expect(scans).toEqual([{ seq_scan: 0, by_index: true }])
  })
})
