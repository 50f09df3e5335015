import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { cloneDatabase, databaseUrl } from '../../../test/database.ts'
import { openPools, type Pools } from '../database.ts'
import { migrate, refuseOldSchema } from '../migrate.ts'
import { ACROSS_COMPANIES, repairFunctionOwners } from './owners.ts'

const OTHER = `pillar_restorer_${process.pid}`

let clone: Awaited<ReturnType<typeof cloneDatabase>>
let owner: pg.Client
let pools: Pools
beforeAll(async () => {
  clone = await cloneDatabase(inject('ownerUrl'))
  owner = new pg.Client({ connectionString: clone.url })
  await owner.connect()
  const { pathname } = new URL(clone.url)
  pools = openPools(databaseUrl(inject('servingUrl'), pathname.slice(1)), () => {}, 1)
})
afterAll(async () => {
  await pools.close()
  await owner.end()
  await clone.drop()
  const admin = new pg.Client({ connectionString: inject('ownerUrl') })
  await admin.connect()
  await admin.query(`drop role if exists ${OTHER}`).finally(() => admin.end())
})

interface Definer {
  name: string
  signature: string
  owner: string
  rights: string
}

/** The database functions that run with their owner's rights. */
async function definers(): Promise<Definer[]> {
  const { rows } = await owner.query<Definer>(
    `select proname as name, oid::regprocedure::text as signature, proowner::regrole::text as owner, proacl::text as rights
     from pg_proc where prosecdef and pronamespace = 'public'::regnamespace order by signature`,
  )
  return rows
}

/** As after a restore by a login that may not give them to pillar_report. */
async function giveAllTo(role: string): Promise<void> {
  for (const { signature } of await definers()) await owner.query(`alter function ${signature} owner to ${role}`)
}

const mayCreate = async () =>
  (await owner.query(`select has_schema_privilege('pillar_report', 'public', 'create') as may`)).rows[0].may

it('every function that runs with its owner’s rights is listed by name', async () => {
  expect([...new Set((await definers()).map(({ name }) => name))]).toEqual([...ACROSS_COMPANIES].sort())
})

it('a dump restored by its owner: a start refuses it, and npm run migrate repairs it', async () => {
  const before = await definers()
  expect(new Set(before.map((one) => one.owner))).toEqual(new Set(['pillar_report']))
  await refuseOldSchema(pools.system)

  const { rows } = await owner.query<{ name: string }>('select current_user as name')
  await giveAllTo(rows[0]!.name)
  await expect(refuseOldSchema(pools.system)).rejects.toThrow(
    new RegExp(`belong to ${rows[0]!.name} instead of pillar_report.*Run "npm run migrate"`),
  )

  // Two processes that start at once do not disturb each other.
  const lines: string[] = []
  await Promise.all([1, 2].map(() => repairFunctionOwners(clone.url, (line) => lines.push(line))))
  expect(lines).toEqual([expect.stringContaining(`${before.length} functions`)])
  expect(await definers()).toEqual(before)
  expect(await mayCreate()).toBe(false)
  await refuseOldSchema(pools.system)

  await owner.query(`alter function ${before[0]!.signature} owner to current_user`)
  await migrate(clone.url, () => {}, inject('servingUrl'))
  expect(await definers()).toEqual(before)
})

it('objects of a role that the owner may not act as are reported, with what to run', async () => {
  const before = await definers()
  await owner.query(`create role ${OTHER}`)
  await owner.query(`grant ${OTHER} to current_user`)
  await owner.query(`grant create on schema public to ${OTHER}`)
  await giveAllTo(OTHER)
  await owner.query(`revoke ${OTHER} from current_user`)
  const told = await migrate(clone.url, () => {}, inject('servingUrl')).catch((error: Error) => error.message)
  expect(told).toContain(`belong to ${OTHER} instead of pillar_report`)
  const statements = /superuser: (.*)$/s.exec(String(told))?.[1] ?? ''
  expect(statements.match(/alter function/g)).toHaveLength(before.length)
  expect(await mayCreate()).toBe(false)
  // The statement it suggests does help.
  await owner.query(`grant ${OTHER} to current_user`)
  await owner.query('grant create on schema public to pillar_report')
  await owner.query(statements)
  await owner.query(`revoke create on schema public from pillar_report, ${OTHER}`)
  await refuseOldSchema(pools.system)
})

it('a dump whose restore was broken off before the end is refused by every start', async () => {
  await owner.query('alter table message disable row level security')
  const refused =
    / is not complete: it lacks row-level security, .* at 1 of its tables, .* restore into the empty one\. See/
  await expect(migrate(clone.url, () => {})).rejects.toThrow(refused)
  await expect(refuseOldSchema(pools.system)).rejects.toThrow(refused)

  await owner.query('alter table message enable row level security')
  await migrate(clone.url, () => {})
  await refuseOldSchema(pools.system)
})
