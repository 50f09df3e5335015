import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { databaseUrl, outside } from '../../../test/database.ts'
import { migrate } from '../migrate.ts'

const NAME = `pillar_able_${process.pid}`
const logins = { nobody: '', owner: 'createrole', reader: 'bypassrls' }
const login = (name: string) => `${NAME}_${name}`
let run: Awaited<ReturnType<typeof outside>>

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
  for (const name of Object.keys(logins)) await run(`drop role if exists ${login(name)}`)
})

const as = (name: string, database = NAME) => {
  const url = new URL(databaseUrl(inject('ownerUrl'), database))
  url.username = login(name)
  url.password = 'a-password-of-theirs'
  return url.href
}
const runIn = async (statement: string) => {
  const client = new pg.Client({ connectionString: databaseUrl(inject('ownerUrl'), NAME) })
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows
}
const tables = () => runIn(`select relname from pg_class where relnamespace = 'public'::regnamespace`)

it('a login without the rights to migrate is refused with what it lacks, before anything is changed', async () => {
  await expect(migrate(as('nobody'), () => {})).rejects.toThrow(
    `The login "${login('nobody')}" cannot bring the database "${NAME}" up to date: it may not create tables in it. ` +
      'Put the login that owns the database in DATABASE_OWNER_URL. See docs/operations.md, PostgreSQL.',
  )
  for (const name of ['owner', 'reader']) {
    await run(`grant create on database ${NAME} to ${login(name)}`)
    await run(`grant create on schema public to ${login(name)}`, NAME)
  }
  await expect(migrate(as('reader'), () => {})).rejects.toThrow('it may not create roles.')
  expect(await tables()).toEqual([])
})

it('a database that cannot hold every letter is refused', async () => {
  await expect(migrate(as('owner', `${NAME}_latin`), () => {})).rejects.toThrow(
    `The database "${NAME}_latin" has the encoding SQL_ASCII. Make it anew: create database ${NAME}_latin owner ${login('owner')} encoding 'UTF8' template template0.`,
  )
})
