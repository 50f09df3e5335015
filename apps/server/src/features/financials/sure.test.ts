import type { contract, ReplyOf } from '@pillar/contract'
import { sureText } from '@pillar/domain/figure/format'
import { wilson } from '@pillar/domain/figure/interval'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCompany, makeLocation, makeLogin, signIn } from '../../../test/people.ts'
import { startUploadServer, type UploadServer } from '../../../test/upload.ts'
import { ensureSubcategories } from '../metrics/subcategory.queries.ts'
import { shareOf } from './cells.ts'

type Financials = (typeof contract)['financials']

const OCTOBER = { year: 2026, month: 10 }
const PERIOD = 202610

let server: UploadServer
let bearer: Record<string, string>
/** Pharmacies by the case they represent. */
const at: Record<'few' | 'some' | 'whole' | 'late' | 'gaps' | 'empty', { id: number; uuid: string }> = {} as never

const ask = async <T>(path: string, body: object) => {
  const reply = await server.call<T>(`/api/enterprise-${path}`, { ...OCTOBER, ...body }, bearer)
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body
}
const ids = (...names: (keyof typeof at)[]) => names.map((name) => at[name].uuid)
const table = (...names: (keyof typeof at)[]) =>
  ask<ReplyOf<Financials['table']>>('pharmacy-table', { category: 'Sex', pharmacies: ids(...names) })
const explain = (number: string, pharmacy_ids: string[], more: object = {}) =>
  ask<ReplyOf<Financials['explain']>>('number-explain', { number, pharmacy_ids, ...more })

/** Stored sums of one pharmacy: for each sex its measured pairs, each with 3 scripts, 2 of them adherent, and its slots. */
async function store(id: number, cells: Record<'Female' | 'Male', { pairs: number; slots: number; cents: number }>) {
  const sexes = await server.owner
    .selectFrom('subcategory')
    .select(['id', 'name', 'category_id'])
    .where('name', 'in', ['Female', 'Male'])
    .execute()
  const row = (category_id: number, subcategory_id: number, { pairs, slots, cents }: (typeof cells)['Female']) => ({
    ...{ location_id: id, period: PERIOD, category_id, subcategory_id, patients: pairs, opportunity_cents: 0 },
    ...{ script_count: slots, revenue_cents: cents, measured_pairs: pairs },
    ...{
      measured_scripts: pairs * 3,
      adherent_scripts: pairs * 2,
      observed_days: pairs * 100,
      covered_days: pairs * 75,
    },
    ...{ here_slots: slots - 1, leaked_slots: 1 },
  })
  const { Female: a, Male: b } = cells
  const total = { pairs: a.pairs + b.pairs, slots: a.slots + b.slots, cents: a.cents + b.cents }
  const rows = [
    { ...row(0, 0, total), here_slots: total.slots - 2, leaked_slots: 2 },
    ...sexes.map((sex) => row(sex.category_id, sex.id, cells[sex.name as 'Female' | 'Male'])),
  ]
  await server.owner.insertInto('metric_cell').values(rows).execute()
}

/** A stored headline row: 100 scripts, 40 patients, the given adherent and other patients; a year earlier 80 and 30, or none. */
async function headline(id: number, more: { adherent: number; non: number; days: number; prior: boolean }) {
  const { prior } = more
  const row = { scripts: 100, patients: 40, male: 20, female: 20, opportunity_cents: 1050 }
  const year = prior ? { scripts: 80, patients: 30, male: 15, female: 15, opportunity_cents: 1001 } : null
  await server.owner
    .insertInto('metric_total')
    .values({
      ...{ location_id: id, period: PERIOD, from_day: '2026-10-01', to_day: '2026-10-31', revenue_cents: 100_000 },
      ...row,
      ...{ adherent: more.adherent, non_adherent: more.non, business_days: more.days },
      prior_scripts: year?.scripts ?? null,
      prior_patients: year?.patients ?? null,
      prior_male: year?.male ?? null,
      prior_female: year?.female ?? null,
      prior_adherent: prior ? 12 : null,
      prior_non_adherent: prior ? 8 : null,
      prior_opportunity_cents: year?.opportunity_cents ?? null,
    })
    .execute()
}

