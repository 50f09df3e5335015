import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { contract, ReplyOf } from '@pillar/contract'
import { EXPLAINABLE } from '@pillar/contract/figure-explain'
import { type DemoNetwork, demoNetwork } from '@pillar/demo/network'
import { writePharmacy } from '@pillar/demo/write-files'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeLogin, signIn } from '../../../test/people.ts'
import { startUploadServer, type UploadServer } from '../../../test/upload.ts'
import { sendUpload } from '../../cli/send-upload.ts'
import { inScope } from '../../db/scope.ts'
import { createLocation, ensureCompany } from '../location/location.queries.ts'
import { cellsByPharmacy, sumCells, sumTotals } from './financials.queries.ts'

type Financials = (typeof contract)['financials']
type Table = ReplyOf<Financials['table']>
type Stats = ReplyOf<Financials['stats']>
type Explanation = ReplyOf<Financials['explain']>
type Detail = ReplyOf<Financials['adherenceDetail']>

const TODAY = '2026-11-20'
const RANGE = { from: '2025-05-01', to: '2026-11-19' }
const YEAR = { year: 2026 }

let server: UploadServer
let bearer: Record<string, string>
let ids: string[]
let scope: { companyId: number; locationIds: number[] }

const post = async <T>(path: string, body: object) => (await server.call<T>(path, body, bearer)).body
const table = (category: string, pharmacies = ids, choice: object = YEAR) =>
  post<Table>('/api/enterprise-pharmacy-table', { category, pharmacies, ...choice })
const stats = (pharmacy_ids = ids, choice: object = YEAR) =>
  post<Stats>('/api/enterprise-pharmacy-stats', { pharmacy_ids, ...choice })
const whole = () => post<ReplyOf<Financials['figures']>>('/api/enterprise-figures', { pharmacy_ids: ids, ...YEAR })
const explain = (number: string, more: object = {}) =>
  post<Explanation>('/api/enterprise-number-explain', { number, pharmacy_ids: ids, ...YEAR, ...more })

async function upload(network: DemoNetwork, index: number, companyId: number): Promise<{ id: number; uuid: string }> {
  const pharmacy = network.pharmacies[index]!
  const made = await createLocation(server.services.pools.system, {
    companyId,
    name: pharmacy.name,
    region: pharmacy.region,
    postcode: pharmacy.postcode,
    country: 'AU',
    time_zone: 'Australia/Sydney',
  })
  const folder = mkdtempSync(join(tmpdir(), 'pillar-fin-'))
  chmodSync(folder, 0o755)
  writePharmacy(network, index, folder, RANGE)
  await sendUpload({ url: server.url, key: made.key, source: 'canonical', folder, initial: true, ...RANGE })
  await rm(folder, { recursive: true, force: true })
  return made
}

// With fewer scripts some business days have none, and the pharmacy is not compared.
const busy = (one: DemoNetwork['pharmacies'][number]) => one.behaviour === 'ok' && one.scripts > 3500

beforeAll(async () => {
  server = await startUploadServer()
  server.clock.offsetMs = new Date(`${TODAY}T02:00:00Z`).getTime() - Date.now()
  const network = demoNetwork('small', 1, TODAY)
  const own = await ensureCompany(server.services.pools.system, { name: 'Own', country: 'AU' })
  const other = await ensureCompany(server.services.pools.system, { name: 'Other', country: 'AU' })
  const smallest = network.pharmacies.filter(busy).sort((a, b) => a.scripts - b.scripts)
  const [a, b, c, d] = smallest.map((one) => one.index)
  const mine = [await upload(network, a!, own.id), await upload(network, b!, own.id), await upload(network, c!, own.id)]
  await upload(network, d!, other.id)
  ids = mine.map((one) => one.uuid)
  scope = { companyId: own.id, locationIds: mine.map((one) => one.id) }
  const login = await makeLogin(server, own.id, { flags: ['data_analytics'] })
  // The access token must outlive this file on the moved clock.
  bearer = (await signIn(server, login)).bearer
}, 300_000)

afterAll(() => server.close())

const CATEGORIES = ['Drug Type', 'Condition', 'Age Group', 'Sex', 'Patient Type', 'Molecule']

