import type { contract, ReplyOf } from '@pillar/contract'
import { type Day, day } from '@pillar/domain/time/day'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, makeCompany, makeLogin, signIn, type TestCompany } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { countDailyPharmacy, makeDailyPharmacy } from '../../../../test/world/daily-pharmacy.ts'

type Financials = (typeof contract)['financials']
type Pharmacy = ReplyOf<Financials['pharmacy']>
type DrugTypes = ReplyOf<Financials['pharmacyDrugTypes']>
type Figures = ReplyOf<Financials['figures']>
type Table = ReplyOf<Financials['table']>
type Stats = ReplyOf<Financials['stats']>

const DATA_TO = '2026-11-11'
const CHOICE = { year: 2026, month: 11 }

let server: TestServer
let company: TestCompany
let bearer: Record<string, string>
let registrar: Record<string, string>
let own: { id: number; uuid: string }
let other: { id: number; uuid: string }
let foreign: { id: number; uuid: string }

const pharmacy = (companyId: number, from: string, cents: (on: Day) => number) =>
  makeDailyPharmacy(server, companyId, { from, to: DATA_TO, cents })

beforeAll(async () => {
  server = await startTestServer()
  server.clock.offsetMs = new Date('2026-11-12T02:00:00Z').getTime() - Date.now()
  company = await makeCompany(server)
  own = await pharmacy(company.id, '2024-10-01', (on) => (on < day('2026-01-01') ? 2000 : 2500))
  other = await pharmacy(company.id, '2026-03-02', () => 1000)
  foreign = await pharmacy((await makeCompany(server)).id, '2025-10-01', () => 9000)
  bearer = (await signIn(server, await makeLogin(server, company.id, { flags: ['data_analytics'] }))).bearer
  registrar = (await signIn(server, await makeLogin(server, company.id, { flags: ['data_analytics', 'ecdr'] }))).bearer
})
afterAll(() => server.close())

async function post<T>(path: string, body: object, as = bearer): Promise<T> {
  const reply = await server.call<T>(path, body, as)
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body
}
const page = (pharmacy_id = own.uuid, as = bearer, choice: object = CHOICE) =>
  post<Pharmacy>('/api/enterprise-pharmacy', { pharmacy_id, ...choice }, as)
const types = (pharmacy_id = own.uuid) =>
  post<DrugTypes>('/api/enterprise-pharmacy-drug-types', { pharmacy_id, ...CHOICE })
const headline = (reply: Pharmacy, figure: string) => reply.headlines.find((one) => one.figure === figure)!