beforeAll(async () => {
  server = await startUploadServer()
  server.clock.offsetMs = new Date('2026-11-20T02:00:00Z').getTime() - Date.now()
  await ensureSubcategories(server.owner)
  const company = await makeCompany(server)
  const data: [keyof typeof at, string | null][] = [
    ['few', '2020-01-01'],
    ['some', '2020-01-01'],
    ['whole', '2020-01-01'],
    ['late', '2026-10-05'],
    ['gaps', '2020-01-01'],
    ['empty', null],
  ]
  for (const [name, from] of data) {
    at[name] = await makeLocation(server, company.id, `Pharmacy ${name}`)
    const reach = { data_from: from, data_to: from && '2026-11-19' }
    await server.owner.updateTable('location').set(reach).where('id', '=', at[name].id).execute()
  }
  await store(at.few.id, { Female: { pairs: 9, slots: 9, cents: 1001 }, Male: { pairs: 10, slots: 10, cents: 1000 } })
  await store(at.some.id, { Female: { pairs: 29, slots: 29, cents: 500 }, Male: { pairs: 30, slots: 30, cents: 0 } })
  await store(at.late.id, { Female: { pairs: 50, slots: 90, cents: 700 }, Male: { pairs: 0, slots: 9, cents: 0 } })
  await headline(at.few.id, { adherent: 6, non: 3, days: 21, prior: true })
  await headline(at.some.id, { adherent: 20, non: 10, days: 21, prior: true })
  await headline(at.late.id, { adherent: 30, non: 20, days: 19, prior: false })
  await headline(at.gaps.id, { adherent: 7, non: 3, days: 15, prior: false })
  await headline(at.whole.id, { adherent: 8, non: 2, days: 21, prior: false })
  const login = await makeLogin(server, company.id, { flags: ['data_analytics'] })
  bearer = (await signIn(server, login)).bearer
}, 120_000)

afterAll(() => server.close())

const round = (value: number) => Math.round(value * 1_000_000) / 1_000_000

