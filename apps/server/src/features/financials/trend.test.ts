import type { contract, ReplyOf } from '@pillar/contract'
import { type Day, day } from '@pillar/domain/time/day'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, makeCompany, makeLogin, signIn, type TestCompany } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { countDailyPharmacy, makeDailyPharmacy } from '../../../test/world/daily-pharmacy.ts'
import { inScope } from '../../db/scope.ts'
import { recomputeMetrics } from '../metrics/metrics.queries.ts'
import { changesOf } from './cell-change.ts'
import { NO_SUMS } from './cells.ts'

type Trend = ReplyOf<(typeof contract)['financials']['trend']>
type Stats = ReplyOf<(typeof contract)['financials']['stats']>
type Figures = ReplyOf<(typeof contract)['financials']['figures']>
type Explanation = ReplyOf<(typeof contract)['financials']['explain']>

/** A Wednesday: November has had 8 business days without the public holiday of the 3rd (Melbourne). */
const DATA_TO = '2026-11-11'

let server: TestServer
let company: TestCompany
let bearer: Record<string, string>
let old: string
let young: string
let oldId: number

const pharmacy = (from: string, cents: (on: Day) => number) =>
  makeDailyPharmacy(server, company.id, { from, to: DATA_TO, cents })

beforeAll(async () => {
  server = await startTestServer()
  server.clock.offsetMs = new Date('2026-11-12T02:00:00Z').getTime() - Date.now()
  company = await makeCompany(server)
  bearer = (await signIn(server, await makeLogin(server, company.id, { flags: ['data_analytics'] }))).bearer
  const first = await pharmacy('2024-10-01', (on) => (on < day('2026-01-01') ? 2000 : 2500))
  old = first.uuid
  oldId = first.id
  young = (await pharmacy('2026-03-02', () => 1000)).uuid
})
afterAll(() => server.close())

async function post<T>(path: string, body: object): Promise<T> {
  const reply = await server.call<T>(path, body, bearer)
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body
}
const choice = { year: 2026, month: 11 }
const trend = (figure: string, pharmacy_ids: string[]) =>
  post<Trend>('/api/enterprise-figure-trend', { figure, pharmacy_ids, ...choice })
const stats = (pharmacy_ids: string[]) => post<Stats>('/api/enterprise-pharmacy-stats', { pharmacy_ids, ...choice })

