import { writeFileSync } from 'node:fs'
import type { contract, ReplyOf } from '@pillar/contract'
import { day } from '@pillar/domain/time/day'
import {
  formatChange,
  formatDate,
  formatMoney,
  formatMoneyCompact,
  formatNumber,
  formatPercent,
} from '@pillar/domain/time/locale'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, makeCompany, makeLogin, type SignedIn, signIn, type TestCompany } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { makeDailyPharmacy } from '../../../../test/world/daily-pharmacy.ts'
import { readPdf } from '../../../../test/world/pdf-text.ts'
import { ensureCompany } from '../../location/location.queries.ts'
import { reportPdf } from './report-pdf.ts'

type Stats = ReplyOf<(typeof contract)['financials']['stats']>
type Table = ReplyOf<(typeof contract)['financials']['table']>

const OCTOBER = { year: 2026, month: 10 }
const LONG = 'The Very Long Named Pharmacy of Upper Lower Middle Farther Woolloomooloo North West Extension'

let server: TestServer
let company: TestCompany
let tab: SignedIn
let ids: string[]

beforeAll(async () => {
  server = await startTestServer()
  server.clock.offsetMs = new Date('2026-11-12T02:00:00Z').getTime() - Date.now()
  company = await makeCompany(server, 'Łódź & Sønner – Аптека')
  tab = await signIn(server, await makeLogin(server, company.id, { flags: ['data_analytics'] }))
  const to = '2026-11-11'
  const growing = (on: number) => (on < day('2026-01-01') ? 21_050 : 24_075)
  const made = [
    await makeDailyPharmacy(server, company.id, {
      name: 'First',
      from: '2024-10-01',
      to,
      cents: growing,
      patients: 40,
    }),
    await makeDailyPharmacy(server, company.id, { name: LONG, from: '2026-03-02', to: '2026-10-20', cents: () => 995 }),
  ]
  ids = made.map(({ uuid }) => uuid)
})
afterAll(() => server.close())

const post = async <T>(path: string, body: object) => (await server.call<T>(path, body, tab.bearer)).body
async function report(pharmacy_id: string | null, choice: object = OCTOBER, who = tab) {
  const reply = await server.app.inject({
    ...{ method: 'POST', url: '/api/financial-report/pdf', headers: who.bearer, payload: { pharmacy_id, ...choice } },
  })
  expect(reply.statusCode, reply.body.slice(0, 300)).toBe(200)
  expect(reply.headers['content-type']).toBe('application/pdf')
  if (process.env.KEEP_PDF) writeFileSync(`${process.env.KEEP_PDF}/${pharmacy_id ?? 'all'}.pdf`, reply.rawPayload)
  return { ...readPdf(reply.rawPayload), bytes: reply.rawPayload, name: String(reply.headers['content-disposition']) }
}