describe('the category table', () => {
  it.each(CATEGORIES)('adds up by %s: parts to the total, pharmacies to the column', async (category) => {
    const answer = await table(category)
    const total = answer.columns.find((column) => column.field === 'TOTAL')!.total
    for (const field of ['revenue_value', 'script_count'] as const) {
      const parts = answer.columns
        .filter((column) => column.field !== 'TOTAL')
        .reduce((sum, column) => sum + column.total[field]!, 0)
      expect(parts).toBeCloseTo(total[field]!, 2)
      for (const column of answer.columns) {
        const pharmacies = answer.pharmacies.reduce((sum, row) => sum + (row.cells[column.field]?.[field] ?? 0), 0)
        expect(pharmacies).toBeCloseTo(column.total[field]!, 2)
      }
    }
    expect(total.script_count).toBe((await stats()).scripts.total)
  })

  it('compares with the published figures of other companies, by the rounded share', async () => {
    await server.owner
      .insertInto('product_average')
      .values({
        ...{ company_id: scope.companyId, period: 202610, group_no: 1, category_id: 0, subcategory_id: 0 },
        pharmacies: 7,
        ...{ script_count: 7003, revenue_cents: 21_000_000, measured_scripts: 3000, adherent_scripts: 2000 },
        ...{ here_slots: 900, leaked_slots: 100 },
      })
      .execute()
    const answer = await table('Drug Type', ids, { year: 2026, month: 10 })
    expect(answer.baseline).toEqual({
      TOTAL: {
        ...{ script_count: 1000, revenue_value: 30_000, adherent_script_percent: 0.667, loyalty_script_percent: 0.9 },
        ...{ adherence_performance: null, loyalty_performance: null },
      },
    })
    expect(answer).toMatchObject({
      ...{ baseline_pharmacies: 7, baseline_from: '2026-10-01', baseline_to: '2026-10-31', baseline_reason: null },
      selected_pharmacies: 3,
    })
    const own = answer.columns[0]!.total
    expect(own.adherence_performance).toBeCloseTo(own.adherent_script_percent! / 0.667 - 1, 10)
    expect(answer.columns[1]!.total.adherence_performance).toBeNull()
    const average = answer.selected_average.TOTAL!
    expect(average.revenue_value).toBe(Math.round((own.revenue_value! * 100) / 3) / 100)
    expect(average.adherent_script_percent).toBe(own.adherent_script_percent)
  })

  it('says why there is no product average', async () => {
    const answer = await table('Drug Type', ids, { year: 2026, month: 9 })
    expect(answer).toMatchObject({
      ...{ baseline: null, baseline_pharmacies: 0, baseline_from: null, baseline_to: null },
      baseline_reason: 'September 2026 has not been calculated yet. Averages are calculated every night.',
    })
    expect(answer.pharmacies[0]!.cells.TOTAL!.adherence_performance).toBeNull()
  })

  it('matches its CSV file, which contains no formula', async () => {
    await server.owner
      .updateTable('location')
      .set({ name: '=HYPERLINK("http://x")' })
      .where('uuid', '=', ids[0]!)
      .execute()
    const view = {
      category: 'Sex',
      pharmacies: ids,
      ...YEAR,
      statistic: 'Adherence',
      sort_field: 'Female',
      sort_order: 'asc',
      columns: ['TOTAL', 'Male', 'Female'],
    }
    const reply = await server.call<string>('/api/enterprise-pharmacy-table-csv', view, bearer)
    const answer = await table('Sex')
    expect(reply.headers['content-disposition']).toContain('2026_adherence_data.csv')
    const rows = parse(reply.body, { bom: true }) as string[][]
    expect(rows[0]).toEqual([
      ...['Pharmacy', 'State', 'Postcode', 'Data from', 'Data to', 'Period', 'Note', 'Statistic'],
      ...['All sexes', 'Male', 'Female'],
      ...['All sexes: measured', 'All sexes: 95% interval', 'Male: measured', 'Male: 95% interval'],
      ...['Female: measured', 'Female: 95% interval'],
    ])
    expect(rows.slice(1, 4).map((row) => row[0])).toEqual(['TOTAL', 'Pillar average', 'Selected average'])
    expect(new Set(rows.slice(1).map((row) => row[5]))).toEqual(new Set(['1 Jul – 19 Nov 2026']))
    const percent = (value: number | null | undefined) => (value == null ? '–' : `${(value * 100).toFixed(2)}%`)
    const expected = answer.pharmacies
      .map((row) => [
        row.pharmacy_name.replace(/^=/, "'="),
        percent(row.cells.TOTAL?.adherent_script_percent),
        percent(row.cells.Male?.adherent_script_percent),
        percent(row.cells.Female?.adherent_script_percent),
        row.cells.TOTAL!.adherence_n.toLocaleString('en-AU'),
      ])
      .sort((x, y) => Number.parseFloat(x[3]!) - Number.parseFloat(y[3]!))
    expect(rows.slice(4).map((row) => [row[0], ...row.slice(8, 12)])).toEqual(expected)
  })
})

describe('an explanation', () => {
  it.each(EXPLAINABLE)('of %s adds up from its pharmacies to the figure shown', async (number) => {
    const [figures, answer] = [await stats(), await table('Drug Type')]
    const column = answer.columns[2]!.field
    const explained = await explain(number, { category: 'Drug Type', subcategory: column })
    const numerators = explained.pharmacies.reduce((sum, one) => sum + one.numerator, 0)
    expect(numerators).toBeCloseTo(explained.numerator.value, 4)
    const below = explained.pharmacies.reduce((sum, one) => sum + (one.denominator ?? 0), 0)
    expect(below).toBe(explained.denominator?.value ?? 0)
    const path = number
      .split('.')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], figures) as
      | { total: number }
      | undefined
    const cell = answer.columns[2]!.total as unknown as Record<string, number | null>
    const listed = (await whole()).figures.find((one) => one.figure === number)
    const shown = path ? path.total : number in cell ? cell[number] : listed?.value
    expect(explained.value ?? -1).toBeCloseTo(shown ?? -1, 8)
  })
})

