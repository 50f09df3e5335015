import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PG_MIGRATE_LOCK_ID } from 'node-pg-migrate'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { databaseUrl } from '../../../test/database.ts'
import { MIGRATOR, runMigrations } from './run.ts'

let folder: string
let url: string
let name: string
const open: pg.Client[] = []
let made = 0

async function connect(to = url): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: to, application_name: 'a long report' })
  await client.connect()
  open.push(client)
  return client
}

const write = (file: string, text: string) => writeFile(join(folder, file), text)
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pillar-migrations-'))
  name = `pillar_migrating_${process.pid}_${made++}`
  url = databaseUrl(inject('ownerUrl'), name)
  await (await connect(inject('ownerUrl'))).query(`create database ${name}`)
  await write(
    '0001_pharmacy.sql',
    'create table pharmacy (id int primary key, name text); insert into pharmacy values (1)',
  )
  await runMigrations(url, () => {}, { folder })
})

afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.end().catch(() => {})))
  const admin = await connect(inject('ownerUrl'))
  await admin.query(`drop database ${name} with (force)`)
  await admin.end()
  open.splice(0)
  await rm(folder, { recursive: true })
})

it('a migration behind a long reader lets others read, and runs once the reader is done', async () => {
  await write('0002_note.sql', 'alter table pharmacy add column note text')
  const [holder, reader] = [await connect(), await connect()]
  await holder.query('begin; select * from pharmacy')
  const lines: string[] = []
  const applied: string[] = []
  const migrating = runMigrations(url, (line) => lines.push(line), {
    folder,
    pauses: [300, 300, 300, 300],
    applied: (one) => applied.push(one),
  })
  let slowest = 0
  for (const until = Date.now() + 5500; Date.now() < until; await wait(50)) {
    const began = performance.now()
    await reader.query('select * from pharmacy')
    slowest = Math.max(slowest, performance.now() - began)
  }
  expect(applied).toEqual([])
  await holder.query('commit')
  await migrating
  expect(applied).toEqual(['0002_note'])
  // A reader queued behind the migration, but for no longer than one try.
  expect(slowest).toBeGreaterThan(500)
  expect(slowest).toBeLessThan(3500)
  expect(lines.length).toBeGreaterThanOrEqual(2)
  expect(lines[0]).toMatch(/lock held by process \d+ \(.*a long report.*\); next try in 0.3 s/)
})

it('a migration that never gets its lock names who holds it, keeps its earlier steps, and continues from there', async () => {
  await write('0002_other.sql', 'create table other (id int)')
  await write('0003_note.sql', 'create table half (id int); alter table pharmacy add column note text')
  const holder = await connect()
  await holder.query('begin; select * from pharmacy')
  await expect(runMigrations(url, () => {}, { folder, pauses: [10] })).rejects.toThrow(
    /stays in use by process \d+ \(.*a long report.*pg_terminate_backend/,
  )
  await holder.query('commit')
  const names = async () => (await holder.query('select name from migration order by id')).rows.map((row) => row.name)
  expect(await names()).toEqual(['0001_pharmacy', '0002_other'])
  expect((await holder.query(`select to_regclass('half') as half`)).rows).toEqual([{ half: null }])
  await runMigrations(url, () => {}, { folder })
  expect(await names()).toEqual(['0001_pharmacy', '0002_other', '0003_note'])
})

it('two processes do not migrate one database at a time: the second waits until it is done, or for as long as it may', async () => {
  await write('0002_note.sql', 'alter table pharmacy add column note text')
  const holder = await connect()
  await holder.query('begin; select * from pharmacy')
  const applied: string[] = []
  const first = runMigrations(url, () => {}, { folder, applied: (one) => applied.push(`first ${one}`) })
  await wait(500)
  const named = /^Another process is migrating this database: process \d+ \(.*, pillar_migrate.*\)\. /
  await expect(runMigrations(url, () => {}, { folder, othersMs: 10 })).rejects.toThrow(named)
  const lines: string[] = []
  const second = runMigrations(url, (line) => lines.push(line), { folder, applied: (one) => applied.push(one) })
  await expect.poll(() => lines).toEqual([expect.stringMatching(named)])
  await holder.query('commit')
  await Promise.all([first, second])
  expect(applied).toEqual(['first 0002_note'])
})

it('a process that waits for another one and loses its connection says so', async () => {
  const holder = await connect()
  await holder.query(`select pg_advisory_lock(${PG_MIGRATE_LOCK_ID})`)
  const lines: string[] = []
  const waiting = runMigrations(url, (line) => lines.push(line), { folder })
  const failed = expect(waiting).rejects.toThrow(/^The connection that migrates was lost: /)
  await expect.poll(() => lines).toHaveLength(1)
  await holder.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and datname = current_database()',
    [MIGRATOR],
  )
  await failed
})

