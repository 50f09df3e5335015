import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Tx } from '../../src/db/database.ts'
import { trialContacts } from '../../src/features/trial/change/trial-status.queries.ts'
import { asOwner, fresh, makeCompany } from '../people.ts'
import { startTestServer, type TestServer } from '../server.ts'
import { makeSupport } from '../support.ts'
import { makeTrial } from '../trial.ts'
import { MANY } from './pharmacy.ts'
import { plansOf } from './plans.ts'
import { visitsOf } from './visits.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** Every pharmacy against every person would be more than any statement has reason to read. */
const PHARMACIES = 100
const PEOPLE = 1_000

let server: TestServer
let companyId: number
beforeAll(async () => {
  server = await startTestServer()
  companyId = (await makeCompany(server)).id
  await asOwner(
    server,
    `insert into location (uuid, company_id, name, time_zone) select gen_random_uuid(), $1, 'Pharmacy ' || n, 'Australia/Melbourne' from generate_series(1, $2::int) n`,
    [companyId, PHARMACIES],
  )
  await asOwner(
    server,
    `insert into login (uuid, company_id, username, email, password_hash, first_name, last_name)
     select gen_random_uuid(), $1, $3 || n, $3 || n || '@pillar.example', 'none', 'Ines', 'Moran' from generate_series(1, $2::int) n`,
    [companyId, PEOPLE, fresh('person')],
  )
  await asOwner(
    server,
    `insert into login_location (location_id, company_id, login_id)
     select l.id, l.company_id, o.id from location l join login o on o.id % $2 = l.id % $2 where l.company_id = $1 and o.company_id = $1`,
    [companyId, PHARMACIES],
  )
  await asOwner(
    server,
    'update location set owner_login_id = (select min(id) from login where company_id = $1) where company_id = $1',
    [companyId],
  )
  await asOwner(server, 'analyze')
})
afterAll(() => server.close())

/** A query of the platform, explained as it runs: its steps that read more rows than any has reason to. */
async function quadratic(query: (tx: Tx) => Promise<unknown>) {
  const plans = await plansOf(server, query)
  return plans.flatMap(({ plan, statement }) => visitsOf(plan, statement)).filter(({ rows }) => rows > MANY)
}

it('recipients of trial letters are looked up, not compared with everybody', async () => {
  const uuid = await makeTrial(await makeSupport(server))
  const [trial] = await asOwner<{ id: number }>(server, 'select id from trial where uuid = $1', [uuid])
  await asOwner(
    server,
    'insert into trial_location (location_id, trial_id, total_eligible) select id, $2, 5 from location where company_id = $1',
    [companyId, trial!.id],
  )
  expect(await quadratic((tx) => trialContacts(tx, trial!.id))).toEqual([])
  const told = await server.services.pools.system.transaction().execute((tx) => trialContacts(tx, trial!.id))
  // The owner of all of them, and the linked people, one of whom is the owner: each pharmacy is named once.
  expect(told.map(({ pharmacies }) => pharmacies.length)).toEqual([PHARMACIES, ...Array(PEOPLE - 1).fill(1)])
})
