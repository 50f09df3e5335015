import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findProgram, runToEnd } from '../../db/postgres-program.ts'
import { type Postmaster, runPostmaster } from '../../db/postmaster.ts'
import type { DB } from '../../db/schema.generated.ts'
import { archiveOf } from './archive.queries.ts'

const folder = mkdtempSync(join(tmpdir(), 'pillar-archive-'))
const [data, socket, archive] = ['data', 'socket', 'archive'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
]
let postmaster: Postmaster
let db: Kysely<DB>

beforeAll(async () => {
  const program = await findProgram()
  const own = (path: string) => program.as && chownSync(path, program.as.uid, program.as.gid)
  for (const path of [socket, archive]) mkdirSync(path)
  for (const path of [folder, socket, archive]) own(path)
  await runToEnd(program, program.initdb, [`--pgdata=${data}`, '--username=postgres', '--auth=trust', '--no-sync'])
  const settings = {
    ...{ wal_level: 'replica', archive_mode: 'on', fsync: 'off', listen_addresses: '' },
    ...{ unix_socket_directories: socket, archive_command: `test ! -f ${archive}/broken && cp %p ${archive}/%f` },
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

it('the log archive is reported as working, failing, and working again', async () => {
  await endFile()
  const archived = async () =>
    (await sql<{ some: boolean }>`select last_archived_wal is not null as some from pg_stat_archiver`.execute(db))
      .rows[0]!.some
  await expect.poll(archived, { timeout: 20_000 }).toBe(true)
  expect(await archiveOf(db)).toEqual({ failing: 0, waiting: 0 })
  writeFileSync(join(archive, 'broken'), '')
  for (let files = 0; files < 3; files++) await endFile()
  await expect.poll(async () => (await archiveOf(db)).failing, { timeout: 20_000 }).toBeGreaterThan(0)
  expect((await archiveOf(db)).waiting).toBeGreaterThanOrEqual(2)
  rmSync(join(archive, 'broken'))
  // After three failed attempts PostgreSQL pauses for a minute, or until there is another file.
  await endFile()
  await expect.poll(() => archiveOf(db), { timeout: 90_000 }).toEqual({ failing: 0, waiting: 0 })
}, 120_000)