describe('a share in the table', () => {
  it('has bounds to a tenth of a percent that match their text', () => {
    // 0.802498 is 80.2%; 0.8025 would be 80.3%.
    expect(sureText('AU', shareOf(22, 33, 33), 'measured')).toBe('between 49.6% and 80.2%, from 33 measured')
  })

  it('is null under 10 observations, and from 10 a value between its Wilson bounds', async () => {
    const answer = await table('few', 'some')
    const [few, some] = answer.pharmacies.map((row) => row.cells)
    expect(few!.Female).toMatchObject({ adherent_script_percent: null, adherence_n: 9, adherence_low: null })
    expect(few!.Female).toMatchObject({ loyalty_script_percent: null, loyalty_n: 9, loyalty_high: null })
    const ten = wilson(2 / 3, 10)
    expect(few!.Male).toMatchObject({
      adherent_script_percent: 2 / 3,
      adherence_n: 10,
      adherence_low: round(ten.low),
      adherence_high: round(ten.high),
    })
    const slots = wilson(29 / 30, 30)
    expect(some!.Male).toMatchObject({
      loyalty_script_percent: 29 / 30,
      loyalty_n: 30,
      loyalty_low: round(slots.low),
      loyalty_high: round(slots.high),
    })
    const pooled = wilson(2 / 3, 78)
    for (const cell of [answer.columns[0]!.total, answer.selected_average.TOTAL!]) {
      expect(cell).toMatchObject({
        adherence_n: 78,
        adherence_low: round(pooled.low),
        adherence_high: round(pooled.high),
      })
    }
  })

  it('comes with means to the cent and to two decimals', async () => {
    const answer = await table('few', 'some', 'late')
    expect(answer.selected_average.TOTAL).toMatchObject({ revenue_value: 10.67, script_count: 59 })
    expect(answer.selected_average.Female).toMatchObject({ revenue_value: 7.34, script_count: 42.67 })
  })

  it('is ranked, with its interval, only from 30 measured on', async () => {
    const answer = await table('few', 'some')
    // Female 38, Male 40: the same share, so the larger number has the higher lower bound.
    const { low, high } = wilson(2 / 3, 40)
    expect(answer.best_categories.categories).toEqual([
      expect.objectContaining({
        category: 'Male',
        adherence_n: 40,
        adherence_low: round(low),
        adherence_high: round(high),
      }),
    ])
    expect((await table('few')).best_categories).toMatchObject({
      categories: [],
      total: { adherent_script_percent: null, adherence_n: 0, adherence_low: null },
    })
  })

  it('is the same in the file as on screen, with its uncertainty', async () => {
    const asked = { category: 'Sex', pharmacies: ids('few', 'late'), statistic: 'Adherence', sort_field: 'pharmacy' }
    const text = await ask<string>('pharmacy-table-csv', { ...asked, sort_order: 'asc' })
    const rows = parse(text, { bom: true, columns: true }) as Record<string, string>[]
    expect(
      rows.map((row) => [row.Pharmacy, row.Female, row.Male, row['Female: measured'], row['Male: 95% interval']]),
    ).toEqual([
      ['TOTAL', '66.67%', '66.67%', '59', '36.8% – 87.3%'],
      ['Pillar average', '–', '–', '', ''],
      ['Selected average', '66.67%', '66.67%', '59', '36.8% – 87.3%'],
      ['Pharmacy few', 'too few to tell', '66.67%', '9', '36.8% – 87.3%'],
      ['Pharmacy late', '66.67%', '–', '50', ''],
    ])
    expect(rows.at(-1)).toMatchObject({
      ...{ State: 'VIC', Postcode: '3350', 'Data from': '5 Oct 2026', 'Data to': '19 Nov 2026' },
      ...{
        Period: '1 – 31 Oct 2026',
        Note: 'data begins within the period',
        Statistic: 'Share of scripts from adherent patients',
      },
    })
    const money = await ask<string>('pharmacy-table-csv', { ...asked, statistic: 'Revenue', sort_order: 'asc' })
    const [head, total] = parse(money, { bom: true }) as string[][]
    expect(head!.slice(8)).toEqual(['All sexes', 'Female', 'Male'])
    expect(total!.slice(8)).toEqual(['$27', '$17', '$10'])
  })
})

it('the tile shows the uncertainty of its share', async () => {
  const stats = (...names: (keyof typeof at)[]) =>
    ask<ReplyOf<Financials['stats']>>('pharmacy-stats', { pharmacy_ids: ids(...names) })
  expect((await stats('few')).patients.adherent_share).toEqual({ value: null, n: 9, low: null, high: null })
  const { low, high } = wilson(26 / 39, 39)
  expect((await stats('few', 'some')).patients.adherent_share).toEqual({
    ...{ value: 26 / 39, n: 39, low: round(low), high: round(high) },
  })
})

it('a period that begins before the data says so', async () => {
  const answer = await table('few', 'late', 'empty')
  expect(answer.pharmacies.map((row) => [row.data_from, row.begins_before_data])).toEqual([
    [null, false],
    ['2020-01-01', false],
    ['2026-10-05', true],
  ])
  const info = await ask<ReplyOf<Financials['initInfo']>>('init-info', {})
  const begun = info.pharmacies.filter((one) => one.begins_before_data)
  expect(begun.map((one) => [one.pharmacy_id, one.data_from])).toEqual([[at.late.uuid, '2026-10-05']])
  const pharmacy_ids = ids('few', 'late')
  const stats = await ask<ReplyOf<Financials['stats']>>('pharmacy-stats', { pharmacy_ids })
  expect(stats.pharmacies_begun_late).toBe(1)
  const before = { pharmacy_ids, year: 2026, month: 9 }
  expect((await ask<ReplyOf<Financials['stats']>>('pharmacy-stats', before)).pharmacies_begun_late).toBe(0)
})

