import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { databaseUrl } from '../../test/database.ts'
import { openPools } from './database.ts'
import { grantRights, migrate } from './migrate.ts'
import { bindScope } from './scope.ts'

/** The last migration before names were made plainer. */
const BEFORE = '0020_reply_stop'
const NAME = `pillar_before_${process.pid}`
const dir = fileURLToPath(new URL('../../migrations', import.meta.url))

let url: string
let owner: pg.Client

const admin = async (statement: string) => {
  const client = new pg.Client({ connectionString: inject('ownerUrl') })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

beforeAll(async () => {
  url = databaseUrl(inject('ownerUrl'), NAME)
  await admin(`create database ${NAME}`)
  const files = { databaseUrl: url, dir, migrationsTable: 'migration', singleTransaction: true } as const
  const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  await runner({ ...files, direction: 'up', count: await countUpTo(BEFORE), logger: quiet })
  owner = new pg.Client({ connectionString: url })
  await owner.connect()
  await owner.query(`
    insert into company (uuid, name) values (gen_random_uuid(), 'Before');
    insert into location (uuid, company_id, name) select gen_random_uuid(), id, 'Kept' from company;
    insert into message_due (location_id, company_id) select id, company_id from location;
    insert into message_stat_due (location_id, company_id) select id, company_id from location;
    insert into message_stat (location_id, period, sms, email, reach, sms_parts, cost_cents, campaign_messages, trial_messages, normal_messages,
      queued, sent, failed, skipped, unknown) select id, 2026, 1, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0 from location`)
})

afterAll(async () => {
  await owner.end()
  await admin(`drop database ${NAME} with (force)`)
  await admin('drop role if exists pillar_gate')
})

async function countUpTo(name: string): Promise<number> {
  const { readdir } = await import('node:fs/promises')
  const files = (await readdir(dir)).sort()
  return files.indexOf(`${name}.sql`) + 1
}

it('a database from the previous version migrates with its data, and serves', async () => {
  await migrate(url, () => {})
  expect((await owner.query('select count(*)::int as rows from recount_queue')).rows).toEqual([{ rows: 1 }])
  // Not before workers of the version before are gone: they would take it off the queue, and leave what is new at 0.
  expect(
    (await owner.query(`select since > now() + interval '10 minutes' as later from stat_recount_queue`)).rows,
  ).toEqual([{ later: true }])
  const policies = await owner.query(`select count(*)::int as rows from pg_policies where policyname = 'gate'`)
  expect(policies.rows).toEqual([{ rows: 0 }])

  const pools = openPools(url, () => {}, 1)
  try {
    const place = await pools.system
      .selectFrom('location')
      .select(['id', 'company_id', 'name'])
      .executeTakeFirstOrThrow()
    expect(place.name).toBe('Kept')
    const queued = await pools.system.selectFrom('recount_queue').select('location_id').execute()
    expect(queued).toEqual([{ location_id: place.id }])
    const seen = await pools.app.transaction().execute(async (tx) => {
      await bindScope(tx, { companyId: place.company_id, locationIds: [place.id] })
      return tx.selectFrom('stat_recount_queue').select('location_id').execute()
    })
    expect(seen).toEqual([{ location_id: place.id }])
    // The tenant's role still sees nothing without a scope.
    expect(await pools.app.selectFrom('stat_recount_queue').select('location_id').execute()).toEqual([])
  } finally {
    await pools.close()
  }
})

it('processes that start at once grant rights one after the other, because PostgreSQL refuses to grant one twice at the same moment', async () => {
  for (let round = 0; round < 5; round++) await Promise.all(Array.from({ length: 6 }, () => grantRights(url, url)))
})
