import { contract } from '@pillar/contract'
import { day, formatDay } from '@pillar/domain/time/day'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCompany } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import { END, MEDICINES } from '../../../test/world/metrics-world.ts'
import { openShop, recount } from '../../../test/world/shops.ts'
import { inScope } from '../../db/scope.ts'
import { ensureSubcategories } from '../metrics/subcategory.queries.ts'

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
