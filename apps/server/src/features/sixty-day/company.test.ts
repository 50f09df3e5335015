import type { contract, ReplyOf } from '@pillar/contract'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asOwner, makeLogin, type SignedIn, signIn } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { setClock } from '../../../test/world/sequence-world.ts'
import {
  makeListedDrug,
  makeSixtyDayCompany,
  makeSixtyDayPharmacy,
  NOW,
  refresh,
  type SixtyDayPharmacy,
  supply,
} from '../../../test/world/sixty-day-world.ts'
import { insertList } from './list.queries.ts'
import { bringUpToDate, startSixtyDay } from './sixty-day.jobs.ts'

type Stats = ReplyOf<(typeof contract)['companySixtyDay']['stats']>
const CALLS = ['info', 'stats', 'categories', 'categories-export']

type Table = ReplyOf<(typeof contract)['companySixtyDay']['categories']>

let server: TestServer
let company: { id: number; tab: SignedIn }
let pharmacy: SixtyDayPharmacy
beforeAll(async () => {
  server = await startTestServer()
  setClock(server, NOW)
})
afterAll(() => server.close())
beforeEach(async () => {
  company = await makeSixtyDayCompany(server)
  pharmacy = await makeSixtyDayPharmacy(server, company.id)
})

const ask = <T>(path: string, body: object, bearer = company.tab.bearer) =>
  server.call<T>(`/api/company/sixtyday/${path}`, body, bearer)
const stats = async (more: object = {}) =>
  (await ask<Stats>('stats', { pharmacies: [pharmacy.uuid], uptake_percentage: 63, ...more })).body

/** The worked example: one molecule of the first tranche, supplied 12, 11, 7 and 1 times. */
async function workedExample(at = pharmacy) {
  const statin = await makeListedDrug(server, at.id, { atc: 'C10AA07' })
  for (const count of [12, 11, 7, 1]) await supply(server, at.id, statin, { count })
  await refresh(server, at)
  return statin
}

describe('the worked example', () => {
  it('is calculated to the cent, at the fee in force at the end of the base', async () => {
    await workedExample()
    const answer = await stats()
    expect(answer).toMatchObject({ pharmacies_count: 1, affected_scripts: 30, affected_shortage_scripts: null })
    expect(answer.total_affected_scripts_lost_percent).toBeCloseTo(0.294, 10)
    expect(answer.scripts_lost).toBeCloseTo(8.82, 10)
    // 8.88 + 4.91 from July 2025 on
    expect(answer.revenue_lost).toBe(121.63)
    expect((await stats({ net_of_acss: true })).revenue_lost).toBe(78.32)
    expect(answer.affected_scripts_percent).toBeCloseTo(30 / 31, 10)
    expect(answer.affected_patients_percent).toBe(0.75)
    expect(answer.basis).toMatchObject({ from: '2025-11-01', to: '2026-10-31', incomplete: 0 })
    expect(answer.basis.fee).toMatchObject({ dispensing: 8.88, handling: 4.91, estimated: true })
    expect(answer.areas).toEqual([
      expect.objectContaining({ state: 'VIC', postcode: null, pharmacies: 1 }),
      expect.objectContaining({ state: 'VIC', postcode: '3350', pharmacies: 1 }),
    ])
    // A place has every statistic the table can show, and a revenue cell shows the scripts behind it.
    expect(answer.areas[0]!.values).toMatchObject({
      affected_scripts: 30,
      affected_patients_percent: 0.75,
      revenue_lost: answer.revenue_lost,
      shortage_scripts: null,
    })
    const [total] = (await ask<Table>('categories', { pharmacies: [pharmacy.uuid] })).body.columns
    expect(total).toMatchObject({ value: answer.revenue_lost, numerator: expect.closeTo(8.82, 10) })
    expect(answer.national).toMatchObject({ month: '2026-06', tranche: 1, share: 0.2498 })
  })

  it('loses in proportion to the uptake; affected figures stay the same', async () => {
    await workedExample()
    const [none, all] = [await stats({ uptake_percentage: 0 }), await stats({ uptake_percentage: 100 })]
    expect([none.revenue_lost, none.affected_scripts]).toEqual([0, 30])
    expect(all.scripts_lost).toBe(14)
  })

  it('counts only the base: a supply of the running month or of the year before belongs to neither', async () => {
    const statin = await workedExample()
    await supply(server, pharmacy.id, statin, { count: 1, from: '2026-11-01' })
    await supply(server, pharmacy.id, statin, { count: 1, from: '2025-10-31' })
    await refresh(server, pharmacy)
    expect((await stats()).sums.scripts).toBe(31)
  })

  it('today’s share of 60-day supplies comes from the uploads', async () => {
    const statin = await workedExample()
    await supply(server, pharmacy.id, statin, { count: 3, days: 60 })
    await refresh(server, pharmacy)
    expect((await stats()).sixty_day_share).toMatchObject({ numerator: 3, denominator: 34 })
  })
})