describe('the trend of a figure', () => {
  it('has 24 months, the running one ending with the newest data', async () => {
    const { months, title, unit, data_to } = await trend('revenue', [old])
    expect({ title, unit, data_to }).toEqual({ title: 'Revenue', unit: 'money', data_to: DATA_TO })
    expect(months.map((one) => one.month)).toEqual([...new Set(months.map((one) => one.month))].sort())
    expect(months[0]).toMatchObject({ month: '2024-12', from: '2024-12-01', to: '2024-12-31', running: false })
    expect(months.at(-1)).toMatchObject({ month: '2026-11', from: '2026-11-01', to: DATA_TO, running: true })
  })

  it('compares the running month with the same days a year earlier, and as a rate per business day', async () => {
    const last = (await trend('revenue', [old])).months.at(-1)!
    // 8 weekdays, less the Melbourne Cup; a year earlier 7 to 11 November, less the Cup.
    const now = 8
    const then = 7
    expect(last).toMatchObject({
      ...{ value: now * 25, previous: then * 20, change: (now * 25 - then * 20) / (then * 20) },
      ...{ business_days: now - 1, pharmacies_counted: 1, pharmacies_compared: 1 },
    })
    expect(last.per_business_day).toBeCloseTo((now * 25) / (now - 1), 12)
    expect(last.previous_per_business_day).toBeCloseTo((then * 20) / (then - 1), 12)
    expect(last.year_before).toBe(last.previous_per_business_day)
  })

  it('draws the year before like for like if one of the pharmacies has none, and gives the change of the others', async () => {
    const { months } = await trend('revenue', [old, young])
    const october = months.at(-2)!
    expect(october).toMatchObject({ pharmacies_counted: 2, pharmacies_compared: 1, previous: null })
    expect(october.change).toBeCloseTo((22 / 23) * 1.25 - 1, 12)
    expect(october.value).toBe(22 * 25 + 22 * 10)
    // The first pharmacy's month was $25 a day and $20 a year before, on 22 and 23 dispensing days and as many business days.
    expect(october.year_before).toBeCloseTo(october.per_business_day! * (20 / 25), 12)
    expect((await trend('patients', [old, young])).months.at(-2)!.year_before).not.toBeNull()
    const alone = (await trend('revenue', [young])).months.at(-2)!
    expect([alone.value, alone.year_before]).toEqual([220, null])
  })

  it('ends with the tile’s value, change and year before, also like for like', async () => {
    for (const chosen of [[old], [old, young]]) {
      const tile = (await stats(chosen)).revenue
      const { months } = await trend('revenue', chosen)
      const last = months.at(-1)!
      expect([tile.total, tile.rate_of_change]).toEqual([last.value, expect.closeTo(last.change!, 12)])
      for (const [at, { month, value, previous }] of months.slice(-13).entries())
        expect(tile.trend[at]).toMatchObject({ month, value, ...(previous === null ? {} : { prior: previous }) })
    }
    expect((await stats([old, young])).revenue.trend.at(-2)).toMatchObject({ value: 770, prior: 644 })
    expect((await stats([young])).revenue.trend.every(({ prior }) => prior === null)).toBe(true)
  })

  it('pools shares from their sums, with their uncertainty', async () => {
    const both = (await trend('loyalty', [old, young])).months.at(-2)!
    expect(both).toMatchObject({ value: 1, n: 44, high: 1, business_days: 44 })
    const { months } = await trend('adherent_share', [old, young])
    expect(months.at(-2)).toMatchObject({ n: 24 })
    expect(months.at(-2)!.low).toBeLessThan(months.at(-2)!.value! + 1e-9)
    const percent = await trend('adherent_script_percent', [old])
    expect(percent.months.at(-2)!.change).toBeCloseTo(
      percent.months.at(-2)!.value! - percent.months.at(-2)!.previous!,
      12,
    )
  })

  it('counts scripts per business day over the business days of all pharmacies', async () => {
    const { months } = await trend('scripts_per_business_day', [old, young])
    expect(months.at(-2)).toMatchObject({ value: 1, per_business_day: null, business_days: 44 })
  })

  it('explains revenue by its pharmacies and their year before', async () => {
    const told = await post<Explanation>('/api/enterprise-number-explain', {
      ...{ number: 'revenue', pharmacy_ids: [old, young], ...choice },
    })
    const tile = (await stats([old, young])).revenue
    expect(told.value).toBe(tile.total)
    expect(told.pharmacies.reduce((sum, one) => sum + one.numerator, 0)).toBe(tile.total)
    expect(told.comparison).toMatchObject({ kind: 'change', pharmacies: 1, previous: 140 })
    expect(told.comparison!.value).toBe(tile.rate_of_change)
  })
})

