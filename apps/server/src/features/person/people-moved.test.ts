import { contract } from '@pillar/contract'
import { day, formatDay } from '@pillar/domain/time/day'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, makeCompany } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import type { Line } from '../../../test/world/metrics-oracle/world.ts'
import { END, MEDICINES, type Pharmacy } from '../../../test/world/metrics-world.ts'
import { openShop, recount } from '../../../test/world/shops.ts'
import { inScope } from '../../db/scope.ts'
import { sumTotals } from '../financials/financials.queries.ts'
import { ensureSubcategories } from '../metrics/subcategory.queries.ts'
import { dropKeys } from './person-key.queries.ts'

let server: TestServer
let support: Support
beforeAll(async () => {
  server = await startTestServer({ work: true })
  server.clock.offsetMs = new Date(`${formatDay(END + 1)}T02:00:00Z`).getTime() - Date.now()
  await ensureSubcategories(server.services.pools.app)
  support = await makeSupport(server)
})
afterAll(() => server.close())

/** One person's supplies of 30 days, 14 in a row, of which a shop made every second one: the even or the odd ones. */
function half(turn: 0 | 1): Pharmacy {
  const all: Line[] = Array.from({ length: 14 }, (_, n) => ({
    ...{ patient: 'turn', molecule: 'metformin', day: END - 30 * (14 - n) + 1, days: 30, cents: 2000 },
    ...{ prescription: null, number: null },
  }))
  return {
    ...{ country: 'AU', region: 'VIC', timeZone: 'Australia/Melbourne', dataTo: END, medicines: MEDICINES },
    people: [{ id: 'turn', died: null, facility: false, sex: 'F', born: day('1950-05-05') }],
    ...{ lines: all.filter((_, n) => n % 2 === turn), prescriptions: [] },
  }
}

/** A period's figures over these pharmacies together; unless named, the financial year of END. */
const headline = (companyId: number, locationIds: readonly number[], period = 202600) =>
  inScope(server.services.pools.app, { companyId, locationIds }, async (tx) => {
    const [row] = await sumTotals(tx, locationIds, [period])
    return { patients: row?.patients, adherent: row?.adherent, not: row?.non_adherent }
  })

const setsWith = async (id: number) => {
  const asked = 'select from person_figure where location_id = $1 or $1 = any(others)'
  return (await asOwner(server, asked, [id])).length
}

describe('people of a company', () => {
  it('are found again when a pharmacy comes from another company, and no longer belong to the old one', async () => {
    const [old, buyer] = [await makeCompany(server), await makeCompany(server)]
    const stays = await openShop(server, old.id, half(0))
    const goes = await openShop(server, old.id, half(1))
    const theirs = await openShop(server, buyer.id, half(0))
    expect(await headline(old.id, [stays.id, goes.id])).toMatchObject({ patients: 1, adherent: 1, not: 0 })
    const moved = { company_id: buyer.uuid, import_pharmacy_id: goes.uuid }
    expect((await support.ask(contract.locationImport.run, moved)).status).toBe(200)
    await expect
      .poll(() => headline(buyer.id, [theirs.id, goes.id]))
      .toMatchObject({ patients: 1, adherent: 1, not: 0 })
    await expect.poll(() => setsWith(stays.id)).toBe(0)
    expect(await headline(old.id, [stays.id])).toMatchObject({ patients: 1, adherent: 0, not: 1 })
  })

  it('are recounted with a restored pharmacy, whatever changed at others meanwhile', async () => {
    const company = await makeCompany(server)
    const stays = await openShop(server, company.id, half(0))
    const back = await openShop(server, company.id, half(1))
    expect((await support.ask(contract.locationAdmin.remove, { uuid: back.uuid })).status).toBe(200)
    const apart = sql`update patient set last_name = 'Else', updated_at = now() + interval '1 hour' where location_id = ${stays.id}`
    await inScope(server.services.pools.app, { companyId: company.id, locationIds: [stays.id] }, (tx) =>
      apart.execute(tx),
    )
    await recount(server, company.id, stays.id, formatDay(END))
    expect((await support.ask(contract.locationAdmin.restore, { uuid: back.uuid })).status).toBe(200)
    await expect
      .poll(() => headline(company.id, [stays.id, back.id]))
      .toMatchObject({ patients: 2, adherent: 0, not: 2 })
  })

  it('who are joined by a late correction count once in the years before it too', async () => {
    const company = await makeCompany(server)
    const a = await openShop(server, company.id, half(0))
    const b = await openShop(server, company.id, half(1))
    const called = async (name: string) => {
      await asOwner(
        server,
        `update patient set last_name = $2, updated_at = now() + interval '1 hour' where location_id = $1`,
        [b.id, name],
      )
      await recount(server, company.id, b.id, formatDay(END))
    }
    const before = () => headline(company.id, [a.id, b.id], 202500)
    expect((await before()).patients).toBe(1)
    await called('Else')
    expect((await before()).patients).toBe(2)
    await called('Tester')
    expect((await before()).patients).toBe(1)
  })

  it('stay one person after an erasure at one shop, also when all keys of the shop are made again', async () => {
    const company = await makeCompany(server)
    const a = await openShop(server, company.id, half(0))
    const b = await openShop(server, company.id, half(1))
    await asOwner(
      server,
      `update patient set first_name = null, last_name = null, postcode = null, erased_at = now(), updated_at = now() + interval '1 hour'
       where location_id = $1`,
      [a.id],
    )
    await inScope(server.services.pools.app, { companyId: company.id, locationIds: [a.id] }, (tx) =>
      dropKeys(tx, [a.id]),
    )
    await recount(server, company.id, a.id)
    expect(await headline(company.id, [a.id, b.id])).toMatchObject({ patients: 1, adherent: 1, not: 0 })
  })
})
