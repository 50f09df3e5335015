import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { contract } from '@pillar/contract'
import { AUDIT_FILE_ROWS } from '@pillar/contract/access/audit-admin'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  asOwner,
  makeCompany,
  makeLogin,
  type SignedIn,
  signIn,
  stepUp,
  type TestCompany,
  type TestLogin,
} from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, refusal, type Support } from '../../../test/support.ts'
import { LOT } from '../../db/list.ts'
import { anchorFile, readAnchors } from './anchor.ts'
import { anchorAudit } from './audit.jobs.ts'
import { auditLots } from './audit.queries.ts'

vi.setConfig({ testTimeout: 60_000 })

let server: TestServer
let support: Support
let company: TestCompany
let office: { login: TestLogin; tab: SignedIn }

const search = async (input: object = {}) => (await support.ask(contract.audit.search, input)).body.results
const activity = async (input: object = {}) => {
  const { body } = await server.call<{ results: Record<string, unknown>[] }>(
    '/api/activity/enterprise',
    input,
    office.tab.bearer,
  )
  return body.results
}

beforeAll(async () => {
  server = await startTestServer({ work: true })
  support = await makeSupport(server)
  company = await makeCompany(server)
  const login = await makeLogin(server, company.id, { flags: ['data_analytics'] })
  office = { login, tab: await signIn(server, login) }
})
afterAll(() => server.close())

describe('an edit', () => {
  it('is found with its person, object, before and after, and origin; once over all companies, and in the company’s own log', async () => {
    const { body: before } = await support.ask(contract.company.info, { id: company.uuid })
    const edited = { uuid: company.uuid, name: `${company.name} Group`, cloud_ecdr: true, version: before.version }
    expect((await support.ask(contract.company.edit, edited)).status).toBe(200)
    const fields = [
      { label: 'Name', before: company.name, after: `${company.name} Group` },
      { label: 'Cloud eCDR', before: 'No', after: 'Yes' },
    ]
    const found = await search({ search_term: company.uuid, kind: 'change' })
    expect(found).toEqual([
      expect.objectContaining({
        ...{
          action: 'company.edit',
          words: 'edited a company',
          kind: 'change',
          object: company.uuid,
          object_name: company.name,
        },
        ...{ company: null, network: '127.0.0.0/24', agent: 'A program', changes: [{ object: company.uuid, fields }] },
        person: { uuid: support.login.uuid, name: 'Robin Vale', username: support.login.username },
        session: String(support.tab.reply.body.session_id),
      }),
    ])
    const own = await search({ company: company.uuid, kind: 'change' })
    expect(own).toMatchObject([{ action: 'company.edit', company: { uuid: company.uuid }, changes: [{ fields }] }])
    // The link of a row in one company's log also finds it in the audit over all companies.
    expect(await search({ search_term: own[0]!.id })).toMatchObject([{ id: own[0]!.id, action: 'company.edit' }])
    company.name = `${company.name} Group`
  })
})

describe('a search of the audit', () => {
  it('finds rows by person, beginning of a name, session, row, kind, call and days', async () => {
    const byPerson = await search({ search_term: support.login.username.slice(0, 12) })
    expect(byPerson.length).toBeGreaterThan(2)
    expect(new Set(byPerson.map((row) => row.person?.username))).toEqual(new Set([support.login.username]))
    expect((await search({ search_term: support.login.uuid })).length).toBe(byPerson.length)
    expect(await search({ search_term: company.name.slice(0, 9).toLowerCase(), action: 'company.edit' })).toHaveLength(
      1,
    )
    const session = String(support.tab.reply.body.session_id)
    const inSession = await search({ search_term: session })
    expect(new Set(inSession.map((row) => row.session))).toEqual(new Set([session]))
    const [row] = inSession
    expect(await search({ search_term: row!.id })).toEqual([row])
    expect((await search({ kind: 'sign-in', search_term: session })).map((one) => one.action)).toContain(
      'session.login',
    )
    expect(await search({ kind: 'patient' })).toEqual([])
    const today = new Date()
    const day = (offset: number) => new Date(today.getTime() + offset * 86_400_000).toISOString().slice(0, 10)
    expect((await search({ search_term: session, from: day(-1), to: day(1) })).length).toBe(inSession.length)
    expect(await search({ search_term: session, to: day(-2) })).toEqual([])
    expect(await search({ search_term: session, from: day(2) })).toEqual([])
    // Wildcard characters are taken literally.
    expect(await search({ search_term: '%' })).toEqual([])
  })

  it('has the newest rows first by default', async () => {
    const session = { search_term: String(support.tab.reply.body.session_id) }
    const [down, up] = [await search(session), await search({ ...session, sort_order: 'asc' })]
    expect(down.map((row) => row.id)).toEqual(up.map((row) => row.id).toReversed())
    expect(down.length).toBeGreaterThan(2)
  })
})