describe('an explanation', () => {
  it('shows the year before, pharmacy by pharmacy, and why some take no part', async () => {
    const pharmacy_ids = ids('few', 'some', 'whole', 'late', 'gaps', 'empty')
    const figures = await ask<ReplyOf<Financials['stats']>>('pharmacy-stats', { pharmacy_ids })
    for (const [number, now, previous] of [
      ['scripts', 200, 160],
      ['patients', 80, 60],
      ['patients.adherence', 26, 24],
      ['total_adherence_opportunity_cost', 21, 20.02],
    ] as const) {
      const { comparison, pharmacies } = await explain(number, pharmacy_ids)
      expect(comparison).toMatchObject({
        ...{ kind: 'change', from: '2025-10-01', to: '2025-10-31', pharmacies: 2, now, previous, reason: null },
        value: (now - previous) / previous,
      })
      const sum = (field: 'now' | 'previous') =>
        pharmacies.reduce((all, one) => all + Math.round((one[field] ?? 0) * 100), 0) / 100
      expect([sum('now'), sum('previous')]).toEqual([now, previous])
      const path = number.split('.').reduce<unknown>((up, key) => (up as Record<string, unknown>)[key], figures)
      expect((path as { rate_of_change: number }).rate_of_change).toBeCloseTo(comparison!.value!, 12)
      expect(Object.fromEntries(pharmacies.map((one) => [one.pharmacy_name, one.left_out]))).toEqual({
        'Pharmacy few': null,
        'Pharmacy some': null,
        'Pharmacy whole': 'Data on fewer than 9 business days in 10 a year earlier',
        'Pharmacy gaps': 'Data on fewer than 9 business days in 10 of this period',
        'Pharmacy late': 'Its data begins later, on 5 Oct 2026',
        'Pharmacy empty': 'No data in this period',
      })
    }
    expect((await explain('scripts', ids('late'))).comparison).toMatchObject({
      ...{ pharmacies: 0, now: null, previous: null, value: null },
      reason: 'No pharmacy has complete data in both years.',
    })
  })

  it('of a share gives its uncertainty, in total and for each pharmacy', async () => {
    const narrowed = { category: 'Sex', subcategory: 'Female' }
    const { share, value, pharmacies } = await explain('adherent_script_percent', ids('few', 'some'), narrowed)
    const { low, high } = wilson(2 / 3, 38)
    expect([share, value]).toEqual([
      { label: 'How sure', of: 'measured', value: 2 / 3, n: 38, low: round(low), high: round(high) },
      2 / 3,
    ])
    const some = wilson(2 / 3, 29)
    expect(pharmacies.map((one) => [one.value, one.n, one.low, one.high])).toEqual([
      [null, 9, null, null],
      [2 / 3, 29, round(some.low), round(some.high)],
    ])
    const people = await explain('patients.non_adherence', ids('few', 'some'))
    expect(people.share).toMatchObject({ label: 'Patients not adherent, of all measured', n: 39, value: 13 / 39 })
    expect((await explain('revenue_value', ids('few'), narrowed)).share).toBeNull()
  })
})

it('the calculator gives no adherence for fewer than 10', async () => {
  const calculate = (subcategory: string) =>
    ask<ReplyOf<Financials['opportunity']>>('opportunity-calculator', {
      ...{ category: 'Sex', subcategory, pharmacy_ids: ids('few'), adherence_adjustment: 10 },
    })
  expect(await calculate('Female')).toMatchObject({
    ...{ current_adherence: null, current_adherence_n: 9, current_adherence_low: null, potential_adherence: null },
    ...{ potential_script: 9, potential_revenue: 10.01, growth_capped: false },
  })
  const { low, high } = wilson(0.75, 10)
  expect(await calculate('Male')).toMatchObject({
    ...{ current_adherence: 0.75, current_adherence_n: 10 },
    ...{ current_adherence_low: round(low), current_adherence_high: round(high) },
    // 30 measured scripts out of 10 is impossible, but the sum must hold: 10 - 30 + 30 x 0.85 / 0.75.
    ...{ potential_script: 14, potential_revenue: 14 },
  })
})