describe('the patients behind a figure', () => {
  const pages = async (more: object) => {
    const first = await post<Detail>('/api/enterprise-adherence-detail', { pharmacy_id: ids[1], ...YEAR, ...more })
    const rows = [...first.rows]
    for (let page = 2; page <= first.page_count; page++) {
      rows.push(
        ...(await post<Detail>('/api/enterprise-adherence-detail', { pharmacy_id: ids[1], ...YEAR, ...more, page }))
          .rows,
      )
    }
    return { rows, totals: first.totals }
  }

  it('add up to the patients measured, adherent and not', async () => {
    const { rows, totals } = await pages({})
    const figures = await stats([ids[1]!])
    const people = Map.groupBy(rows, (row) => row.patient_ref)
    const sum = (own: Detail['rows'], field: 'covered_days' | 'observed_days') =>
      own.reduce((n, row) => n + row[field], 0)
    const adherent = [...people.values()].filter(
      (own) => sum(own, 'covered_days') / sum(own, 'observed_days') >= 0.8,
    ).length
    expect(adherent).toBe(figures.patients.adherence.total)
    expect(people.size - adherent).toBe(figures.patients.non_adherence.total)
    expect([totals.adherent_patients, totals.non_adherent_patients, totals.pairs]).toEqual([
      adherent,
      people.size - adherent,
      rows.length,
    ])
    expect(rows.reduce((n, row) => n + row.scripts, 0)).toBe(totals.scripts)
    expect(rows.every((row) => row.pdc === row.covered_days / row.observed_days && !('name' in row))).toBe(true)
  })

  it.each(CATEGORIES)('add up to the adherence of every subcategory of %s', async (category) => {
    const answer = await table(category, [ids[1]!])
    for (const { field, total } of answer.columns
      .filter((column) => column.total.adherent_script_percent !== null)
      .slice(0, 6)) {
      if (field === 'All others') continue
      const narrowed = field === 'TOTAL' ? {} : { category, subcategory: field }
      const { totals } = await post<Detail>('/api/enterprise-adherence-detail', {
        pharmacy_id: ids[1],
        ...YEAR,
        ...narrowed,
      })
      expect([field, totals.adherent_scripts / totals.scripts]).toEqual([field, total.adherent_script_percent])
    }
  })

  it('leave an audit row for every view', async () => {
    const count = async () =>
      (await server.owner.selectFrom('audit').select('id').where('action', '=', 'financials.adherenceDetail').execute())
        .length
    const before = await count()
    await post('/api/enterprise-adherence-detail', { pharmacy_id: ids[0], ...YEAR })
    expect(await count()).toBe(before + 1)
  })
})

describe('a period', () => {
  it('without data says so', async () => {
    const figures = await stats(ids, { year: 2022 })
    expect([figures.scripts.total, figures.scripts.rate_of_change, figures.pharmacies_counted]).toEqual([null, null, 0])
    const answer = await table('Drug Type', ids, { year: 2022 })
    expect(answer.columns).toEqual([])
  })

  it('in progress is compared with the same days a year earlier, if a year of history exists', async () => {
    const figures = await stats()
    expect(figures.period).toMatchObject({ from: '2026-07-01', to: '2026-11-19', ends: '2027-06-30', running: true })
    expect(figures.prior).toEqual({ from: '2025-07-01', to: '2025-11-19' })
    expect(figures.pharmacies_compared).toBe(3)
    expect((await stats(ids, { year: 2025 })).scripts.rate_of_change).toBeNull()
  })
})

describe('the queries behind the screen', () => {
  it('read the stored figures through their key, for any selection', async () => {
    const plans = await inScope(server.services.pools.app, scope, async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      const seen: string[] = []
      const locations = scope.locationIds.join(',')
      for (const text of [
        `select sum(scripts) from metric_total where location_id = any('{${locations}}') and period = any('{202600}')`,
        `select subcategory_id, sum(script_count) from metric_cell where location_id = any('{${locations}}') and period = 202600 and category_id = 1 group by 1`,
      ]) {
        const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (costs off) ${sql.raw(text)}`.execute(tx)
        seen.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
      }
      return seen
    })
    for (const plan of plans) expect(plan).toMatch(/Index (Only )?Scan.*metric_(total|cell)_pkey/)
    await inScope(server.services.pools.app, scope, async (tx) => {
      expect(await sumTotals(tx, scope.locationIds, [202600])).toHaveLength(1)
      expect((await sumCells(tx, scope.locationIds, 202600, 1)).length).toBeGreaterThan(5)
      expect((await cellsByPharmacy(tx, scope.locationIds, 202600, 0, [0])).length).toBe(3)
    })
  })
})