describe('the file', () => {
  it('contains the rows searched, without formulas, and is itself in the audit', async () => {
    await asOwner(
      server,
      `insert into audit (company_id, action, object_name) values (null, 'test.csv', '=HYPERLINK("x")')`,
    )
    const { body } = await support.ask(contract.audit.csv, { action: 'test.csv' })
    const [, line] = parse(body as unknown as string, { bom: true }) as string[][]
    expect(line).toContain(`'=HYPERLINK("x")`)
    await asOwner(server, `insert into audit (company_id, action, object_name) values (null, 'test.csv', 'Later')`)
    const both = (await support.ask(contract.audit.csv, { action: 'test.csv' })).body as unknown as string
    expect(both.indexOf('Later')).toBeLessThan(both.indexOf('HYPERLINK'))
    const last = (await search({ action: 'audit.csv' }))[1]
    expect(last).toMatchObject({
      words: 'exported the audit',
      facts: expect.arrayContaining([
        { label: 'Rows', value: '1' },
        { label: 'Action', value: 'test.csv' },
      ]),
    })
  })
})

describe('a file of too many rows', () => {
  it('is read in lots, and refused rather than cut short', async () => {
    const add = (rows: number) =>
      asOwner(
        server,
        `insert into audit (company_id, action) select null, 'test.many' from generate_series(1, $1::int)`,
        [rows],
      )
    await add(AUDIT_FILE_ROWS)
    const file = () => support.ask(contract.audit.csv, { action: 'test.many' })
    expect((await file()).status).toBe(200)
    const lots = await server.services.pools.staff
      .transaction()
      .execute(async (tx) =>
        Array.fromAsync((await auditLots(tx, { action: 'test.many', search_term: '' }, 'UTC', AUDIT_FILE_ROWS))!),
      )
    expect(lots.map(({ length }) => length)).toEqual(Array(AUDIT_FILE_ROWS / LOT).fill(LOT))
    await add(1)
    expect(refusal(await file())).toEqual([422, expect.stringMatching(/^More than 50,000 rows match/)])
  })
})

describe('the days of a search', () => {
  it('are full days, including the last', async () => {
    const on = async (from: string, to: string) => (await search({ from, to, action: 'test.day' })).length
    await asOwner(
      server,
      `insert into audit (company_id, action, at) values (null, 'test.day', '2026-11-02T12:30:00Z')`,
    )
    // 11:30 pm on the 2nd in Sydney.
    expect([await on('2026-11-02', '2026-11-02'), await on('2026-11-01', '2026-11-01')]).toEqual([1, 0])
    expect(await on('2026-11-03', '2026-11-03')).toBe(0)
  })
})