it('a migration that would come before one that is in is refused: two versions brought different ones', async () => {
  await write('0003_later.sql', 'create table later (id int)')
  await runMigrations(url, () => {}, { folder })
  await write('0002_earlier.sql', 'create table earlier (id int)')
  await expect(runMigrations(url, () => {}, { folder })).rejects.toThrow('0002_earlier')
  const { rows } = await (await connect()).query(`select to_regclass('earlier') as earlier`)
  expect(rows).toEqual([{ earlier: null }])
})

it('an error of a migration says itself', async () => {
  await write('0002_wrong.sql', 'alter table nowhere add column note text')
  await expect(runMigrations(url, () => {}, { folder })).rejects.toThrow('relation "nowhere" does not exist')
})

it('a migrator that was killed holds nobody up: PostgreSQL ends what it was at, however long that would take', async () => {
  await write('0002_slow.sql', 'select pg_sleep(600)')
  const program = `import { runMigrations } from ${JSON.stringify(import.meta.resolve('./run.ts'))}
    await runMigrations(${JSON.stringify(url)}, () => {}, ${JSON.stringify({ folder })})`
  const killed = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' })
  const looking = await connect()
  const at = `select from pg_stat_activity where application_name = $1 and query like '%pg_sleep(600)%'`
  await expect.poll(async () => (await looking.query(at, [MIGRATOR])).rowCount, { timeout: 30_000 }).toBe(1)
  killed.kill('SIGKILL')
  await write('0002_slow.sql', 'create table slow (id int)')
  await runMigrations(url, () => {}, { folder })
  expect((await looking.query(`select to_regclass('slow')::text as slow`)).rows).toEqual([{ slow: 'slow' }])
}, 60_000)

it('an index is made beside writers, outside a transaction, and a half-built one of an earlier try is made again', async () => {
  const other = await connect()
  await other.query('insert into pharmacy values (2), (3)')
  await expect(other.query('create unique index concurrently pharmacy_name on pharmacy ((1))')).rejects.toThrow()
  const valid = async () =>
    (
      await other.query(
        `select indisvalid from pg_index join pg_class on oid = indexrelid where relname = 'pharmacy_name'`,
      )
    ).rows
  expect(await valid()).toEqual([{ indisvalid: false }])
  await write(
    '0002_index.sql',
    '-- no transaction\ncreate index concurrently if not exists pharmacy_name on pharmacy (name)',
  )
  await runMigrations(url, () => {}, { folder })
  expect(await valid()).toEqual([{ indisvalid: true }])
  await write('0003_more.sql', '-- no transaction\ncreate table more (id int)')
  await expect(runMigrations(url, () => {}, { folder })).rejects.toThrow('0003_more.sql runs outside a transaction')
})

it('a migrator that loses its watching connection continues, and one that loses its own says why', async () => {
  const admin = await connect()
  const end = async (doing: string) =>
    expect
      .poll(
        async () =>
          (
            await admin.query(
              `select pg_terminate_backend(pid) from pg_stat_activity
               where application_name = $1 and datname = current_database() and query like $2`,
              [MIGRATOR, `%${doing}%`],
            )
          ).rowCount,
      )
      .toBe(1)
  await write('0002_slow.sql', 'select pg_sleep(1.5); create table slow (id int)')
  const first = runMigrations(url, () => {}, { folder })
  await end('pg_blocking_pids')
  await first
  await write('0003_slower.sql', 'select pg_sleep(30)')
  const second = runMigrations(url, () => {}, { folder })
  const failed = expect(second).rejects.toThrow(
    /^The connection that migrates was lost: terminating connection due to administrator command\./,
  )
  await end('pg_sleep(30)')
  await failed
})

it('a migration in a deadlock is retried, like one that got no lock', async () => {
  await write('0002_other.sql', 'create table other (id int)')
  await runMigrations(url, () => {}, { folder })
  await write('0003_notes.sql', 'alter table pharmacy add column note text; alter table other add column note text')
  const [holder, looking] = [await connect(), await connect()]
  await holder.query('begin; select * from other')
  const lines: string[] = []
  const migrating = runMigrations(url, (line) => lines.push(line), { folder, pauses: [300] })
  const waits = `select from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'`
  await expect.poll(async () => (await looking.query(waits, [MIGRATOR])).rowCount).toBe(1)
  // Waits last, so PostgreSQL ends the migration rather than this session.
  await holder.query('select * from pharmacy')
  await holder.query('commit')
  await migrating
  expect(lines).toEqual([
    expect.stringMatching(/^A migration waits for a lock held by process \d+ .*; next try in 0.3 s/),
  ])
})
