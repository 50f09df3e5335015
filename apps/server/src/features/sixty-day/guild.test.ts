import type { contract, ReplyOf } from '@pillar/contract'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, makeCompany, makeLogin, type SignedIn, signIn, type TestLogin } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { setClock } from '../../../test/world/sequence-world.ts'
import {
  makeListedDrug,
  makeSixtyDayPharmacy,
  NOW,
  refresh,
  type SixtyDayPharmacy,
  supply,
} from '../../../test/world/sixty-day-world.ts'
import { lockGuild } from './guild.queries.ts'
import { bringUpToDate } from './sixty-day.jobs.ts'

type Stats = ReplyOf<(typeof contract)['guildSixtyDay']['stats']>
type Table = ReplyOf<(typeof contract)['guildSixtyDay']['categories']>
type Info = ReplyOf<(typeof contract)['guildSixtyDay']['info']>

let server: TestServer
let tab: SignedIn
let login: TestLogin
/** NSW: three in 2000, two in 2010, one in 2020. VIC: three in one postcode, only one of which dispenses pantoprazole. NT: two. */
const PLACES = [
  ...['2000', '2000', '2000', '2010', '2010', '2020'].map((postcode) => ({ state: 'NSW', postcode })),
  ...['3000', '3000', '3000'].map((postcode) => ({ state: 'VIC', postcode })),
  ...['0800', '0800'].map((postcode) => ({ state: 'NT', postcode })),
]
const pharmacies: (SixtyDayPharmacy & { state: string; postcode: string; supplies: number })[] = []
let optedOut: SixtyDayPharmacy

const ask = <T>(path: string, body: object = {}, bearer = tab.bearer) =>
  server.call<T>(`/api/guild/sixtyday/${path}`, body, bearer)

beforeAll(async () => {
  server = await startTestServer()
  setClock(server, '2026-11-05T02:00:00Z')
  const companies = [await makeCompany(server), await makeCompany(server)]
  for (const [index, place] of PLACES.entries()) {
    const pharmacy = await makeSixtyDayPharmacy(server, companies[index % 2]!.id, place)
    const supplies = 2 + 2 * index
    await supply(server, pharmacy.id, await makeListedDrug(server, pharmacy.id, { atc: 'C10AA07' }), {
      count: supplies,
      from: '2025-11-02',
      days: 14,
    })
    if (index === 6)
      await supply(server, pharmacy.id, await makeListedDrug(server, pharmacy.id, { atc: 'A02BC02' }), { count: 5 })
    pharmacies.push({ ...pharmacy, ...place, supplies: await suppliesIn(pharmacy) })
  }
  optedOut = await makeSixtyDayPharmacy(server, companies[0]!.id, { state: 'NT', postcode: '0800' })
  await supply(server, optedOut.id, await makeListedDrug(server, optedOut.id, { atc: 'C10AA07' }), { count: 9 })
  await asOwner(server, 'update location set no_guild_consent = true where id = $1', [optedOut.id])
  // The Guild's user belongs to a separate company without pharmacies.
  login = await makeLogin(server, (await makeCompany(server)).id, { flags: ['guild_login'] })
  await goTo('2026-11-05T02:00:00Z')
})
afterAll(() => server.close())

/** Sets the clock and signs in again, because sessions end in between. */
async function goTo(iso: string): Promise<void> {
  setClock(server, iso)
  tab = await signIn(server, login)
}

/** The supplies of the base in the record. */
async function suppliesIn({ id }: SixtyDayPharmacy): Promise<number> {
  const [row] = await asOwner<{ n: number }>(
    server,
    `select count(*)::int as n from script where location_id = $1 and dispensed_on between '2025-11-01' and '2026-10-31'`,
    [id],
  )
  return row!.n
}
const sumOf = (state: string, postcode?: string) =>
  pharmacies
    .filter((one) => one.state === state && (postcode === undefined || one.postcode === postcode))
    .reduce((sum, one) => sum + one.supplies, 0)

