import type { contract, ReplyOf } from '@pillar/contract'
import { CATEGORIES } from '@pillar/domain/dispensing/category'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, makeCompany, makeLocation, makeLogin, signIn } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { inScope } from '../../db/scope.ts'
import { ensureSubcategories } from '../metrics/subcategory.queries.ts'
import { publishAverages } from './average.jobs.ts'

type Table = ReplyOf<(typeof contract)['financials']['table']>

const NOW = new Date('2026-11-22T02:00:00Z')
const OCTOBER = 202610

let server: TestServer
let sexes: number[]
let molecules: number[]
let parents: number[]
const companies: { id: number; places: { id: number; uuid: string }[]; bearer: Record<string, string> }[] = []

interface Written {
  place: number
  period: number
  /** Scripts of each of two molecules, half of them for women. */
  scripts: readonly [number, number]
  days?: number
}

/** Writes pharmacies' months, quarters or years as an upload would, in one go. */
async function write(...written: readonly Written[]): Promise<void> {
  const cells = written.flatMap(({ place, period, scripts: [first, second] }) => {
    const whole = first + second
    const half = Math.floor(whole / 2)
    return [
      [0, 0, whole],
      [6, molecules[0], first],
      [6, molecules[1], second],
      [1, parents[0], whole],
      [2, parents[1], whole],
      [4, sexes[0], whole - half],
      [4, sexes[1], half],
      [3, sexes[2], whole],
      [5, sexes[3], whole],
    ].map(([category, subcategory, scripts]) => ({ place, period, category, subcategory, scripts }))
  })
  const totals = written.map(({ days = 22, ...one }) => ({ ...one, scripts: one.scripts[0] + one.scripts[1], days }))
  const shape = 'place bigint, period int, category smallint, subcategory int, scripts int, days smallint'
  for (const table of ['metric_cell', 'metric_total'])
    await asOwner(
      server,
      `delete from ${table} m using jsonb_to_recordset($1::jsonb) as t(${shape}) where m.location_id = t.place and m.period = t.period`,
      [JSON.stringify(totals)],
    )
  await asOwner(
    server,
    `insert into metric_total (location_id, period, from_day, to_day, scripts, revenue_cents, patients, male, female, adherent, non_adherent, opportunity_cents, business_days, complete)
     select place, period, '2026-10-01', '2026-10-31', scripts, scripts * 3000, 1, 0, 0, 0, 0, 0, days, days >= 20 from jsonb_to_recordset($1::jsonb) as t(${shape})`,
    [JSON.stringify(totals)],
  )
  await asOwner(
    server,
    `insert into metric_cell select place, period, category, subcategory, scripts, scripts * 3000, 1, 1, scripts, scripts * 7 / 10, 1, 1, 0, scripts, scripts / 10
     from jsonb_to_recordset($1::jsonb) as t(${shape}) where scripts > 0`,
    [JSON.stringify(cells)],
  )
}

/** The same scripts at every pharmacy of these companies. */
const everywhere = (some: typeof companies, period: number, scripts: readonly [number, number], days?: number) =>
  some.flatMap(({ places }) => places.map((place) => ({ place: place.id, period, scripts, ...(days ? { days } : {}) })))

const ask = async (at: number, category = 'Molecule', choice: object = { year: 2026, month: 10 }) => {
  const { places, bearer } = companies[at]!
  const pharmacies = places.map((place) => place.uuid)
  return (await server.call<Table>('/api/enterprise-pharmacy-table', { category, pharmacies, ...choice }, bearer)).body
}

beforeAll(async () => {
  server = await startTestServer()
  server.clock.offsetMs = NOW.getTime() - Date.now()
  await ensureSubcategories(server.services.pools.app)
  const ids = async (category: number, names: string[]) =>
    (
      await asOwner<{ id: number }>(
        server,
        `insert into subcategory (category_id, name) select $1, unnest($2::text[]) on conflict (category_id, name) do update set name = excluded.name returning id`,
        [category, names],
      )
    ).map((row) => Number(row.id))
  molecules = await ids(6, ['rosuvastatin', 'atorvastatin'])
  sexes = [...(await ids(4, ['Female', 'Male'])), ...(await ids(3, ['75+'])), ...(await ids(5, ['General']))]
  const [drugType] = await ids(1, ['Lipid modifying'])
  const [condition] = await ids(2, ['Lipids'])
  parents = [drugType!, condition!]
  for (const [at, name] of ['rosuvastatin', 'atorvastatin'].entries()) {
    await asOwner(
      server,
      `insert into molecule (key, name, components, drug_type_id, condition_id, molecule_id) values ($1, $1, array[$1], $2, $3, $4)`,
      [name, drugType, condition, molecules[at]],
    )
  }
  // Five companies with 3, 2, 2, 1 and 1 pharmacies. Only the fourth sells a notable amount of the second molecule.
  for (const count of [3, 2, 2, 1, 1]) {
    const { id } = await makeCompany(server)
    const places = []
    for (let at = 0; at < count; at++) places.push(await makeLocation(server, id))
    const login = companies.length < 2 ? await makeLogin(server, id, { flags: ['data_analytics'] }) : null
    companies.push({ id, places, bearer: login ? (await signIn(server, login)).bearer : {} })
  }
  await write(
    ...everywhere(companies.toSpliced(3, 1), OCTOBER, [400, 1]),
    ...everywhere(companies.slice(3, 4), OCTOBER, [300, 90]),
  )
  await publishAverages(server.services, NOW)
})
afterAll(() => server.close())

