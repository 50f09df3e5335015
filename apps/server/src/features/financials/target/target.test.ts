import type { contract, ReplyOf } from '@pillar/contract'
import { toTheCent } from '@pillar/domain/figure/money'
import { day } from '@pillar/domain/time/day'
import { businessDaysIn } from '@pillar/domain/time/period'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, makeCompany, makeLogin, type SignedIn, signIn, type TestCompany } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { makeDailyPharmacy } from '../../../../test/world/daily-pharmacy.ts'
import { calendarOf } from '../../../db/local-calendar.ts'

type Targets = ReplyOf<(typeof contract)['target']['list']>['targets']
type Stats = ReplyOf<(typeof contract)['financials']['stats']>

const NOVEMBER = { year: 2026, month: 11 }
const { holidays } = calendarOf({ country: 'AU', region: 'VIC', postcode: null, time_zone: 'Australia/Melbourne' })

let server: TestServer
let company: TestCompany
let tab: SignedIn
let rival: SignedIn
let first: { id: number; uuid: string }
let second: { id: number; uuid: string }
let silent: { id: number; uuid: string }

beforeAll(async () => {
  server = await startTestServer()
  server.clock.offsetMs = new Date('2026-11-12T02:00:00Z').getTime() - Date.now()
  company = await makeCompany(server)
  const flags = ['data_analytics'] as const
  tab = await signIn(server, await makeLogin(server, company.id, { flags }))
  rival = await signIn(server, await makeLogin(server, (await makeCompany(server)).id, { flags }))
  const from = '2025-06-02'
  first = await makeDailyPharmacy(server, company.id, { name: 'First', from, to: '2026-11-11', cents: () => 10_000 })
  second = await makeDailyPharmacy(server, company.id, { name: 'Second', from, to: '2026-11-06', cents: () => 5000 })
  silent = await makeDailyPharmacy(server, company.id, { name: 'Silent', from, to: '2026-10-30', cents: () => 5000 })
})
afterAll(() => server.close())

const post = <T = Record<string, unknown>>(path: string, body: object, who = tab) =>
  server.call<T>(path, body, who.bearer)
const set = (body: object, who = tab) => post<{ id: string; version: number }>('/api/target/set', body, who)
const list = async (more: object = {}) =>
  (await post<{ targets: Targets }>('/api/target/list', { ...NOVEMBER, ...more })).body.targets
const own = { pharmacy_id: null, ...NOVEMBER }
/** Business days in a range of days, in Victoria. */
const days = (from: string, to: string) => businessDaysIn({ from: day(from), to: day(to) }, holidays)
const whole = days('2026-11-01', '2026-11-30')

