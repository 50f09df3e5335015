import type { contract, ReplyOf } from '@pillar/contract'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, makeCompany, makeLogin, type SignedIn, signIn, type TestCompany } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { makeDailyPharmacy } from '../../../../test/world/daily-pharmacy.ts'

type Table = ReplyOf<(typeof contract)['financials']['table']>

const FORMULA = '=HYPERLINK("https://attacker.example")'

let server: TestServer
let company: TestCompany
let tab: SignedIn
let ids: string[]

beforeAll(async () => {
  server = await startTestServer()
  server.clock.offsetMs = new Date('2026-11-12T02:00:00Z').getTime() - Date.now()
  company = await makeCompany(server)
  tab = await signIn(server, await makeLogin(server, company.id, { flags: ['data_analytics'] }))
  const from = '2025-06-02'
  const to = '2026-11-11'
  const made = [
    await makeDailyPharmacy(server, company.id, { name: FORMULA, from, to, cents: () => 2050 }),
    await makeDailyPharmacy(server, company.id, { name: 'Acacia', from, to, cents: () => 1000, patients: 40 }),
    await makeDailyPharmacy(server, company.id, { name: 'Banksia', from, to: '2026-10-30', cents: () => 3000 }),
  ]
  ids = made.map(({ uuid }) => uuid)
})
afterAll(() => server.close())

async function xlsx(more: object) {
  const reply = await server.app.inject({
    ...{ method: 'POST', url: '/api/enterprise-pharmacy-table-xlsx', headers: tab.bearer },
    payload: { category: 'Drug Type', pharmacies: ids, year: 2026, month: 11, ...more },
  })
  expect(reply.statusCode, reply.body.slice(0, 300)).toBe(200)
  const { sheets } = await readXlsx(reply.rawPayload)
  const [head, ...rows] = sheets[0]!.rows
  return { name: String(reply.headers['content-disposition']), type: reply.headers['content-type'], head, rows }
}
const table = async (more: object = {}) => {
  const body = { category: 'Drug Type', pharmacies: ids, year: 2026, month: 11, ...more }
  return (await server.call<Table>('/api/enterprise-pharmacy-table', body, tab.bearer)).body
}

const FIXED = [
  ...['Pharmacy', 'State', 'Postcode', 'Data from', 'Data to', 'Period from', 'Period to', 'Note', 'Statistic'],
]
const day = (cell: unknown) => (cell as Date).toISOString().slice(0, 10)

it.each(['csv', 'xlsx'])('a sort by an unknown column is refused (%s)', async (kind) => {
  const body = { category: 'Drug Type', pharmacies: ids, year: 2026, month: 11, sort_field: 'Shoe Size' }
  const { status, body: refused } = await server.call(`/api/enterprise-pharmacy-table-${kind}`, body, tab.bearer)
  expect([status, refused]).toMatchObject([422, { code: 'invalid', errors: { sort_field: [expect.any(String)] } }])
})

describe('the table as an Excel file', () => {
  it('has the rows of the screen in its order, money in full and days as dates', async () => {
    const { name, type, head, rows } = await xlsx({ statistic: 'Revenue', sort_order: 'asc', sort_field: 'TOTAL' })
    expect(name).toContain('2026-11_adherence_data.xlsx')
    expect(type).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    const { columns, pharmacies } = await table()
    expect(head).toEqual([
      ...FIXED,
      'All drug types',
      ...columns.map(({ field }) => field).filter((field) => field !== 'TOTAL'),
    ])
    expect(rows.map(([first]) => first)).toEqual([
      ...['TOTAL', 'Pillar average', 'Selected average', 'Acacia', FORMULA, 'Banksia'],
    ])
    const revenue = (uuid: string) => pharmacies.find((one) => one.pharmacy_id === uuid)?.cells.TOTAL?.revenue_value
    expect(rows[3]![FIXED.length]).toBe(revenue(ids[1]!))
    expect(rows[4]![FIXED.length]).toBe(revenue(ids[0]!))
    expect(rows[0]![FIXED.length]).toBe(columns[0]!.total.revenue_value)
    expect([day(rows[3]![3]), day(rows[3]![4]), day(rows[3]![5])]).toEqual(['2025-06-02', '2026-11-11', '2026-11-01'])
    // Without a figure in the period the cell is empty, neither a dash nor 0.
    expect(rows[5]![FIXED.length] ?? null).toBeNull()
    expect(rows[5]![7]).toBe('late')
  })

  it('gives shares as fractions, with their uncertainty, in the requested columns', async () => {
    const { head, rows } = await xlsx({ statistic: 'Adherence', columns: ['TOTAL'], month: 10, sort_field: 'pharmacy' })
    expect(head!.slice(FIXED.length)).toEqual([
      ...['All drug types', 'All drug types: measured', 'All drug types: 95% from', 'All drug types: 95% to'],
    ])
    expect(rows[0]![FIXED.indexOf('Statistic')]).toBe('Share of scripts from adherent patients')
    const { columns, pharmacies } = await table({ month: 10 })
    const total = columns[0]!.total
    expect(rows[0]!.slice(FIXED.length)).toEqual([
      ...[total.adherent_script_percent, total.adherence_n, total.adherence_low, total.adherence_high],
    ])
    const few = pharmacies.filter(({ cells }) => (cells.TOTAL?.adherence_n ?? 0) < 10)
    for (const { pharmacy_name } of few) {
      const row = rows.find(([first]) => first === pharmacy_name)!
      if (row[FIXED.length + 1] !== 0) expect(row[FIXED.length]).toBe('too few to tell')
    }
  })

  it('is recorded in the company’s log, like the CSV file', async () => {
    await server.call(
      '/api/enterprise-pharmacy-table-csv',
      { category: 'Sex', pharmacies: ids, year: 2026 },
      tab.bearer,
    )
    const rows = await asOwner<{ action: string; detail: unknown }>(
      server,
      `select action, detail from audit where company_id = $1 and action like 'financials.table%' order by id`,
      [company.id],
    )
    expect(rows.at(-1)).toEqual({
      action: 'financials.tableCsv',
      detail: { period: '2026', category: 'Sex', statistic: 'Revenue', rows: 3 },
    })
    expect(rows[0]).toMatchObject({ action: 'financials.tableXlsx', detail: { rows: 3, period: '2026-11' } })
  })
})