describe('the product average', () => {
  it('is the mean over the others’ pharmacies, to three digits, and hides what only one company sells', async () => {
    const answer = await ask(0)
    // Companies of 2, 2, 1 and 1 pharmacies: 5 x 401 + 390 of 6.
    expect(answer).toMatchObject({ baseline_pharmacies: 6, baseline_reason: null, baseline_to: '2026-10-31' })
    expect(answer.baseline!.TOTAL).toMatchObject({ script_count: 399, revenue_value: 12_000 })
    expect(answer.baseline).not.toHaveProperty('atorvastatin')
    // The other molecule is hidden too, because together with the total it would reveal this one.
    expect(answer.baseline).not.toHaveProperty('rosuvastatin')
  })

  it.each(CATEGORIES)('does not depend on the pharmacies selected, by %s', async (category) => {
    const { bearer, places } = companies[0]!
    const one = { category, pharmacies: [places[0]!.uuid], year: 2026, month: 10 }
    const answer = await server.call<Table>('/api/enterprise-pharmacy-table', one, bearer)
    expect(answer.body.baseline).toEqual((await ask(0, category)).baseline)
  })

  it('stays as published when a month is corrected, and late uploaders wait for others', async () => {
    const before = await ask(0)
    await write({ place: companies[1]!.places[0]!.id, period: OCTOBER, scripts: [900, 90] })
    const late = await makeLocation(server, companies[2]!.id)
    await write({ place: late.id, period: OCTOBER, scripts: [500, 50] })
    expect((await publishAverages(server.services, NOW)).published).toBe(0)
    expect((await ask(0)).baseline).toEqual(before.baseline)
    const removed = companies[1]!.places[1]!.id
    await asOwner(server, 'update location set removed_at = now() where id = $1', [removed])
    await publishAverages(server.services, NOW)
    expect((await ask(0)).baseline).toEqual(before.baseline)
    await asOwner(server, 'update location set removed_at = null where id = $1', [removed])
  })

  it('includes late pharmacies once they form a group of their own', async () => {
    const before = await ask(0)
    for (let at = 0; at < 4; at++) {
      const { id } = await makeCompany(server)
      for (let shop = 0; shop < 2; shop++)
        await write({ place: (await makeLocation(server, id)).id, period: OCTOBER, scripts: [600, 60] })
    }
    expect((await publishAverages(server.services, NOW)).published).toBe(1)
    const answer = await ask(0)
    expect(answer.baseline_pharmacies).toBe(before.baseline_pharmacies + 9)
    // 6 of the first group as published, 8 of 660, and 550 of the late one.
    expect(answer.baseline!.TOTAL!.script_count).toBe(Number(((2395 + 8 * 660 + 550) / 15).toPrecision(3)))
    expect(answer.baseline).toHaveProperty('rosuvastatin')
  })

  it('does not exist yet for the running month, nor for one that ended a week ago', async () => {
    expect((await ask(0, 'Sex', { year: 2026, month: 11 })).baseline_reason).toBe(
      'November 2026 appears on 8 Dec 2026. See October 2026 until then.',
    )
    const november = 202611
    await write(...everywhere(companies, november, [400, 1], 21))
    expect((await publishAverages(server.services, new Date('2026-12-07T02:00:00Z'))).published).toBe(0)
    expect((await publishAverages(server.services, new Date('2026-12-08T02:00:00Z'))).published).toBe(1)
  })

  it('is hidden from a company if there are too few others', async () => {
    const [september, few] = [202609, companies.slice(0, 3)]
    await write(...everywhere(few, september, [400, 1]))
    expect((await publishAverages(server.services, NOW)).published).toBe(0)
    expect((await ask(0, 'Sex', { year: 2026, month: 9 })).baseline_reason).toContain('too few')
  })

  it('has not been calculated for a company that signed up today, and is the next night', async () => {
    const { id } = await makeCompany(server)
    const places = [await makeLocation(server, id)]
    const { bearer } = await signIn(server, await makeLogin(server, id, { flags: ['data_analytics'] }))
    const at = companies.push({ id, places, bearer }) - 1
    expect((await ask(at)).baseline_reason).toBe(
      'October 2026 has not been calculated yet. Averages are calculated every night.',
    )
    await publishAverages(server.services, NOW)
    expect((await ask(at)).baseline_reason).toBeNull()
    companies.pop()
  })

  it('counts pharmacies that a new company bought as its own, and is hidden if the seller kept some of a group', async () => {
    const shownTo = async (sellers: readonly number[]) => {
      const { id } = await makeCompany(server)
      const bought = sellers.map((at) => ({ seller: companies[at]!.id, place: companies[at]!.places[0]! }))
      const move = (place: number, company: number) =>
        asOwner(server, 'update location set company_id = $2 where id = $1', [place, company])
      for (const { place } of bought) await move(place.id, id)
      const { bearer } = await signIn(server, await makeLogin(server, id, { flags: ['data_analytics'] }))
      companies.push({ id, places: bought.map(({ place }) => place), bearer })
      await publishAverages(server.services, NOW)
      const answer = await ask(companies.length - 1)
      companies.pop()
      for (const { seller, place } of bought) await move(place.id, seller)
      return answer
    }
    // Of 9 and 9 pharmacies in two groups, without the only one of the fourth company: 7 × 401 and the corrected 990, 8 × 660 and 550.
    const all = await shownTo([3])
    expect(all.baseline_pharmacies).toBe(17)
    expect(all.baseline!.TOTAL!.script_count).toBe(Number(((7 * 401 + 990 + 8 * 660 + 550) / 17).toPrecision(3)))
    // The second company kept one of two: their sums cannot be told apart, so only the other group is shown.
    expect((await shownTo([1, 3, 4])).baseline_pharmacies).toBe(9)
  })

  it('is visible only to the company it was calculated for', async () => {
    const seen = await inScope(server.services.pools.app, { companyId: companies[1]!.id, locationIds: [] }, (tx) =>
      tx.selectFrom('product_average').select('company_id').distinct().execute(),
    )
    expect(seen).toEqual([{ company_id: companies[1]!.id }])
    await expect(
      server.services.pools.app.transaction().execute((tx) => tx.selectFrom('average_member').selectAll().execute()),
    ).rejects.toThrow('permission denied')
  })
})