describe('the one-page report', () => {
  it.each([
    ['of the company', null],
    ['of a pharmacy', 0],
  ])('%s shows the figures of the screen in the same format', async (_, at) => {
    const of = at === null ? ids : [ids[at]!]
    const stats = await post<Stats>('/api/enterprise-pharmacy-stats', { pharmacy_ids: of, ...OCTOBER })
    const table = await post<Table>('/api/enterprise-pharmacy-table', {
      category: 'Drug Type',
      pharmacies: of,
      ...OCTOBER,
    })
    const { runs, text } = await report(at === null ? null : ids[at]!)
    // One pharmacy shares nobody with itself.
    expect(text.includes('Someone who visits two of the pharmacies is counted once.')).toBe(at === null)
    const { patients } = stats
    const total = table.columns[0]!.total
    const said = (label: string) => runs[runs.indexOf(label) + 1]
    expect(said('Revenue')).toBe(formatMoney('AU', stats.revenue.total))
    expect(said('Scripts')).toBe(formatNumber('AU', stats.scripts.total))
    expect(said('Patients')).toBe(formatNumber('AU', patients.total))
    expect(said('Adherent patients')).toBe(formatPercent('AU', patients.adherent_share.value))
    expect(said('Adherent scripts')).toBe(formatPercent('AU', total.adherent_script_percent))
    expect(said('Loyalty')).toBe(formatPercent('AU', total.loyalty_script_percent))
    expect(said('Adherence opportunity')).toBe(formatMoneyCompact('AU', stats.total_adherence_opportunity_cost.total))
    expect(said('Patients not adherent')).toBe(formatNumber('AU', patients.non_adherence.total))
    for (const stat of [stats.revenue, stats.scripts, patients]) {
      if (stat.rate_of_change !== null)
        expect(runs).toContain(`${formatChange('AU', stat.rate_of_change)} on last year`)
    }
    expect(stats.revenue.rate_of_change).not.toBeNull()
    for (const one of [...table.best_categories.categories, ...table.worst_categories.categories]) {
      expect(runs).toContain(one.category)
      expect(runs).toContain(formatPercent('AU', one.adherent_script_percent))
      expect(runs).toContain(formatMoney('AU', one.revenue_value))
    }
    const october = stats.revenue.trend.find(({ month }) => month === '2026-10')!
    expect(runs).toContain(`Oct 2026: ${formatMoneyCompact('AU', october.value)}`)
    expect(runs.some((run) => run.includes(`Data to ${formatDate('AU', day(stats.data_to!))}`))).toBe(true)
  })

  it('is exactly one A4 page, in the bundled font alone, whatever the names', async () => {
    for (const id of [null, ...ids]) {
      const { pages, fonts, bytes, text } = await report(id)
      expect(pages).toBe(1)
      expect(bytes.toString('latin1')).toContain('/MediaBox [0 0 595.28 841.89]')
      expect(fonts.filter((name) => !/^[A-Z]{6}\+Inter-/.test(name))).toEqual([])
      expect(text).not.toMatch(/undefined|NaN|null|\ufffd/)
    }
    const { runs, text, name } = await report(ids[1]!)
    expect(text.replaceAll('\n', '')).toContain('Łódź & Sønner – Аптека')
    expect(runs.find((run) => run.startsWith('The Very Long'))).toMatch(/…$/)
    expect(name).toContain('2026-10.pdf')
  })

  it('names late pharmacies, and shows no drop for a running month', async () => {
    const { runs } = await report(null, { year: 2026, month: 11 })
    expect(runs.find((run) => run.startsWith('Data to'))).toMatch(
      /^Data to 11 Nov 2026 · 1 of 2 pharmacies · 1 late: The Very/,
    )
    expect(runs).toContain('1 – 11 Nov 2026')
    expect(runs.find((run) => run.startsWith('Nov 2026:'))).toBeUndefined()
    expect(runs.filter((run) => run.startsWith('Oct 2026: '))).toHaveLength(3)
  })

  it('has the targets of its period and its subject, in words', async () => {
    const set = (pharmacy_id: string | null, target: number) =>
      post('/api/target/set', { figure: 'revenue', pharmacy_id, ...OCTOBER, target })
    await set(null, 1_000_000)
    await set(ids[0]!, 1000)
    const { targets } = await post<ReplyOf<(typeof contract)['target']['list']>>('/api/target/list', OCTOBER)
    const whole = (await report(null)).runs
    expect(whole).toContain(`of ${formatMoney('AU', 1_000_000)}`)
    expect(whole).toContain(targets[0]!.words)
    expect((await report(ids[0]!)).runs).toContain('Target reached')
    expect((await report(ids[1]!)).runs).toContain('No targets are set for this period.')
  })

  it('for a period without data is also a page, and says so', async () => {
    const { pages, runs } = await report(ids[1]!, { year: 2025, month: 1 })
    expect(pages).toBe(1)
    expect(runs[runs.indexOf('Revenue') + 1]).toBe('–')
    expect(runs).toContain('Nothing to rank: each needs at least 30 measured.')
  })

  it('is not available to anybody else, and leaves a row in the log', async () => {
    const rival = await signIn(
      server,
      await makeLogin(server, (await makeCompany(server)).id, { flags: ['data_analytics'] }),
    )
    const refused = await server.call('/api/financial-report/pdf', { pharmacy_id: ids[0], ...OCTOBER }, rival.bearer)
    expect(refused.status).toBe(404)
    await report(ids[0]!)
    const [row] = await asOwner(
      server,
      `select action, object, object_name, detail from audit where company_id = $1 and action = 'financialReport.pdf' order by id desc limit 1`,
      [company.id],
    )
    expect(row).toMatchObject({ object: ids[0], object_name: 'First', detail: { period: '2026-10' } })
  })

  it('names the tax of the company’s country, and who pays beside patients', async () => {
    const country = 'GB'
    const abroad = await ensureCompany(server.services.pools.system, { name: 'Thames Chemists', country })
    const reader = await signIn(server, await makeLogin(server, abroad.id, { flags: ['data_analytics'] }))
    const { text } = await report(null, OCTOBER, reader)
    expect(text).toContain('excluding VAT')
    expect(text).not.toContain('GST')
    expect(text.replaceAll('\n', ' ')).toContain('patients and the NHS pay')
  })

  it('is a Letter page in the United States, and says so if it cannot write a name', async () => {
    const country = 'US'
    const abroad = await ensureCompany(server.services.pools.system, { name: 'Hudson 和平 Pharmacy', country })
    const reader = await signIn(server, await makeLogin(server, abroad.id, { flags: ['data_analytics'] }))
    const { bytes, pages, runs } = await report(null, OCTOBER, reader)
    expect(pages).toBe(1)
    expect(bytes.toString('latin1')).toContain('/MediaBox [0 0 612 792]')
    expect(runs).toContain('Hudson ?? Pharmacy')
    const lacks = 'A ? in a name stands for a letter that this page cannot show.'
    expect(runs).toContain(lacks)
    expect((await report(null)).runs).not.toContain(lacks)
  })

  it('writes the names of drug types in full', async () => {
    const names = ['Epilepsy and Parkinson’s', 'Dementia and ADHD', 'Hormones and contraceptives', 'Diabetes']
    const best = names.map((name) => ({ name, share: '58.37%', measured: '1,071', revenue: '$16,170' }))
    const nothing = { above: null, period: 'October 2026', dates: '', age: '', headlines: [], trends: [], targets: [] }
    const ranked = { title: 'Drug types by adherence', best, worst: [] }
    const about = { product: 'Pillar', made: '', language: 'en-AU', now: new Date('2026-11-12T02:00:00Z') }
    const { text } = readPdf(await reportPdf({ ...nothing, subject: 'First', ranked, counted: [] }, about))
    expect(text).not.toContain('…')
    for (const word of names.join(' ').split(' ')) expect(text).toContain(word)
  })
})
