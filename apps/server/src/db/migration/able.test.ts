import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { databaseUrl, outside } from '../../../test/database.ts'
import { migrate } from '../migrate.ts'

const NAME = `pillar_able_${process.pid}`
const logins = { nobody: '', owner: 'createrole', reader: 'bypassrls' }
const login = (name: string) => `${NAME}_${name}`
let run: (statement: string) => Promise<void>

beforeAll(async () => {
  run = await outside(inject('ownerUrl'))
  for (const [name, rights] of Object.entries(logins))
    await run(`create role ${login(name)} login ${rights} password 'a-password-of-theirs'`)
  await run(`create database ${NAME}`)
  await run(`create database ${NAME}_latin encoding 'SQL_ASCII' locale 'C' template template0`)
})

afterAll(async () => {
  await run(`drop database if exists ${NAME} with (force)`)
  await run(`drop database if exists ${NAME}_latin with (force)`)
  // What it granted while it migrated.
  await run(`drop owned by ${login('owner')}`)
  for (const name of Object.keys(logins)) await run(`drop role if exists ${login(name)}`)
})

const as = (name: string, database = NAME) => {
  const url = new URL(databaseUrl(inject('ownerUrl'), database))
  url.username = login(name)
  url.password = 'a-password-of-theirs'
  return url.href
}
const runIn = async (statement: string, url = databaseUrl(inject('ownerUrl'), NAME)) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
const tables = () => runIn(`select relname from pg_class where relnamespace = 'public'::regnamespace`)

it('a login without the rights to migrate is refused with what it lacks, before anything is changed', async () => {
  await expect(migrate(as('nobody'), () => {})).rejects.toThrow(
    `The login "${login('nobody')}" cannot bring the database "${NAME}" up to date: it may not create tables in it. ` +
      'Put the login that owns the database in DATABASE_OWNER_URL. See docs/operations.md, PostgreSQL.',
  )
  for (const name of ['owner', 'reader']) {
    await run(`grant create on database ${NAME} to ${login(name)}`)
    await runIn(`grant create on schema public to ${login(name)}`)
  }
  await expect(migrate(as('reader'), () => {})).rejects.toThrow('it may not create roles.')
  expect(await tables()).toEqual([])
})

it('an owner who cannot be given bypassrls, as on most managed servers, sees every row, also of a restored dump', async () => {
  await run(
    `grant pillar_app, pillar_system, pillar_staff, pillar_queue, pillar_recruiter, pillar_report to ${login('owner')} with admin option`,
  )
  await run(`grant ${login('owner')} to current_user`)
  await run(`alter database ${NAME} owner to ${login('owner')}`)
  await migrate(as('owner'), () => {})
  const counts = `
    select c.relname as name, (xpath('/row/count/text()', query_to_xml(format('select count(*) from %s', c.oid::regclass), false, true, '')))[1]::text as rows
    from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`
  expect(await runIn(counts, as('owner'))).toEqual(
    await runIn(counts, databaseUrl(inject('ownerUrl'), 'pillar_template')),
  )

  await runIn(`insert into consent (location_id, patient_id) values (1, 1)`, as('owner'))
  expect(await runIn(`update consent set patient_id = 2 returning patient_id`, as('owner'))).toEqual([
    { patient_id: 2 },
  ])

  // As after the restore of a dump whose owner bypassed the policies, or was another one.
  await runIn(`drop policy owner on message`, as('owner'))
  await runIn(`alter policy owner on consent to ${login('reader')}`, as('owner'))
  expect(await runIn(`select patient_id from consent`, as('owner'))).toEqual([])
  await migrate(as('owner'), () => {})
  expect(await runIn(`select patient_id from consent`, as('owner'))).toEqual([{ patient_id: 2 }])
  const given = await runIn(`select tablename from pg_policies where roles = array['${login('owner')}'::name]`)
  expect(given.map(({ tablename }) => tablename)).toContain('message')
})

it('a database that cannot hold every letter is refused', async () => {
  await expect(migrate(as('owner', `${NAME}_latin`), () => {})).rejects.toThrow(
    `The database "${NAME}_latin" has the encoding SQL_ASCII. Make it anew: create database ${NAME}_latin owner ${login('owner')} encoding 'UTF8' template template0.`,
  )
})
