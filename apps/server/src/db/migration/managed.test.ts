import { mkdtempSync } from 'node:fs'
import { cp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { databaseUrl } from '../../../test/database.ts'
import { startEmbedded } from '../embedded/embedded.ts'
import { migrate } from '../migrate.ts'
import { migrationsFolder, runMigrations } from './run.ts'

/** A server of its own, because roles belong to the whole server: the owner here must be the one who makes them. */
let server: Awaited<ReturnType<typeof startEmbedded>>
let folder: string
let owner: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pillar-managed-'))
  server = await startEmbedded(folder, () => {}, { fsync: 'off' })
  const url = new URL(databaseUrl(server.ownerUrl, 'managed'))
  // As clouds name logins: PostgreSQL reads it as it stands only in quotes.
  url.username = 'Their.Owner'
  url.password = 'theirs'
  owner = url.href
  await run(
    `create role "Their.Owner" login createrole password 'theirs'; create role other; grant "Their.Owner" to current_user`,
    server.ownerUrl,
  )
  await run('create database managed owner "Their.Owner"', server.ownerUrl)
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

async function run(statements: string, url = owner): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statements)).rows
  } finally {
    await client.end()
  }
}
const migrates = () => migrate(owner, () => {})

it('a database in a locale where a small I is no i is refused before anything is changed', async () => {
  await run(
    `create database turkish owner "Their.Owner" locale_provider icu icu_locale 'tr' template template0`,
    server.ownerUrl,
  )
  const turkish = databaseUrl(owner, 'turkish')
  await expect(migrate(turkish, () => {})).rejects.toThrow(
    `Make it anew: create database turkish owner "Their.Owner" locale 'C.UTF-8' template template0.`,
  )
  expect(await run(`select from pg_tables where tableowner = 'Their.Owner'`, turkish)).toEqual([])
})

it('a database whose settings and extension are others’ is migrated once the extension is where tables are', async () => {
  await run('create schema theirs')
  await run('alter database managed set search_path = theirs, public')
  await run('alter database managed set standard_conforming_strings = off')
  await run('create extension pg_trgm')
  await expect(migrates()).rejects.toThrow(
    'The extension pg_trgm is in the schema "theirs". Run in this database: alter extension pg_trgm set schema public.',
  )
  await run('drop extension pg_trgm')
  await migrates()
  expect(await run(`select schemaname from pg_tables where tableowner = 'Their.Owner' group by 1 order by 1`)).toEqual([
    { schemaname: 'pgboss' },
    { schemaname: 'public' },
  ])
})

it('an owner who cannot be given bypassrls, as on most managed servers, sees every row, also of a restored dump', async () => {
  const counts = `
    select c.relname as name, (xpath('/row/count/text()', query_to_xml(format('select count(*) from %s', c.oid::regclass), false, true, '')))[1]::text as rows
    from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`
  // The template of a cluster takes no connections.
  if (!process.env.CITUS_URL)
    expect(await run(counts)).toEqual(await run(counts, databaseUrl(inject('ownerUrl'), 'pillar_template')))

  await run('insert into consent (location_id, patient_id) values (1, 1)')
  expect(await run('update consent set patient_id = 2 returning patient_id')).toEqual([{ patient_id: 2 }])

  // As after the restore of a dump whose owner bypassed the policies, or was another one.
  await run('drop policy owner on message')
  await run('alter policy owner on consent to other')
  expect(await run('select patient_id from consent')).toEqual([])
  await migrates()
  expect(await run('select patient_id from consent')).toEqual([{ patient_id: 2 }])
  expect(await run(`select from pg_policies where tablename = 'message' and roles = '{Their.Owner}'`)).toHaveLength(1)
})

it('such an owner sees every row within a migration too, once it has put a table behind row-level security, and in the next', async () => {
  const next = join(folder, 'next')
  await cp(migrationsFolder, next, { recursive: true })
  await writeFile(
    join(next, '9000_filled.sql'),
    `create table filled (location_id bigint not null);
     select pillar_protect('filled', 'location');
     insert into filled values (1);
     select pillar_protect('consent', 'location');
     update consent set patient_id = 3;`,
  )
  await writeFile(
    join(next, '9001_looped.sql'),
    `create table looped (location_id bigint not null);
     do $$ begin perform pillar_protect('looped', 'location'); end $$;`,
  )
  await writeFile(join(next, '9002_more.sql'), 'insert into looped values (2);')
  await runMigrations(owner, () => {}, { folder: next })
  expect(await run('select location_id, patient_id from filled join consent using (location_id)')).toEqual([
    { location_id: 1, patient_id: 3 },
  ])
  expect(await run('select location_id from looped')).toEqual([{ location_id: 2 }])
})