describe('tranches', () => {
  it('follow the item code if the list has it, else the first stage of the ATC code', async () => {
    const [first, third, code] = [
      await makeListedDrug(server, pharmacy.id, { atc: 'C10AA07' }),
      await makeListedDrug(server, pharmacy.id, { atc: 'A02BC02' }),
      await makeListedDrug(server, pharmacy.id, { atc: null, pbs: '2628H' }),
    ]
    for (const drug of [first, third, code]) await supply(server, pharmacy.id, drug, { count: 2 })
    await refresh(server, pharmacy)
    expect((await stats()).affected_scripts).toBe(6)
    expect((await stats({ tranche: '1' })).affected_scripts).toBe(4)
    expect((await stats({ tranche: 1 })).affected_scripts).toBe(4)
  })
})

it('a pharmacy whose sums cannot be calculated does not stop others from getting theirs, and is named in the log', async () => {
  await workedExample()
  const other = await makeSixtyDayPharmacy(server, company.id)
  await workedExample(other)
  const first = Math.min(pharmacy.id, other.id)
  await asOwner(
    server,
    `delete from sixty_day_base where location_id in (${pharmacy.id}, ${other.id});
     alter table sixty_day_cell add constraint broken check (location_id <> ${first}) not valid`,
  )
  const lines: unknown[] = []
  const log = { error: (line: unknown) => void lines.push(line) } as unknown as typeof server.services.log
  try {
    await expect(bringUpToDate({ ...server.services, log })).rejects.toThrow('broken')
    expect(lines).toEqual([{ location: first, reason: '23514 sixty_day_cell broken' }])
    const done = await asOwner<{ id: number }>(
      server,
      `select distinct location_id as id from sixty_day_cell where location_id in (${pharmacy.id}, ${other.id}) and location_id <> ${first}`,
    )
    expect(done).toHaveLength(1)
  } finally {
    await asOwner(server, 'alter table sixty_day_cell drop constraint broken')
    await bringUpToDate(server.services)
  }
})

it('the sums are asked for once an hour, by however many workers, and once more after a start with another base', async () => {
  const asked = async (hours: number, base = 2022) => {
    const now = new Date(server.services.now().getTime() + hours * 3_600_000)
    const services = { ...server.services, now: () => now, env: { ...server.services.env, SIXTY_DAY_BASE_YEAR: base } }
    await Promise.all([1, 2, 3].map(() => startSixtyDay(services)()))
    return (await asOwner(server, `select from pgboss.job where name = 'sixty-day'`)).length
  }
  expect([await asked(0), await asked(0), await asked(0, 2021), await asked(1, 2021)]).toEqual([1, 1, 2, 3])
})

describe('the lists', () => {
  const load = (kind: 'shortages' | 'items', content: string, rows = 1) =>
    server.services.pools.system
      .transaction()
      .execute((tx) => insertList(tx, { kind, content, rows, source: 'test', by: 'Robin', now: server.services.now() }))
  it('recalculate every pharmacy’s sums once replaced, and keep the old ones', async () => {
    await workedExample()
    const [molecule] = await asOwner<{ name: string }>(
      server,
      `select components[1] as name from molecule where atc = 'C10AA07'`,
    )
    await load('shortages', `ingredient\n${molecule!.name} calcium\n`)
    expect(await bringUpToDate(server.services)).toBeGreaterThan(0)
    const answer = await stats()
    expect(answer).toMatchObject({ affected_shortage_scripts: 30 })
    expect(answer.basis.shortages_at).not.toBeNull()
    await load(
      'items',
      'tranche,from,drug,atc,sixty_day_code,thirty_day_codes\n1,2023-09-01,other,A02BC02,14394N,11681T\n',
    )
    await bringUpToDate(server.services)
    expect((await stats()).affected_scripts).toBe(0)
    expect(await bringUpToDate(server.services)).toBe(0)
    await asOwner(server, 'delete from sixty_day_list')
    await bringUpToDate(server.services)
    expect(await stats()).toMatchObject({ affected_scripts: 30, affected_shortage_scripts: null })
    const audit = await asOwner<{ name: string }>(
      server,
      `select detail ->> 'kind' as name from audit where action = 'sixtyDay.replaceList' order by id`,
    )
    expect(audit.map(({ name }) => name)).toEqual(['shortages', 'items'])
  })
})