describe('the publication', () => {
  it('waits until eight days after the month, and is then written once', async () => {
    await bringUpToDate(server.services)
    expect((await ask<Info>('info')).body.locations).toEqual([])
    await goTo(NOW)
    // Two workers may do this at once.
    await Promise.all([bringUpToDate(server.services), bringUpToDate(server.services)])
    expect((await ask<Info>('info')).body.locations).toEqual([
      { name: 'NSW', postcodes: ['2000'], pharmacies: 6 },
      { name: 'VIC', postcodes: ['3000'], pharmacies: 3 },
    ])
  })

  it('counts all companies’ pharmacies, and leaves out a state of two with one opted out', async () => {
    const { body } = await ask<Stats>('stats')
    expect(body.pharmacies_count).toBe(9)
    expect(body.affected_scripts).toBe(sumOf('NSW') + sumOf('VIC'))
    expect((await ask<Stats>('stats', { states: ['NT'] })).body).toMatchObject({
      pharmacies_count: 0,
      affected_scripts: 0,
      revenue_lost: 0,
    })
    const rows = (await ask<Table>('categories', { location_type: 'postcode', selected_statistic: 'affected_scripts' }))
      .body.data
    expect(rows.map(({ name, pharmacies: count }) => [name, count]).sort()).toEqual([
      ['2000', 3],
      ['3000', 3],
    ])
    expect(rows.find(({ name }) => name === '2000')!.categories[0]!.value).toBe(sumOf('NSW', '2000'))
  })

  it('shows only the requested states or postcodes', async () => {
    const shown = async (location_type: string, location_values?: string[]) =>
      (await ask<Table>('categories', { location_type, location_values })).body.data.map(({ name }) => name).sort()
    expect([await shown('state'), await shown('state', ['VIC'])]).toEqual([['NSW', 'VIC'], ['VIC']])
    const ages = (await ask<Table>('categories', { category: 'age', selected_statistic: 'affected_scripts' })).body.data
    for (const { categories } of ages) expect(categories[1]!.value).toBe(categories[0]!.value)
    expect([await shown('postcode', ['3000', 'VIC']), await shown('postcode', ['VIC'])]).toEqual([['3000'], []])
  })

  it('hides a column with a single pharmacy behind it, and anything that would reveal it', async () => {
    const { body } = await ask<Table>('categories', { category: 'mp_pt', selected_statistic: 'affected_scripts' })
    const victoria = body.data.find(({ name }) => name === 'VIC')!
    expect(
      victoria.categories
        .slice(1)
        .map(({ value }) => value)
        .every((value) => value === null),
    ).toBe(true)
    const newSouthWales = body.data.find(({ name }) => name === 'NSW')!
    expect(newSouthWales.categories.filter(({ value }) => value !== null)).toHaveLength(2)
  })

  it('does not change with an upload, an opt-out or a removal on the next day', async () => {
    const before = (await ask<Stats>('stats')).body
    const first = pharmacies[0]!
    await supply(server, first.id, await makeListedDrug(server, first.id, { atc: 'C10AA07' }), { count: 4 })
    await refresh(server, first)
    await asOwner(server, 'update location set no_guild_consent = true where id = $1', [pharmacies[1]!.id])
    await asOwner(server, 'update location set removed_at = now() where id = $1', [pharmacies[2]!.id])
    await bringUpToDate(server.services)
    expect((await ask<Stats>('stats')).body).toEqual(before)
  })

  it('shows no base that shares a day with one shown, because subtracting the two would reveal who joined in between', async () => {
    const shown = async () => (await ask<Stats>('stats', { states: ['VIC'] })).body
    const before = await shown()
    const joined = await makeSixtyDayPharmacy(server, pharmacies[0]!.companyId, { state: 'VIC', postcode: '3000' })
    const drug = await makeListedDrug(server, joined.id, { atc: 'C10AA07' })
    for (let patient = 0; patient < 4; patient++)
      await supply(server, joined.id, drug, { count: 10, from: '2026-01-05' })
    for (const month of ['2026-12-10', '2027-05-10', '2027-11-07']) {
      await goTo(`${month}T02:00:00Z`)
      await asOwner(server, 'update location set data_to = $1', [month])
      await bringUpToDate(server.services)
      expect(await shown()).toEqual(before)
    }
    // A year on, the base covers those who take part then.
    await goTo('2027-11-10T02:00:00Z')
    for (const one of [...pharmacies.filter(({ state }) => state === 'VIC'), joined])
      await supply(server, one.id, await makeListedDrug(server, one.id, { atc: 'C10AA07' }), {
        count: 5,
        from: '2027-01-05',
      })
    await asOwner(server, 'delete from sixty_day_base')
    await bringUpToDate(server.services)
    expect(await shown()).toMatchObject({ pharmacies_count: 4, basis: { from: '2026-11-01' } })
    for (const table of ['guild_sixty_day_cell', 'guild_sixty_day_member', 'guild_sixty_day'])
      await asOwner(server, `delete from ${table} where to_day = '2027-10-31'`)
    await goTo(NOW)
  })
})

