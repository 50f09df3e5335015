import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findProgram, runToEnd } from '../../db/embedded/postgres-program.ts'
import { type Postmaster, runPostmaster } from '../../db/embedded/postmaster.ts'
import type { DB } from '../../db/schema.generated.ts'
import { archiveOf } from './archive.queries.ts'

const folder = mkdtempSync(join(tmpdir(), 'pillar-archive-'))
const [data, socket, archive] = ['data', 'socket', 'archive'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
]
/** Hangs while there is a file 'hangs', and fails while there is one 'broken'. */
const COMMAND = `while test -f ${archive}/hangs; do sleep 0.1; done; test ! -f ${archive}/broken && cp %p ${archive}/%f`
let postmaster: Postmaster
let db: Kysely<DB>

beforeAll(async () => {
  const program = await findProgram()
  const own = (path: string) => program.as && chownSync(path, program.as.uid, program.as.gid)
  for (const path of [socket, archive]) mkdirSync(path)
  for (const path of [folder, socket, archive]) own(path)
  writeFileSync(join(archive, 'hangs'), '')
  await runToEnd(program, program.initdb, [`--pgdata=${data}`, '--username=postgres', '--auth=trust', '--no-sync'])
  const settings = {
    ...{ wal_level: 'replica', archive_mode: 'on', archive_timeout: '60', fsync: 'off', listen_addresses: '' },
    ...{ unix_socket_directories: socket, archive_command: COMMAND },
  }
  postmaster = await runPostmaster(
    program,
    data,
    Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    () => {},
  )
  const host = encodeURIComponent(socket)
  const pool = new pg.Pool({ connectionString: `postgres://postgres@127.0.0.1:5432/postgres?host=${host}`, max: 1 })
  // The server may close the connection before the client says goodbye.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
}, 60_000)
afterAll(async () => {
  await db?.destroy()
  await postmaster?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Finishes the current log file, so that there is one more to archive. */
const endFile = () => sql`select pg_logical_emit_message(false, 'test', 'x'), pg_switch_wal()`.execute(db)

const WELL = { failing: 0, waiting: 0 }
/** Until another file, PostgreSQL may wait for a minute after three failed attempts. */
const soonWell = () => expect.poll(() => archiveOf(db), { timeout: 90_000 }).toEqual(WELL)

it('a log archive that hangs is reported as failing, from the first file on and after one that was archived', async () => {
  await endFile()
  await expect.poll(async () => (await archiveOf(db)).failing, { timeout: 5_000 }).toBeGreaterThan(0)
  rmSync(join(archive, 'hangs'))
  await soonWell()
  writeFileSync(join(archive, 'hangs'), '')
  for (let files = 0; files < 2; files++) await endFile()
  await expect.poll(async () => (await archiveOf(db)).failing, { timeout: 5_000 }).toBeGreaterThan(0)
  rmSync(join(archive, 'hangs'))
  await soonWell()
}, 120_000)

it('the log archive is reported as working, failing, and working again', async () => {
  await endFile()
  await soonWell()
  writeFileSync(join(archive, 'broken'), '')
  for (let files = 0; files < 3; files++) await endFile()
  await expect.poll(async () => (await archiveOf(db)).failing, { timeout: 20_000 }).toBeGreaterThan(0)
  expect((await archiveOf(db)).waiting).toBeGreaterThanOrEqual(2)
  rmSync(join(archive, 'broken'))
  await endFile()
  await soonWell()
}, 120_000)