describe('a pharmacy’s page', () => {
  it('shows the same figures as the other calls', async () => {
    const reply = await page()
    const figures = await post<Figures>('/api/enterprise-figures', { pharmacy_ids: [own.uuid], ...CHOICE })
    expect(reply.figures).toEqual(figures.figures)
    expect(reply.period).toEqual(figures.period)
    expect(reply.prior).toEqual(figures.prior)
    for (const { figure, value, change } of reply.headlines) {
      const same = figures.figures.find((one) => one.figure === figure)
      expect({ figure, value, change }).toEqual({ figure, value: same?.value, change: same?.change })
    }
    const stats = await post<Stats>('/api/enterprise-pharmacy-stats', { pharmacy_ids: [own.uuid], ...CHOICE })
    expect(headline(reply, 'revenue').value).toBe(stats.revenue.total)
    expect(headline(reply, 'adherent_share').value).toBe(stats.patients.adherent_share.value)
  })

  it('compares it with the mean of the group, and gives its rank', async () => {
    const reply = await page()
    const both = await post<Stats>('/api/enterprise-pharmacy-stats', {
      pharmacy_ids: [own.uuid, other.uuid],
      ...CHOICE,
    })
    expect(reply.group_pharmacies).toBe(2)
    expect(headline(reply, 'revenue')).toMatchObject({ group: both.revenue.total! / 2, rank: 1, ranked: 2 })
    expect(headline(await page(other.uuid), 'revenue')).toMatchObject({ rank: 2, ranked: 2 })
    // One script on each weekday at both, so they share first place.
    expect(headline(reply, 'scripts').rank).toBe(1)
    // 12 measured patients are too few for a rank.
    expect(headline(reply, 'adherent_share')).toMatchObject({ rank: null, ranked: 0 })
  })

  it('shows the trend of 13 months, a running month as a rate per business day, and none for patients yet', async () => {
    const reply = await page()
    const revenue = headline(reply, 'revenue').trend
    expect(revenue.map(({ month }) => month)).toHaveLength(13)
    // 8 scripts on 7 business days: something was dispensed on the public holiday of the 3rd too.
    expect(revenue.at(-1)).toEqual({ month: '2026-11', value: (8 * 25) / 7, group: (8 * 25 + 8 * 10) / 14 })
    expect(headline(reply, 'patients').trend.at(-1)).toEqual({ month: '2026-11', value: null, group: null })
    expect(headline(reply, 'patients').trend.at(-2)?.value).toBe(12)
  })

  it('leaves gross profit out if no cost is sent', async () => {
    expect((await page()).headlines.map(({ figure }) => figure)).toEqual([
      ...['revenue', 'scripts', 'patients', 'adherent_share'],
    ])
  })

  it('lists drug types that add up to its row in the table, and to their total', async () => {
    const { rows } = await types()
    const table = await post<Table>('/api/enterprise-pharmacy-table', {
      ...{ category: 'Drug Type', pharmacies: [own.uuid] },
      ...CHOICE,
    })
    const cells = table.pharmacies[0]!.cells
    expect(rows[0]?.name).toBe('TOTAL')
    expect(Object.fromEntries(rows.map(({ name, revenue }) => [name, revenue]))).toEqual(
      Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, cell.revenue_value])),
    )
    for (const { name, scripts, adherence } of rows) {
      expect([name, scripts, adherence.value]).toEqual([
        ...[name, cells[name]?.script_count, cells[name]?.adherent_script_percent],
      ])
    }
    const [total, ...parts] = rows
    const sum = (of: (row: DrugTypes['rows'][number]) => number) => parts.reduce((all, row) => all + of(row), 0)
    expect(sum(({ revenue }) => revenue)).toBeCloseTo(total!.revenue, 2)
    expect(sum(({ scripts }) => scripts)).toBe(total!.scripts)
    expect(total!.change).toBe(headline(await page(), 'revenue').change)
  })

  it('needs attention if its data is late, its newest upload failed, or a register’s count is too old', async () => {
    const kinds = async (as = bearer) => (await page(own.uuid, as)).attention.map(({ kind }) => kind)
    const before = await kinds()
    expect(before).not.toContain('upload_failed')
    await asOwner(
      server,
      `insert into upload (uuid, location_id, data_source, etl_state, notes, covers_to, created_at)
       values (gen_random_uuid(), $1, 'minfos', 'ERROR', 'scripts.csv holds no row', '2026-11-10', '2026-11-11T20:00:00Z')`,
      [own.id],
    )
    const reply = await page()
    expect(reply.attention[0]).toMatchObject({
      ...{ kind: 'upload_failed', day: '2026-11-10', note: 'scripts.csv holds no row' },
    })
    expect(reply.software).toBe('Minfos')
    expect(reply.uploads[0]).toMatchObject({ state: 'ERROR', source: 'Minfos', to: '2026-11-10' })
    // Without dates of its own, an upload is named by the day it came in the pharmacy's zone, which is already the next day after UTC's.
    await asOwner(server, `update upload set covers_to = null where location_id = $1 and etl_state = 'ERROR'`, [own.id])
    expect((await page()).attention[0]).toMatchObject({ kind: 'upload_failed', day: '2026-11-12' })
    await asOwner(
      server,
      `insert into s8_product (location_id, source, product_id, name, last_stocktake_on) values ($1, 'minfos', '1', 'Oxycodone 5 mg', '2026-01-01')`,
      [own.id],
    )
    expect(await kinds(registrar)).toContain('counts_overdue')
    expect(await kinds()).not.toContain('counts_overdue')
  })

  it('compares gross profit only with pharmacies that send cost', async () => {
    await asOwner(server, 'update script set cost_cents = 1500 where location_id = $1', [own.id])
    await countDailyPharmacy(server, company.id, { id: own.id, to: DATA_TO })
    const { value, group, rank, ranked, trend } = headline(await page(), 'gross_profit')
    expect([value, group, rank, ranked]).toEqual([8 * 10, 8 * 10, 1, 1])
    expect(trend.at(-1)).toEqual({ month: '2026-11', value: (8 * 10) / 7, group: (8 * 10) / 7 })
  })

  it('is not found in another company, once removed, or anywhere, with the same words', async () => {
    const gone = await pharmacy(company.id, '2026-10-01', () => 500)
    await asOwner(server, 'update location set removed_at = now() where id = $1', [gone.id])
    const unknown = '01980000-0000-7000-8000-00000000ffff'
    for (const path of ['/api/enterprise-pharmacy', '/api/enterprise-pharmacy-drug-types']) {
      const answers = []
      for (const pharmacy_id of [foreign.uuid, gone.uuid, unknown]) {
        const { status, body } = await server.call<{ message: string }>(path, { pharmacy_id, ...CHOICE }, bearer)
        answers.push({ status, message: body.message })
      }
      expect(answers).toEqual(
        Array.from({ length: 3 }, () => ({ status: 404, message: 'That pharmacy was not found.' })),
      )
    }
  })
})