describe('a pharmacy with more than half', () => {
  it('hides its postcode, and the state if nobody else is left', async () => {
    const company = await makeCompany(server)
    const places = { SA: [50, 10, 10], TAS: [10, 9, 8] }
    for (const [state, patients] of Object.entries(places))
      for (const [index, count] of patients.entries()) {
        const one = await makeSixtyDayPharmacy(server, company.id, { state, postcode: `${state === 'SA' ? 50 : 70}00` })
        const drug = await makeListedDrug(server, one.id, { atc: 'C10AA07' })
        await supply(server, one.id, drug, { count: Math.min(count, 12), days: 14, from: '2025-11-02' })
        for (let more = 12; more < count; more += 12)
          await supply(server, one.id, drug, { count: 12, days: 14, from: `2025-11-0${2 + index}` })
        await refresh(server, one)
      }
    for (const table of ['guild_sixty_day_cell', 'guild_sixty_day_member', 'guild_sixty_day'])
      await asOwner(server, `delete from ${table}`)
    await bringUpToDate(server.services)
    const names = (await ask<Info>('info')).body.locations.map(({ name }) => name)
    expect(names).toContain('TAS')
    expect(names).not.toContain('SA')
  })
})

describe('differencing', () => {
  it('no two requests with any filters subtract to fewer than three pharmacies', async () => {
    const filters = fc.record({
      location_type: fc.constantFrom('state', 'postcode'),
      location_values: fc.option(
        fc.subarray(['NSW', 'VIC', 'NT', '2000', '2010', '2020', '3000', '0800'], { minLength: 1 }),
        { nil: undefined },
      ),
      category: fc.constantFrom('atc_lvl2', 'age', 'mp_pt'),
      tranche: fc.constantFrom('all', '1'),
    })
    /** The pharmacies behind a request's answer: rows of places, by the pharmacies in them. */
    const behind = async (asked: object) => {
      const { body } = await ask<Table>('categories', { ...asked, selected_statistic: 'affected_scripts' })
      return body.data
        .filter((row) => row.categories[0]!.value !== null)
        .map((row) =>
          pharmacies
            .filter((one) => one.state === row.state && (row.postcode === null || one.postcode === row.postcode))
            .map(({ id }) => id),
        )
    }
    await fc.assert(
      fc.asyncProperty(filters, filters, async (one, other) => {
        const sets = [...(await behind(one)), ...(await behind(other))]
        const union = (list: readonly number[][]) => new Set(list.flat())
        for (const a of [...sets, [...union(await behind(one))]])
          for (const b of sets) {
            const left = a.filter((id) => !b.includes(id))
            expect([0, 1, 2].includes(left.length) && left.length > 0).toBe(false)
          }
      }),
      { numRuns: 25 },
    )
  })
})

describe('a file of the Guild', () => {
  it('names each place once: states alone, postcodes with their state', async () => {
    const heads = async (location_type: string) =>
      (await ask<string>('categories-export', { location_type })).body.split(',', 4)
    expect(await heads('state')).toEqual(['State', 'Pharmacies', 'Period', 'Statistic'])
    expect(await heads('postcode')).toEqual(['Postcode', 'State', 'Pharmacies', 'Period'])
  })
})

describe('a guild login', () => {
  it('reads nothing else: no company’s figures, no pharmacy, no patient', async () => {
    const [any] = pharmacies
    const calls: [string, object][] = [
      ['/api/company/sixtyday/info', {}],
      ['/api/company/sixtyday/stats', { pharmacies: [any!.uuid] }],
      ['/api/get-pharmacies', {}],
      ['/api/enterprise-init-info', { year: 2026 }],
      ['/api/enterprise-pharmacy-stats', { pharmacy_ids: [any!.uuid], year: 2026 }],
    ]
    for (const [path, body] of calls)
      expect([path, (await server.call(path, body, tab.bearer)).status]).toEqual([path, 403])
    const answers = [await ask('info'), await ask('stats'), await ask('categories', { location_type: 'postcode' })]
    const text = JSON.stringify(answers.map(({ body }) => body))
    for (const { uuid, name } of pharmacies) expect(text.includes(uuid) || text.includes(name)).toBe(false)
  })

  it('is the only one to read these, and only in Australia', async () => {
    const other = await makeCompany(server)
    const person = await signIn(
      server,
      await makeLogin(server, other.id, { flags: ['sixty_day_signup', 'data_analytics', 'sr_login'] }),
    )
    for (const path of ['info', 'stats', 'categories', 'categories-export'])
      expect([path, (await ask(path, {}, person.bearer)).status]).toEqual([path, 403])
    const abroad = await makeCompany(server)
    await asOwner(server, `update company set country = 'US' where id = $1`, [abroad.id])
    const away = await signIn(server, await makeLogin(server, abroad.id, { flags: ['guild_login'] }))
    for (const path of ['info', 'stats', 'categories', 'categories-export'])
      expect([path, (await ask(path, {}, away.bearer)).status]).toEqual([path, 403])
  })
})

it('a publication of hundreds of pharmacies may take longer than a request', async () => {
  const limit = await server.services.pools.system.transaction().execute(async (tx) => {
    await lockGuild(tx)
    return (await sql<{ statement_timeout: string }>`show statement_timeout`.execute(tx)).rows
  })
  expect(limit).toEqual([{ statement_timeout: '5min' }])
})