describe('a target', () => {
  it('for a pharmacy expects its part by the business days its data covers', async () => {
    await set({ ...own, figure: 'revenue', pharmacy_id: first.uuid, target: 2000 })
    const [answer] = await list({ pharmacy_id: first.uuid })
    const elapsed = days('2026-11-01', '2026-11-11')
    // The public holiday of the 3rd is not a business day, but 8 weekdays had scripts.
    expect([elapsed, whole]).toEqual([7, 20])
    expect(answer).toMatchObject({
      ...{ figure: 'revenue', title: 'Revenue', pharmacy_name: 'First', target: 2000, actual: 800, version: 1 },
      ...{ business_days_elapsed: 7, business_days: 20, state: 'ahead', words: '$100 ahead of the pace needed' },
      ...{ expected: (2000 * 7) / 20, gap: 100, needed_words: 'needs $93 a business day', set_by: 'Robin Vale' },
    })
    expect(answer!.period).toMatchObject({ key: '2026-11', running: true, ends: '2026-11-30' })
  })

  it('for the company uses the mean of its pharmacies’ business days, each up to its own data', async () => {
    await set({ ...own, figure: 'revenue', target: 4000 })
    const [answer] = await list()
    const elapsed = (7 + days('2026-11-01', '2026-11-06')) / 3
    const stats = await post<Stats>('/api/enterprise-pharmacy-stats', {
      ...{ pharmacy_ids: [first.uuid, second.uuid, silent.uuid], ...NOVEMBER },
    })
    expect(answer).toMatchObject({
      pharmacy_id: null,
      business_days_elapsed: Math.round(elapsed * 100) / 100,
      business_days: 20,
      n: null,
    })
    expect(answer!.actual).toBe(stats.body.revenue.total)
    expect(answer!.expected).toBe(toTheCent((4000 * elapsed) / 20))
    // What the company must bring in on each business day left, not each pharmacy.
    expect(answer!.needed).toBe(toTheCent((4000 - answer!.actual!) / (20 - elapsed)))
    expect(answer!.gap).toBe(toTheCent(answer!.actual! - (4000 * elapsed) / 20))
  })

  it('for a share is due in full, and equals the share on the card', async () => {
    await set({ ...own, figure: 'adherent_share', target: 0.9 })
    await set({ ...own, figure: 'loyalty', target: 0.9 })
    const answers = await list()
    const { patients } = (
      await post<Stats>('/api/enterprise-pharmacy-stats', {
        ...{ pharmacy_ids: [first.uuid, second.uuid, silent.uuid], ...NOVEMBER },
      })
    ).body
    expect(answers.map(({ figure }) => figure)).toEqual(['revenue', 'adherent_share', 'loyalty'])
    expect(answers[1]).toMatchObject({ actual: patients.adherent_share.value, n: patients.adherent_share.n })
    expect(answers[1]).toMatchObject({ expected: 0.9, needed: null, needed_words: null })
    expect(answers[2]).toMatchObject({ actual: 1, state: 'ahead', words: '10.0 points above the target' })
  })

  it('says that there are no data yet', async () => {
    await set({ ...own, figure: 'scripts', pharmacy_id: silent.uuid, target: 100 })
    expect(await list({ pharmacy_id: silent.uuid })).toMatchObject([
      { actual: null, expected: null, state: 'none', words: 'No data in this period yet' },
    ])
  })

  it('is reached or missed once its period is over', async () => {
    const october = { figure: 'scripts', pharmacy_id: first.uuid, year: 2026, month: 10 }
    await set({ ...october, target: 22 })
    const of = () => list({ month: 10, pharmacy_id: first.uuid })
    expect(await of()).toMatchObject([{ actual: 22, state: 'reached', words: 'Target reached' }])
    await set({ ...october, target: 30 })
    expect(await of()).toMatchObject([{ actual: 22, state: 'missed', words: 'Target missed by 8', version: 2 }])
  })

  it('is not missed while the data lack the weekend at the end of its period', async () => {
    const october = { figure: 'scripts', pharmacy_id: silent.uuid, year: 2026, month: 10 }
    await set({ ...october, target: 23 })
    const { offsetMs } = server.clock
    try {
      // Saturday the 31st: the data reach the last business day, which was Friday.
      server.clock.offsetMs = new Date('2026-10-31T02:00:00Z').getTime() - Date.now()
      const reader = await signIn(server, await makeLogin(server, company.id, { flags: ['data_analytics'] }))
      const asked = { year: 2026, month: 10, pharmacy_id: silent.uuid }
      const { targets } = (await post<{ targets: Targets }>('/api/target/list', asked, reader)).body
      expect(targets).toMatchObject([
        { actual: 22, state: 'behind', words: '1 behind the pace needed', needed: null, needed_words: null },
      ])
    } finally {
      server.clock.offsetMs = offsetMs
    }
  })

  it('is judged in full a week after its period, even if a pharmacy’s data have stopped', async () => {
    await set({ ...own, figure: 'revenue', target: 4000 })
    const ofCompany = async (now: string) => {
      server.clock.offsetMs = new Date(now).getTime() - Date.now()
      const later = await signIn(server, await makeLogin(server, company.id, { flags: ['data_analytics'] }))
      const { targets } = (await post<{ targets: Targets }>('/api/target/list', NOVEMBER, later)).body
      return targets.find(({ figure }) => figure === 'revenue')
    }
    const { offsetMs } = server.clock
    try {
      const waiting = await ofCompany('2026-12-07T02:00:00Z')
      expect(waiting).toMatchObject({ state: 'ahead', needed_words: 'needs $181 a business day' })
      expect(await ofCompany('2026-12-08T02:00:00Z')).toMatchObject({
        ...{ state: 'missed', expected: 4000, gap: waiting!.actual! - 4000, needed: null, business_days_elapsed: 20 },
        words: `Target missed by $${(4000 - waiting!.actual!).toLocaleString('en')}`,
      })
    } finally {
      server.clock.offsetMs = offsetMs
    }
  })

  it('applies only to its own period: month, quarter or financial year', async () => {
    await set({ ...own, month: null, quarter: 4, figure: 'scripts', target: 200 })
    await set({ ...own, month: null, figure: 'scripts', target: 900 })
    expect((await list({ month: null, quarter: 4 })).map(({ target }) => target)).toEqual([200])
    expect((await list({ month: null })).map(({ target, period }) => [target, period.label])).toEqual([
      [900, 'Financial year 2026–27'],
    ])
    expect((await list()).filter(({ figure }) => figure === 'scripts')).toEqual([])
  })

  it('draws the line of a chart, month by month', async () => {
    for (const month of [12, 9]) await set({ ...own, month, figure: 'revenue', target: 1000 * month })
    const { body } = await post('/api/target/line', { figure: 'revenue' })
    const asks = (target: number, from: string, to: string) => ({
      ...{ month: from.slice(0, 7), target },
      per_business_day: target / (3 * days(from, to)),
    })
    expect(body).toEqual({
      months: [
        asks(9000, '2026-09-01', '2026-09-30'),
        asks(4000, '2026-11-01', '2026-11-30'),
        asks(12_000, '2026-12-01', '2026-12-31'),
      ],
    })
    const one = await post('/api/target/line', { figure: 'revenue', pharmacy_id: first.uuid })
    expect(one.body).toEqual({ months: [{ month: '2026-11', target: 2000, per_business_day: 100 }] })
    const share = await post('/api/target/line', { figure: 'loyalty' })
    expect(share.body).toEqual({ months: [{ month: '2026-11', target: 0.9, per_business_day: null }] })
  })

  it('for gross profit includes only scripts with known cost, and says how many they are', async () => {
    const october = { figure: 'gross_profit', pharmacy_id: second.uuid, year: 2026, month: 10 }
    const of = async () => {
      const answers = await list({ month: 10, pharmacy_id: second.uuid })
      return answers.find(({ figure }) => figure === 'gross_profit')
    }
    await set({ ...october, target: 300 })
    expect(await of()).toMatchObject({ actual: null, state: 'none', words: 'No cost sent in this period yet' })
    await asOwner(
      server,
      `update metric_figure set costed_scripts = scripts - 2, costed_revenue_cents = 100000, cost_cents = 71000
       where location_id = $1 and period = 202610`,
      [second.id],
    )
    const scripts = days('2026-10-01', '2026-10-31')
    const known = `${(((scripts - 2) / scripts) * 100).toFixed(2)}%`
    expect(await of()).toMatchObject({
      ...{ actual: 290, state: 'missed', gap: -10 },
      words: `Target missed by $10, cost known for ${known} of scripts`,
    })
    await set({ ...october, pharmacy_id: null, target: 300 })
    const { body } = await post('/api/target/line', { figure: 'gross_profit' })
    expect(body).toEqual({ months: [{ month: '2026-10', target: 300, per_business_day: 300 / scripts }] })
  })
})

