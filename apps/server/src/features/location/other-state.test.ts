import { contract } from '@pillar/contract'
import { day, formatDay } from '@pillar/domain/time/day'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { solvedCaptcha } from '../../../test/consent.ts'
import { asOwner, fresh, makeCompany } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, refusal, type Support } from '../../../test/support.ts'
import { END, MEDICINES } from '../../../test/world/metrics-world.ts'
import { openShop, recount } from '../../../test/world/shops.ts'
import { inScope } from '../../db/scope.ts'
import { ensureSubcategories } from '../metrics/subcategory.queries.ts'
import { ensureCompany } from './location.queries.ts'
import { warnOfOtherStates } from './other-state.ts'

let server: TestServer
let support: Support
beforeAll(async () => {
  server = await startTestServer()
  server.clock.offsetMs = new Date(`${formatDay(END + 1)}T02:00:00Z`).getTime() - Date.now()
  await ensureSubcategories(server.services.pools.app)
  support = await makeSupport(server)
})
afterAll(() => server.close())

it('if a pharmacy’s address is corrected to another state, its business days follow that state in every period, from its next upload on', async () => {
  const company = await makeCompany(server)
  const lines = Array.from({ length: 500 }, (_, n) => ({
    ...{ patient: 'one', molecule: 'metformin', day: END - n, days: 30, cents: 2000, prescription: null, number: null },
  }))
  const shop = await openShop(server, company.id, {
    ...{ country: 'AU', region: 'VIC', timeZone: 'Australia/Melbourne', dataTo: END, medicines: MEDICINES, lines },
    people: [{ id: 'one', died: null, facility: false, sex: 'F', born: day('1950-05-05') }],
    prescriptions: [],
  })
  const days = () =>
    inScope(server.services.pools.app, { companyId: company.id, locationIds: [shop.id] }, async (tx) => {
      const { rows } = await sql<{ period: number; business_days: number }>`
        select period, business_days from metric_total where location_id = ${shop.id} and period > 0 order by period`.execute(
        tx,
      )
      return new Map(rows.map((row) => [row.period, row.business_days]))
    })
  const before = await days()
  const given = { id: shop.uuid, name: 'West', town: 'Perth', region: 'WA', postcode: '6000' }
  expect((await support.ask(contract.locationAdmin.edit, given)).status).toBe(200)
  await recount(server, company.id, shop.id, formatDay(END))
  const after = await days()
  await recount(server, company.id, shop.id)
  expect(after).toEqual(await days())
  // Melbourne Cup Day is no holiday in Perth.
  expect([before.get(202511), after.get(202511)]).toEqual([19, 20])
})

it('an address whose postcode is in another state is refused: its patients would be texted by the wrong clock', async () => {
  const { create, edit } = contract.locationAdmin
  const company = await makeCompany(server)
  const place = { company_id: company.uuid, name: fresh('Border'), town: 'Perth', region: 'WA', postcode: '6000' }
  const words = 'Postcode 6000 is in WA, not in VIC. Please correct one of them.'
  expect(await support.ask(create, { ...place, region: 'VIC' })).toMatchObject({
    status: 422,
    body: { message: words, errors: { postcode: [words] } },
  })
  const { body } = await support.ask(create, place)
  expect(body.time_zone).toBe('Australia/Perth')
  expect(refusal(await support.ask(edit, { id: body.uuid, name: place.name, region: 'VIC' }))).toEqual([422, words])
  // Some postcodes are in two states, and those of post office boxes are not known.
  for (const [region, postcode] of [
    ['NSW', '3644'],
    ['VIC', '3644'],
    ['VIC', '8001'],
  ] as const)
    expect(
      (await support.ask(edit, { id: body.uuid, name: place.name, town: 'Cobram', region, postcode })).status,
    ).toBe(200)

  const american = await ensureCompany(server.services.pools.system, { name: fresh('Sunset'), country: 'US' })
  const there = { ...place, company_id: american.uuid, region: 'NY', postcode: '90001' }
  expect(refusal(await support.ask(create, there))).toEqual([
    422,
    'ZIP code 90001 is in CA, not in NY. Please correct one of them.',
  ])
})

it('a pharmacy that was saved with another state before is named at every start, and can still be renamed', async () => {
  const company = await makeCompany(server)
  const place = { company_id: company.uuid, name: fresh('Border'), town: 'Perth', region: 'WA', postcode: '6000' }
  const { body } = await support.ask(contract.locationAdmin.create, place)
  await asOwner(server, `update location set region = 'VIC' where uuid = $1`, [body.uuid])
  const said: object[] = []
  await warnOfOtherStates(server.services.pools.system, { warn: (about) => said.push(about) })
  const [{ id } = { id: 0 }] = await asOwner<{ id: number }>(
    server,
    'select id::int as id from location where uuid = $1',
    [body.uuid],
  )
  expect(said).toContainEqual({ location: id, postcode: '6000', state: 'VIC' })
  const renamed = await support.ask(contract.locationAdmin.edit, { id: body.uuid, name: fresh('Border') })
  expect([renamed.status, renamed.body.region]).toEqual([200, 'VIC'])
})

it('nobody signs up for the calculator with the state of another postcode, which support could not correct', async () => {
  const visitor = {
    ...{ username: fresh('jo'), email: `${fresh('jo')}@saltbush.example`, first_name: 'Jo', last_name: 'Marsh' },
    ...{ pharmacy_name: fresh('Saltbush'), pharmacy_phone: '03 5550 1234', sources: ['fred'], email_marketing: false },
    ...{ street_address: '12 Sturt Street', town: 'Ballarat', region: 'WA', postcode: '3350', privacy_statement: true },
    captcha: await solvedCaptcha(server),
  }
  expect(await server.call('/api/signup', visitor)).toMatchObject({
    status: 422,
    body: { message: 'Postcode 3350 is in VIC, not in WA. Please correct one of them.' },
  })
})