describe('the table', () => {
  it('has a column for each molecule that may be supplied for 60 days, and a row for each own pharmacy', async () => {
    await workedExample()
    const plain = await makeListedDrug(server, pharmacy.id, { atc: 'N02BE01' })
    await supply(server, pharmacy.id, plain, { count: 3 })
    await refresh(server, pharmacy)
    const { body } = await ask<Table>('categories', {
      pharmacies: [pharmacy.uuid],
      category: 'mp_pt',
      selected_statistic: 'affected_scripts',
    })
    expect(body.columns.map(({ value }) => value)).toEqual([30, 30])
    expect(body.columns[0]!.name).toBe('All molecules')
    expect(body.data).toHaveLength(1)
    expect(body.data[0]).toMatchObject({ uuid: pharmacy.uuid, state: 'VIC', postcode: '3350', complete: true })
    expect(body).toMatchObject({ total: 1, per_page: 25, current_page: 1, page_count: 1 })
  })

  it('is sorted and paged on the server, pharmacies without sums last', async () => {
    const many = [pharmacy]
    for (let index = 0; index < 26; index++) many.push(await makeSixtyDayPharmacy(server, company.id))
    await workedExample(many[3])
    const body = { pharmacies: many.map(({ uuid }) => uuid), selected_statistic: 'affected_scripts' }
    const first = (await ask<Table>('categories', body)).body
    expect(first.data[0]!.uuid).toBe(many[3]!.uuid)
    expect([first.total, first.page_count, first.data.length]).toEqual([27, 2, 25])
    const second = (await ask<Table>('categories', { ...body, page: 2 })).body
    expect(second.data).toHaveLength(2)
    const names = (await ask<Table>('categories', { ...body, col: 'name', sort_direction: 'asc' })).body.data.map(
      ({ name }) => name,
    )
    expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')))
    // As in every other list.
    expect((await ask<Table>('categories', { ...body, page: '1' })).body.current_page).toBe(1)
  })

  it('as a file is named after the year and the category, and contains every row', async () => {
    await workedExample()
    const reply = await ask<string>('categories-export', {
      pharmacies: [pharmacy.uuid],
      category: 'age',
      selected_statistic: 'scripts_lost',
    })
    expect(reply.headers['content-disposition']).toContain('2026_Age%20Group.csv')
    const [row] = parse(reply.body, { columns: true }) as Record<string, string>[]
    expect(Object.keys(row!).slice(0, 4)).toEqual(['Pharmacy', 'State', 'Postcode', 'Pharmacies'])
    expect(row).toMatchObject({ Pharmacy: pharmacy.name, State: 'VIC', Uptake: '63%', 'All ages': '8.82' })
  })
})

describe('access to figures', () => {
  it('does not include another company’s pharmacy, alone or among one’s own', async () => {
    const other = await makeSixtyDayCompany(server)
    const foreign = await makeSixtyDayPharmacy(server, other.id)
    for (const path of ['stats', 'categories', 'categories-export'])
      expect([path, (await ask(path, { pharmacies: [pharmacy.uuid, foreign.uuid] })).status]).toEqual([path, 404])
    const { body } = await ask<{ locations: { uuid: string }[] }>('info', {})
    expect(body.locations.map(({ uuid }) => uuid)).toEqual([pharmacy.uuid])
  })

  it('needs the flag, and Australia', async () => {
    const analyst = await signIn(
      server,
      await makeLogin(server, company.id, { flags: ['data_analytics', 'guild_login', 'sr_login'] }),
    )
    const asked = { pharmacies: [pharmacy.uuid] }
    for (const path of CALLS) expect([path, (await ask(path, asked, analyst.bearer)).status]).toEqual([path, 403])
    await asOwner(server, `update company set country = 'GB' where id = $1`, [company.id])
    for (const path of CALLS) expect([path, (await ask(path, asked)).status]).toEqual([path, 403])
  })

  it('is refused for an uptake outside 0 to 100, no pharmacy and an unknown statistic', async () => {
    const wrong = [{ uptake_percentage: 101 }, { uptake_percentage: -1 }, { pharmacies: [] }, { tranche: '' }]
    for (const more of wrong) expect((await ask('stats', { pharmacies: [pharmacy.uuid], ...more })).status).toBe(422)
    expect((await ask('categories', { pharmacies: [pharmacy.uuid], selected_statistic: 'x' })).status).toBe(422)
  })
})

describe('the agreement', () => {
  it('is asked until confirmed, kept with version, person and time, and asked again for another version', async () => {
    const login = await makeLogin(server, company.id, { flags: ['sixty_day_signup'], agreed: false })
    const tab = await signIn(server, login)
    expect(tab.reply.body.portal_eula).toBe(false)
    const asked = { pharmacies: [pharmacy.uuid] }
    for (const path of CALLS) {
      expect(await ask(path, asked, tab.bearer)).toMatchObject({
        status: 403,
        body: { code: 'agreement_needed', message: 'Please accept the End User License Agreement first.' },
      })
    }
    for (let time = 0; time < 2; time++) {
      const { body } = await server.call('/api/user/confirm-portal-eula', {}, tab.bearer)
      expect(body).toMatchObject({ portal_eula: true, version: 'Version 1.0, 22 November 2026' })
    }
    expect((await signIn(server, login)).reply.body.portal_eula).toBe(true)
    for (const path of CALLS) expect([path, (await ask(path, asked, tab.bearer)).status]).toEqual([path, 200])
    const kept = await asOwner<{ version: string }>(server, 'select version from eula_agreement where login_id = $1', [
      login.id,
    ])
    expect(kept).toEqual([{ version: 'Version 1.0, 22 November 2026' }])
    const rows = await asOwner(server, `select 1 from audit where action = 'session.confirmEula' and login_id = $1`, [
      login.id,
    ])
    expect(rows).toHaveLength(1)
    await asOwner(server, `update eula_agreement set version = 'Version 0.9' where login_id = $1`, [login.id])
    expect((await signIn(server, login)).reply.body.portal_eula).toBe(false)
    expect((await ask('stats', asked, tab.bearer)).status).toBe(403)
  })
})