describe('setting a target', () => {
  it('lists the company’s before its pharmacies’', async () => {
    const all = await list({ all: true })
    expect(all.map(({ pharmacy_name, figure }) => `${pharmacy_name ?? ''} ${figure}`)).toEqual([
      ...[' revenue', ' adherent_share', ' loyalty', 'First revenue', 'Silent scripts'],
    ])
  })

  it('is refused for a wrong value, an unknown pharmacy and an outdated version', async () => {
    const wrong = await set({ ...own, figure: 'loyalty', target: 1.2 })
    expect([wrong.status, wrong.body]).toMatchObject([
      422,
      { errors: { target: ['Please enter a target of at most 100%.'] } },
    ])
    expect((await set({ ...own, figure: 'revenue', pharmacy_id: first.uuid, target: 1 }, rival)).status).toBe(404)
    const overtaken = await set({ ...own, figure: 'revenue', target: 5000, version: 0 })
    expect([overtaken.status, (overtaken.body as { message?: string }).message]).toEqual([
      409,
      'Somebody else set this target in the meantime. Nothing was saved. Please open it again and make your change.',
    ])
  })

  it('affects no other company, which sees and removes none', async () => {
    const [answer] = await list()
    const theirs = await post<{ targets: Targets }>('/api/target/list', { ...NOVEMBER, all: true }, rival)
    expect(theirs.body.targets).toEqual([])
    expect((await post(`/api/target/${answer!.id}/remove`, {}, rival)).status).toBe(404)
    expect((await list())[0]!.id).toBe(answer!.id)
  })

  it('leaves rows in the log: what was set, from what to what, and what was removed', async () => {
    const [answer] = await list()
    await set({ ...own, figure: 'revenue', target: 4500, version: answer!.version })
    expect((await post(`/api/target/${answer!.id}/remove`, {})).body).toEqual({ removed: true })
    expect(await list()).toHaveLength(2)
    const rows = await asOwner<{ action: string; object_name: string; detail: { changes?: unknown[] } }>(
      server,
      `select action, object_name, detail from audit where company_id = $1 and action like 'target.%' order by id desc limit 2`,
      [company.id],
    )
    expect(rows[0]).toMatchObject({ action: 'target.remove', object_name: 'Revenue, 2026-11' })
    expect(rows[1]!.detail.changes).toEqual([
      { object: null, before: { target: '$4,000' }, after: { target: '$4,500' } },
    ])
  })

  it('by two people at once leaves one target', async () => {
    const made = await Promise.all(
      [1, 2, 3].map((target) => set({ ...own, month: 8, figure: 'scripts', target: target * 100 })),
    )
    expect(made.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await list({ month: 8 })).toMatchObject([{ version: 3 }])
  })
})
