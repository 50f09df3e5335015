import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { asOwner, makeCompany, makeLogin, type SignedIn, signIn } from '../people.ts'
import { startTestServer, type TestServer } from '../server.ts'
import { MANY } from './pharmacy.ts'
import { type Watched, watchVisits } from './visits.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** Every entry against every pharmacy would be more rows than any statement has reason to read. */
const PHARMACIES = 100
const EACH = 8
const OTHERS = 20

let server: TestServer
let tab: SignedIn
let watched: Watched
beforeAll(async () => {
  server = await startTestServer()
  const company = await makeCompany(server)
  const login = await makeLogin(server, company.id, { flags: ['ecdr', 'data_analytics'] })
  await asOwner(
    server,
    `insert into location (uuid, company_id, name, time_zone, owner_login_id)
     select gen_random_uuid(), $1, 'Pharmacy ' || n, 'Australia/Melbourne', $3 from generate_series(1, $2::int) n`,
    [company.id, PHARMACIES, login.id],
  )
  // Of the many companies that PostgreSQL knows of, this one has nearly all the pharmacies: it expects a company to have a few.
  for (let other = 0; other < OTHERS; other++)
    await asOwner(
      server,
      `insert into location (uuid, company_id, name, time_zone) values (gen_random_uuid(), $1, 'Other', 'Australia/Melbourne')`,
      [(await makeCompany(server)).id],
    )
  await asOwner(
    server,
    `insert into s8_attention (location_id, kind, source, product_id, product_name, number, base_on)
     select l.id, 'countersign', 'canonical', 'M10', 'Morphine 10 mg tablet', n, current_date - n
     from location l cross join generate_series(1, $2::int) n where l.company_id = $1`,
    [company.id, EACH],
  )
  await asOwner(
    server,
    'insert into s8_pharmacy (location_id, uploaded_at) select id, now() from location where company_id = $1',
    [company.id],
  )
  await asOwner(server, 'analyze')
  tab = await signIn(server, login)
  watched = await watchVisits(server)
})
afterAll(() => server.close())

/** The steps of a screen's statements that read more rows than any has reason to. */
async function quadratic(path: string, input: object, most = MANY) {
  const from = watched.visits.length
  const { status, body } = await server.call<{ results: unknown[]; total: number }>(path, input, tab.bearer)
  expect(status).toBe(200)
  return { body, found: watched.visits.slice(from).filter(({ rows }) => rows > most) }
}

it('issues of the registers look up entries, balances and owners for a single page only', async () => {
  for (const sort_field of ['kind', 'name', 'since']) {
    const { body, found } = await quadratic(contract.s8.attention.path, { sort_field })
    expect(found).toEqual([])
    expect(body).toMatchObject({ total: PHARMACIES * EACH })
    expect(body.results[0]).toMatchObject({ kind: 'countersign' })
  }
  const { found } = await quadratic(contract.s8.attentionCounts.path, {})
  expect(found).toEqual([])
})

it('owners of pharmacies are looked up, not compared with every pharmacy', async () => {
  for (const [path, input] of [
    [contract.financials.initInfo.path, { year: 2026 }],
    [contract.report.contacts.path, {}],
    [contract.s8.stats.path, {}],
  ] as const) {
    const { body, found } = await quadratic(path, input, PHARMACIES ** 2 - 1)
    // Tables as small as here are read whole to find one row, but a join must not yield every row for each pharmacy.
    expect(found.filter(({ step }) => /Join|Loop/.test(step))).toEqual([])
    expect(JSON.stringify(body)).toContain('Pharmacy 1')
  }
})
