import type { contract, ReplyOf } from '@pillar/contract'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { asOwner, type SignedIn } from '../../../test/people.ts'
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

type Calls = (typeof contract)['companySixtyDay']

let server: TestServer
let company: { id: number; tab: SignedIn }
let [ballarat, sydney]: SixtyDayPharmacy[] = []
beforeAll(async () => {
  server = await startTestServer()
  setClock(server, NOW)
})
afterAll(() => server.close())
beforeEach(async () => {
  company = await makeSixtyDayCompany(server)
  ballarat = await makeSixtyDayPharmacy(server, company.id)
  sydney = await makeSixtyDayPharmacy(server, company.id, { state: 'NSW', postcode: '2000' })
})

const ask = async <T>(path: string, body: object) =>
  (await server.call<T>(`/api/company/sixtyday/${path}`, body, company.tab.bearer)).body
const both = () => ({ pharmacies: [ballarat!.uuid, sydney!.uuid] })
const stats = () => ask<ReplyOf<Calls['stats']>>('stats', both())
const table = (more: object) =>
  ask<ReplyOf<Calls['categories']>>('categories', {
    ...both(),
    category: 'mp_pt',
    selected_statistic: 'affected_scripts',
    ...more,
  })
const change = ({ id }: SixtyDayPharmacy, columns: string) =>
  asOwner(server, `update location set ${columns} where id = $1`, [id])

/** Pravastatin twice in Ballarat and once in Sydney; pantoprazole three times, only in Sydney. */
async function dispensed() {
  const [statin, same] = [
    await makeListedDrug(server, ballarat!.id, { atc: 'C10AA03' }),
    await makeListedDrug(server, sydney!.id, { atc: 'C10AA03' }),
  ]
  const other = await makeListedDrug(server, sydney!.id, { atc: 'A02BC02' })
  await supply(server, ballarat!.id, statin, { count: 2 })
  await supply(server, sydney!.id, same, { count: 1 })
  await supply(server, sydney!.id, other, { count: 3 })
  for (const one of [ballarat!, sydney!]) await refresh(server, one)
}

it('each state and each postcode has its own pharmacies; one without a postcode counts only in its state', async () => {
  await dispensed()
  await change(sydney!, 'postcode = null')
  const places = (await stats()).areas.map(({ state, postcode, pharmacies, affected_scripts }) => [
    state,
    postcode,
    pharmacies,
    affected_scripts,
  ])
  expect(places.sort()).toEqual([
    ['NSW', null, 1, 3],
    ['VIC', null, 1, 2],
    ['VIC', '3350', 1, 2],
  ])
  await change(sydney!, 'region = null')
  expect((await stats()).areas.map(({ state }) => state)).toEqual(['VIC', 'VIC'])
})

it('a column sorts the pharmacies, whatever the total', async () => {
  await dispensed()
  const { columns, data } = await table({})
  expect(columns.map(({ value }) => value).toSorted()).toEqual([2, 3, 5])
  // A value the pharmacy has none of is 0, not unknown.
  const own = data.find(({ uuid }) => uuid === ballarat!.uuid)!.categories.map(({ value }) => value)
  expect(own.toSorted()).toEqual([0, 2, 2])
  const first = async (value: number) => {
    const col = columns.find((one) => one.value === value)!.name
    return (await table({ col, sort_direction: 'desc' })).data.map(({ uuid }) => uuid)
  }
  expect(await first(2)).toEqual([ballarat!.uuid, sydney!.uuid])
  expect(await first(3)).toEqual([sydney!.uuid, ballarat!.uuid])
})

it('a single supply has a cell too, because it is part of the denominators of shares', async () => {
  await dispensed()
  const { data } = await table({ selected_statistic: 'affected_scripts_percent' })
  const shares = data
    .find(({ uuid }) => uuid === sydney!.uuid)!
    .categories.map(({ numerator, denominator }) => [numerator, denominator])
  expect(shares.toSorted()).toEqual([
    [0, 1],
    [3, 3],
    [3, 4],
  ])
})

it('only actual supplies count: nothing reversed, promised, or to somebody who is not real', async () => {
  const drug = await makeListedDrug(server, ballarat!.id, { atc: 'C10AA03' })
  for (const count of [4, 3, 2, 1]) await supply(server, ballarat!.id, drug, { count })
  const mark = (count: number, what: string) =>
    asOwner(
      server,
      `with one as (select patient_id from script where location_id = $1 group by patient_id having count(*) = $2) ${what}`,
      [ballarat!.id, count],
    )
  await mark(3, 'update script s set reversed = true from one where s.patient_id = one.patient_id')
  await mark(2, 'update script s set deferred = true from one where s.patient_id = one.patient_id')
  await mark(1, 'update patient p set fake = true from one where p.id = one.patient_id')
  await refresh(server, ballarat!)
  await refresh(server, sydney!)
  expect((await stats()).sums.scripts).toBe(4)
})

it('a base is complete from its first day to its last, and the two pharmacies’ data end on their own days', async () => {
  await change(ballarat!, `data_from = '2025-11-01', data_to = '2026-10-31'`)
  await change(sydney!, `data_to = '2026-11-03'`)
  await dispensed()
  expect((await stats()).basis).toMatchObject({ incomplete: 0, data_to_oldest: '2026-10-31', data_to: '2026-11-03' })
  for (const late of [`data_from = '2025-11-02'`, `data_from = '2025-11-01', data_to = '2026-10-30'`]) {
    await change(ballarat!, late)
    await refresh(server, ballarat!)
    expect([late, (await stats()).basis.incomplete]).toEqual([late, 1])
  }
})

it('downloading the table leaves a row in the log, with its content', async () => {
  await ask('categories-export', { ...both(), category: 'age', selected_statistic: 'scripts_lost' })
  const rows = await asOwner(
    server,
    `select detail from audit where company_id = $1 and action = 'companySixtyDay.categoriesExport'`,
    [company.id],
  )
  expect(rows).toEqual([{ detail: { category: 'age', statistic: 'scripts_lost' } }])
})