describe('verification', () => {
  it('runs in the background and reports the result', async () => {
    expect((await support.ask(contract.audit.status, {})).body).toEqual({ last: null, running_since: null })
    const status = async () => (await support.ask(contract.audit.status, {})).body
    await support.ask(contract.audit.verify, {})
    await expect
      .poll(async () => (await status()).last, { timeout: 20_000 })
      .toMatchObject({ faults: [], failure: null, anchors: 0 })
    expect((await status()).running_since).toBe(null)
    await asOwner(server, `update audit set detail = '{"tampered": true}' where action = 'test.csv'`)
    await support.ask(contract.audit.verify, {})
    await expect
      .poll(async () => (await status()).last?.faults, { timeout: 20_000 })
      .toEqual([expect.stringMatching(/^The platform: entry \d+ \(row \d+\) was altered\.$/)])
  })

  it('says since when one has been running, unless a worker lost it an hour ago', async () => {
    const since = async () => (await support.ask(contract.audit.status, {})).body.running_since
    const asked = (minutes: number) =>
      asOwner(
        server,
        `insert into audit_check (uuid, asked_at) values (gen_random_uuid(), now() - make_interval(mins => $1))`,
        [minutes],
      )
    await asked(61)
    expect(await since()).toBe(null)
    await asked(59)
    expect(Date.now() - Date.parse((await since())!)).toBeGreaterThan(58 * 60_000)
    await asOwner(server, 'delete from audit_check where ended_at is null')
  })

  it('says why it could not be done', async () => {
    const file = anchorFile(server.services.env.DATA_DIR)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, 'nonsense\n')
    try {
      await support.ask(contract.audit.verify, {})
      await expect
        .poll(async () => (await support.ask(contract.audit.status, {})).body.last?.failure, { timeout: 20_000 })
        .toMatch(/^Line 1 of .* is not as it was written/)
    } finally {
      rmSync(file)
    }
  })
})

describe('head office’s own log', () => {
  it('tells what its people did, and what support looked at and changed, without naming support', async () => {
    // An entered password has no line of its own: the act it was for has one.
    await stepUp(server, office, 'save', null)
    await support.ask(contract.company.locations, { id: company.uuid })
    const rows = await activity()
    expect(rows.slice(0, 3)).toMatchObject([
      { who: 'Pillar support', support: true, words: 'looked at the pharmacies of a company', kind: 'look' },
      {
        who: 'Pillar support',
        support: true,
        words: 'edited a company',
        changes: [{ fields: [{ label: 'Name' }, { label: 'Cloud eCDR' }] }],
      },
      { who: 'Robin Vale', support: false, words: 'signed in' },
    ])
    expect(JSON.stringify(rows)).not.toContain(support.login.username)
    expect((await activity({ by: 'support' })).every((row) => row.support)).toBe(true)
    expect((await activity({ by: 'company' })).map((row) => row.words)).toEqual(['signed in'])
    expect((await activity({ kind: 'look' })).length).toBe(1)
  })

  it('says why messages were looked at', async () => {
    await asOwner(
      server,
      `insert into audit (company_id, login_id, action, detail) values ($1, $2, 'runAdmin.read', '{"reason": "ticket 1182", "messages": 3}')`,
      [company.id, support.login.id],
    )
    expect((await activity())[0]).toMatchObject({
      who: 'Pillar support',
      words: 'looked at 3 messages',
      reason: 'ticket 1182',
    })
  })

  it('never shows another company’s', async () => {
    const other = await makeCompany(server)
    const tab = await signIn(server, await makeLogin(server, other.id, { flags: ['data_analytics'] }))
    const { body } = await server.call<{ results: object[] }>('/api/activity/enterprise', {}, tab.bearer)
    expect(body.results).toHaveLength(1)
    expect(JSON.stringify(body)).not.toContain(company.name)
  })
})

it('two workers that anchor the audit at once leave readable anchors', async () => {
  const { services } = server
  const { DATA_DIR } = services.env
  await rm(anchorFile(DATA_DIR), { force: true })
  await Promise.all([1, 2, 3].map(() => anchorAudit.run({}, services)))
  expect(await readAnchors(DATA_DIR, services.secret)).toHaveLength(1)
})