describe('the change of a cell', () => {
  type Table = ReplyOf<(typeof contract)['financials']['table']>
  const table = (changes: boolean, category = 'Drug Type') =>
    post<Table>('/api/enterprise-pharmacy-table', { category, pharmacies: [old, young], changes, ...choice })

  it('equals the tile’s for the total, over the pharmacies compared, and is given only on request', async () => {
    const tile = (await stats([old, young])).revenue
    const { changes, pharmacies, columns } = await table(true)
    expect(changes.TOTAL!.revenue_value).toBe(tile.rate_of_change)
    expect(changes.TOTAL!.script_count).toBeCloseTo(1 / 7, 12)
    expect(Object.keys(changes)).toEqual(columns.map(({ field }) => field))
    const [first, second] = [old, young].map((id) => pharmacies.find((one) => one.pharmacy_id === id)!)
    expect(first!.changes).toEqual(changes)
    expect(second!.changes).toEqual({})
    const plain = await table(false)
    expect([plain.changes, ...plain.pharmacies.map((one) => one.changes)]).toEqual([{}, {}, {}])
  })

  it('for a share is how much larger it is now', () => {
    const sums = (adherent: number, here: number) => ({
      ...{ ...NO_SUMS, measured_pairs: 20, measured_scripts: 100, adherent_scripts: adherent },
      ...{ here_slots: here, leaked_slots: 100 - here },
    })
    const years = {
      byPharmacy: new Map([[1, { TOTAL: sums(60, 90) }]]),
      earlier: new Map([[1, { TOTAL: sums(50, 85) }]]),
    }
    const { TOTAL } = changesOf({ columns: ['TOTAL'], ...years } as unknown as Parameters<typeof changesOf>[0], 1)
    expect(TOTAL!.adherent_script_percent).toBeCloseTo(0.1, 12)
    expect(TOTAL!.loyalty_script_percent).toBeCloseTo(0.05, 12)
  })

  it('for a share is its difference in the trend', async () => {
    const [{ changes }, { months }] = [await table(true), await trend('loyalty', [old, young])]
    expect(changes.TOTAL!.loyalty_script_percent).toBe(months.at(-1)!.change)
  })
})

describe('the parts of a revenue change', () => {
  type Parts = ReplyOf<(typeof contract)['financials']['changeParts']>
  it('add up to it, and over the pharmacies', async () => {
    const answer = await post<Parts>('/api/enterprise-change-parts', { pharmacy_ids: [old, young], ...choice })
    // 8 scripts at $25.00 after 7 at $20.00, of one medicine.
    expect(answer).toMatchObject({ now: 200, previous: 140, change: 60, parts: { volume: 20, price: 40, mix: 0 } })
    expect(answer.rates!.volume + answer.rates!.price + answer.rates!.mix).toBeCloseTo(60 / 140, 12)
    expect(answer.pharmacies).toMatchObject([{ pharmacy_id: old, parts: { volume: 20, price: 40, mix: 0 } }])
    expect(answer).toMatchObject({ pharmacies_counted: 2, pharmacies_compared: 1 })
  })
})

describe('persistence', () => {
  type Persistence = ReplyOf<(typeof contract)['financials']['persistence']>
  it('is not given for anybody who was there before, or if the data begin too late', async () => {
    const { curves, followed_to } = await post<Persistence>('/api/enterprise-persistence', {
      ...{ pharmacy_ids: [old, young], ...choice, drug_types: true },
    })
    expect(curves).toEqual([{ drug_type: null, starts: 0, points: [], steps: [], until: null }])
    expect(followed_to).toBe(DATA_TO)
  })
})

describe('the comparison of a running period', () => {
  it('stays stored if a later upload recounts only what it can have affected', async () => {
    const before = await trend('loyalty', [old])
    const id = oldId
    const scope = { companyId: company.id, locationIds: [id] }
    const cells = () =>
      inScope(server.services.pools.app, scope, (tx) =>
        tx
          .selectFrom('metric_cell')
          .selectAll()
          .where('location_id', '=', id)
          .orderBy('period')
          .orderBy('category_id')
          .orderBy('subcategory_id')
          .execute(),
      )
    const stored = await cells()
    expect(stored.some(({ period }) => period < 0)).toBe(true)
    await inScope(server.services.pools.app, scope, (tx) =>
      recomputeMetrics(
        tx,
        { id, country: 'AU', timeZone: 'Australia/Melbourne' },
        { dataTo: DATA_TO, changedFrom: DATA_TO },
      ),
    )
    expect(await cells()).toEqual(stored)
    expect(await trend('loyalty', [old])).toEqual(before)
  })
})