describe('a quarter', () => {
  const quarter = { year: 2026, quarter: 3 }

  it('adds up its months, and judges adherence at its own end over pharmacies that are in all of them', async () => {
    await write(
      ...[202607, 202608, 202609].flatMap((month) => everywhere(companies, month, [400, 200])),
      ...everywhere(companies, 202623, [1300, 700]),
    )
    await publishAverages(server.services, NOW)
    const answer = await ask(0, 'Sex', quarter)
    expect(answer.baseline!.TOTAL).toMatchObject({ script_count: 1800, adherent_script_percent: 0.7 })
    expect(answer.baseline!.Female).toMatchObject({ script_count: 900, revenue_value: 27_000 })
    expect(answer).toMatchObject({ baseline_from: '2026-07-01', baseline_to: '2026-09-30' })
    const year = await ask(0, 'Sex', { year: 2026 })
    // October is still running: four months of a running year.
    expect(year).toMatchObject({ baseline_from: '2026-07-01', baseline_to: '2026-10-31' })
  })
})

it('a country whose averages cannot be published does not stop another, and is named in the log', async () => {
  for (let at = 0; at < 4; at++) {
    const { id } = await makeCompany(server)
    await makeLogin(server, id, { flags: ['data_analytics'] })
    await asOwner(server, `update company set country = 'GB' where id = $1`, [id])
    for (let shop = 0; shop < 2; shop++) {
      const place = await makeLocation(server, id)
      await asOwner(server, `update location set country = 'GB' where id = $1`, [place.id])
      await write({ place: place.id, period: OCTOBER, scripts: [600, 60] })
    }
  }
  // In Australia a month waits too.
  await write(...everywhere(companies, 202606, [500, 5]))
  await asOwner(server, `alter table average_member add constraint broken check (country <> 'AU') not valid`)
  const lines: unknown[] = []
  const log = { error: (line: unknown) => void lines.push(line) } as unknown as typeof server.services.log
  try {
    const { published, failed } = await publishAverages({ ...server.services, log }, NOW)
    expect(published).toBe(1)
    expect(failed).toHaveLength(1)
    expect(lines).toEqual([{ country: 'AU', reason: expect.stringContaining('broken') }])
  } finally {
    await asOwner(server, 'alter table average_member drop constraint broken')
  }
})