describe('gross profit', () => {
  const told = async (id: string) => {
    const chosen = { pharmacy_ids: [id], ...choice }
    const { figures } = await post<Figures>('/api/enterprise-figures', chosen)
    const { value, change } = figures.find(({ figure }) => figure === 'gross_profit')!
    const explained = await post<Explanation>('/api/enterprise-number-explain', { number: 'gross_profit', ...chosen })
    const { reason, value: rate } = explained.comparison!
    return { value, change, explained: [explained.value, explained.pharmacies[0]!.value], rate, reason }
  }

  it('is unknown, like its change, if no cost was sent', async () => {
    const unknown = { value: null, change: null, explained: [null, null], rate: null }
    const reason = 'No cost was sent in one of the two years.'
    const { id, uuid } = await pharmacy('2025-03-03', () => 2000)
    expect(await told(uuid)).toMatchObject(unknown)
    expect((await trend('gross_profit', [uuid])).months.at(-1)).toMatchObject({ value: null, per_business_day: null })
    const costOf = async (cents: number | null, since: string) => {
      await asOwner(server, 'update script set cost_cents = $2 where location_id = $1 and dispensed_on >= $3', [
        ...[id, cents, since],
      ])
      await countDailyPharmacy(server, company.id, { id, to: DATA_TO })
      return told(uuid)
    }
    expect(await costOf(1500, '2026-01-01')).toEqual({ ...unknown, value: 40, explained: [40, 40], reason })
    await costOf(1500, '2025-01-01')
    expect(await costOf(null, '2026-01-01')).toEqual({ ...unknown, reason })
    expect(await costOf(1600, '2026-01-01')).toMatchObject({
      value: 32,
      change: (32 - 35) / 35,
      rate: (32 - 35) / 35,
      reason: null,
    })
    const { uuid: first } = await pharmacy('2026-10-01', () => 2000)
    expect(await told(first)).toMatchObject({ ...unknown, reason: 'No pharmacy has complete data in both years.' })
  })

  it('covers pharmacies that sent some cost: their business days, and a change for those with cost in both years', async () => {
    const both = await pharmacy('2025-03-03', () => 2000)
    const lately = await pharmacy('2025-03-03', () => 2000)
    const never = await pharmacy('2025-03-03', () => 2000)
    for (const [{ id }, since] of [
      [both, '2025-01-01'],
      [lately, '2026-01-01'],
    ] as const) {
      await asOwner(server, 'update script set cost_cents = 1500 where location_id = $1 and dispensed_on >= $2', [
        id,
        since,
      ])
      await countDailyPharmacy(server, company.id, { id, to: DATA_TO })
    }
    const ids = [both, lately, never].map(({ uuid }) => uuid)
    const { figures } = await post<Figures>('/api/enterprise-figures', { pharmacy_ids: ids, ...choice })
    expect(figures.find(({ figure }) => figure === 'gross_profit')).toMatchObject({ value: 80, change: 5 / 35 })
    expect((await trend('gross_profit', ids)).months.at(-1)).toMatchObject({
      ...{ value: 80, business_days: 14, per_business_day: 80 / 14, pharmacies_counted: 2, pharmacies_compared: 1 },
    })
    const explain = (number: string) =>
      post<Explanation>('/api/enterprise-number-explain', { number, pharmacy_ids: ids, ...choice })
    // For a share the change is a difference: each pharmacy has its own share of a year earlier, and these do not add up.
    const share = await explain('costed_share')
    const { change } = figures.find(({ figure }) => figure === 'costed_share')!
    expect(share.comparison).toMatchObject({ pharmacies: 3, now: 2 / 3, previous: 1 / 3, value: change })
    expect(share.pharmacies.map(({ now, previous }) => [now, previous]).sort()).toEqual(
      Array.of([0, 0], [1, 0], [1, 1]),
    )
    const { comparison, pharmacies } = await explain('gross_profit')
    expect(comparison).toMatchObject({ now: 40, previous: 35, pharmacies: 1 })
    const reasons = new Map(pharmacies.map((one) => [one.pharmacy_id, one.left_out]))
    expect(ids.map((id) => reasons.get(id))).toEqual([
      null,
      ...Array(2).fill('No cost was sent in one of the two years.'),
    ])
  })
})

it('a selection ends with the newest data of any of its pharmacies', async () => {
  await asOwner(server, `update location set data_to = '2026-11-05' where uuid = $1`, [young])
  expect(await stats([old, young])).toMatchObject({ data_to: DATA_TO })
})
