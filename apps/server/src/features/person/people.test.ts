import type { contract, ReplyOf } from '@pillar/contract'
import { day, formatDay } from '@pillar/domain/time/day'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, makeCompany, makeLogin, signIn } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { Line, Prescribed } from '../../../test/world/metrics-oracle/world.ts'
import { END, MEDICINES, type Pharmacy } from '../../../test/world/metrics-world.ts'
import { openShop, recount } from '../../../test/world/shops.ts'
import type { Tx } from '../../db/database.ts'
import { inScope } from '../../db/scope.ts'
import { sumCells, sumTotals } from '../financials/financials.queries.ts'
import { ensureSubcategories } from '../metrics/subcategory.queries.ts'

type Explanation = ReplyOf<(typeof contract)['financials']['explain']>

let server: TestServer
let companyId: number
beforeAll(async () => {
  server = await startTestServer()
  server.clock.offsetMs = new Date(`${formatDay(END + 1)}T02:00:00Z`).getTime() - Date.now()
  await ensureSubcategories(server.services.pools.app)
  companyId = (await makeCompany(server)).id
})
afterAll(() => server.close())

/** The financial year that contains END. */
const YEAR = 202600

const at = <T>(ids: readonly number[], work: (tx: Tx) => Promise<T>, company = companyId) =>
  inScope(server.services.pools.app, { companyId: company, locationIds: ids }, work)

const linked = (ids: readonly number[], company = companyId) =>
  at(
    ids,
    async (tx) =>
      (await sql<{ location_id: number }>`select location_id from person_link order by 1`.execute(tx)).rows.map(
        (row) => row.location_id,
      ),
    company,
  )

const headline = (ids: readonly number[]) =>
  at(ids, async (tx) => {
    const [row] = await sumTotals(tx, ids, [YEAR])
    return { patients: row?.patients, adherent: row?.adherent, non_adherent: row?.non_adherent, scripts: row?.scripts }
  })

const leaked = (ids: readonly number[]) => at(ids, async (tx) => (await sumCells(tx, ids, YEAR, 0))[0]?.leaked_slots)

/** A supply of 30 days every 30 days, the last one ending with the data. */
const supplies = (id: string, count: number): Line[] =>
  Array.from({ length: count }, (_, n) => ({
    ...{ patient: id, molecule: 'metformin', day: END - 30 * (count - n) + 1, days: 30, cents: 2000 },
    ...{ prescription: null, number: null },
  }))

const shop = (id: string, lines: readonly Line[], prescriptions: readonly Prescribed[] = []): Pharmacy => ({
  ...{ country: 'AU', region: 'VIC', timeZone: 'Australia/Melbourne', dataTo: END, medicines: MEDICINES },
  people: [{ id, died: null, facility: false, sex: 'F', born: day('1950-05-05') }],
  ...{ lines, prescriptions },
})

describe('people of a company', () => {
  it('who alternate between two shops without an uncovered day are adherent, but not at each shop', async () => {
    const all = supplies('turn', 14)
    const shops: number[] = []
    for (const turn of [0, 1])
      shops.push(
        (
          await openShop(
            server,
            companyId,
            shop(
              'turn',
              all.filter((_, n) => n % 2 === turn),
            ),
          )
        ).id,
      )
    const [a, b] = shops as [number, number]
    expect(await headline([a])).toMatchObject({ patients: 1, adherent: 0, non_adherent: 1 })
    expect(await headline([b])).toMatchObject({ patients: 1, adherent: 0, non_adherent: 1 })
    expect(await headline([a, b])).toEqual({ patients: 1, adherent: 1, non_adherent: 0, scripts: 4 })
  })

  it('are shown as counted once, and the explanation adds up with them to the number on the screen', async () => {
    const company = await makeCompany(server)
    const login = await makeLogin(server, company.id, { flags: ['data_analytics'] })
    const { bearer } = await signIn(server, login)
    const all = supplies('said', 14)
    const uuids: string[] = []
    for (const turn of [0, 1])
      uuids.push(
        (
          await openShop(
            server,
            company.id,
            shop(
              'said',
              all.filter((_, n) => n % 2 === turn),
            ),
          )
        ).uuid,
      )
    const explained = async (number: string) => {
      const asked = { number, pharmacy_ids: uuids, year: 2026 }
      const { status, body } = await server.call<Explanation>('/api/enterprise-number-explain', asked, bearer)
      expect(status).toBe(200)
      return body
    }
    for (const [number, value] of [
      ['patients', 1],
      ['patients.adherence', 1],
      ['patients.non_adherence', 0],
      ['returning_patients', 0],
      ['retained_patients', 1],
    ] as const) {
      const said = await explained(number)
      expect([number, said.value, said.numerator.value]).toEqual([number, value, value])
      expect(said.notes.at(-1)).toBe('1 person went to more than one of these pharmacies and is counted once.')
      const parts = said.pharmacies.reduce((all, one) => all + one.numerator, 0)
      expect([number, parts + (said.once?.numerator ?? 0)]).toEqual([number, value])
    }
    const scripts = await explained('scripts')
    expect([scripts.value, scripts.notes.join(' ').includes('counted once'), scripts.once]).toEqual([4, false, null])
  })

  it('count once in the table as in the figures, whichever of their pharmacies have a year before', async () => {
    const company = await makeCompany(server)
    const { bearer } = await signIn(server, await makeLogin(server, company.id, { flags: ['data_analytics'] }))
    const daily = (patient: string, since: number): Line[] =>
      Array.from({ length: since + 1 }, (_, n) => ({
        ...{ patient, molecule: 'amoxicillin', day: END - n, days: 5, cents: 900, prescription: null, number: null },
      }))
    const [early, late] = [supplies('early', 14), supplies('late', 14)]
    const turn = (lines: readonly Line[], which: number) => lines.filter((_, n) => n % 2 === which)
    const pharmacy_ids: string[] = []
    // The first two share one person and have last year's data; the last two share another and do not.
    for (const [known, since, lines] of [
      [['early'], 800, turn(early, 0)],
      [['early', 'late'], 800, [...turn(early, 1), ...turn(late, 0)]],
      [['late'], 300, turn(late, 1)],
    ] as const) {
      const visitor = `visitor${pharmacy_ids.length}`
      const world = shop(visitor, [...lines, ...daily(visitor, since)])
      const people = [...known.flatMap((id) => shop(id, []).people), ...world.people]
      pharmacy_ids.push((await openShop(server, company.id, { ...world, people })).uuid)
    }
    const asked = { year: 2026, month: 10 }
    type Financials = (typeof contract)['financials']
    const ask = async <T>(path: string, more: object) =>
      (await server.call<T>(path, { ...asked, ...more }, bearer)).body
    const table = await ask<ReplyOf<Financials['table']>>('/api/enterprise-pharmacy-table', {
      ...{ category: 'Sex', pharmacies: pharmacy_ids, changes: true },
    })
    const { figures, pharmacies_compared } = await ask<ReplyOf<Financials['figures']>>('/api/enterprise-figures', {
      pharmacy_ids,
    })
    const counted = ({ TOTAL, Female }: Record<string, { adherence_n: number }>) =>
      `${TOTAL?.adherence_n} ${Female?.adherence_n}`
    expect(pharmacies_compared).toBe(2)
    expect(table.pharmacies.map(({ cells }) => counted(cells)).sort()).toEqual(['1 1', '1 1', '2 2'])
    expect(counted(Object.fromEntries(table.columns.map(({ field, total }) => [field, total])))).toBe('2 2')
    expect(figures.find(({ figure }) => figure === 'adherent_script_percent')?.n).toBe(2)
  })

  it('have missed nothing that the other shop supplied; for a prescription that cannot be identified nothing is known', async () => {
    const lines = supplies('repeat', 4).map((line, n) => ({ ...line, prescription: 'r', number: n + 1 }))
    const written: Prescribed = {
      ...{ id: 'r', patient: 'repeat', molecule: 'metformin', ceased: null, repeats: 5 },
      prescribed: END - 130,
    }
    const [first, other] = [lines.filter((_, n) => n !== 1), lines.filter((_, n) => n === 1)]
    const a = (await openShop(server, companyId, shop('repeat', first, [written]))).id
    const b = (await openShop(server, companyId, shop('repeat', other, [written]))).id
    expect([await leaked([a]), await leaked([b])]).toEqual([1, 0])
    expect(await leaked([a, b])).toBe(0)
    await at([b], (tx) => sql`update prescription set prescribed_on = null where location_id = ${b}`.execute(tx))
    await recount(server, companyId, b)
    expect([await leaked([a]), await leaked([a, b])]).toEqual([1, 0])
  })

  it('are joined only within their company, and separate again when a record no longer agrees', async () => {
    const rival = (await makeCompany(server)).id
    const a = (await openShop(server, companyId, shop('part', supplies('part', 5)))).id
    const elsewhere = (await openShop(server, rival, shop('part', supplies('part', 5)))).id
    expect(await linked([a])).toEqual([])
    const b = (await openShop(server, companyId, shop('part', supplies('part', 5)))).id
    expect(await linked([a, b])).toEqual([a, b])
    expect(await linked([elsewhere], rival)).toEqual([])
    expect(await headline([a, b])).toMatchObject({ patients: 1 })
    await at([a], (tx) =>
      sql`update patient set postcode = '4000', updated_at = now() where location_id = ${a}`.execute(tx),
    )
    await at([a], (tx) =>
      sql`update patient set updated_at = now() + interval '1 hour' where location_id = ${a}`.execute(tx),
    )
    await recount(server, companyId, a)
    expect(await linked([a, b])).toEqual([])
    expect(await headline([a, b])).toMatchObject({ patients: 2 })
    const { rows } = await at([a, b], (tx) => sql`select from person_cell`.execute(tx))
    expect(rows).toHaveLength(0)
  })

  it('are unknown to another company, and to everybody once one of the two pharmacies is removed', async () => {
    const [company, rival] = [await makeCompany(server), await makeCompany(server)]
    const signedIn = async (id: number) =>
      (await signIn(server, await makeLogin(server, id, { flags: ['data_analytics'] }))).bearer
    const [own, theirs] = [await signedIn(company.id), await signedIn(rival.id)]
    const all = supplies('moves', 14)
    const half = (turn: number) =>
      shop(
        'moves',
        all.filter((_, n) => n % 2 === turn),
      )
    const a = await openShop(server, company.id, half(0))
    const b = await openShop(server, company.id, half(1))
    const elsewhere = await openShop(server, rival.id, half(1))
    const ask = async (pharmacy_ids: string[], bearer: Record<string, string>) => {
      const asked = { number: 'patients', pharmacy_ids, year: 2026 }
      const { status, body } = await server.call<Explanation>('/api/enterprise-number-explain', asked, bearer)
      return status === 200 ? { value: body.value, once: body.notes.join(' ').includes('counted once') } : status
    }
    expect(await ask([a.uuid, b.uuid], own)).toEqual({ value: 1, once: true })
    expect(await ask([a.uuid], own)).toEqual({ value: 1, once: false })
    expect(await ask([elsewhere.uuid], theirs)).toEqual({ value: 1, once: false })
    for (const ids of [
      [a.uuid, elsewhere.uuid],
      [a.uuid, b.uuid],
    ])
      expect(await ask(ids, theirs)).toBe(404)
    expect(await ask([a.uuid, elsewhere.uuid], own)).toBe(404)
    await asOwner(server, 'update location set removed_at = now() where id = $1', [b.id])
    expect(await ask([a.uuid, b.uuid], own)).toBe(404)
    expect(await ask([a.uuid], own)).toEqual({ value: 1, once: false })
  })

  it('are not joined if one pharmacy has them twice', async () => {
    const twice = shop('twice', supplies('twice', 5))
    const a = (await openShop(server, companyId, twice)).id
    const b = (await openShop(server, companyId, twice)).id
    expect(await linked([a, b])).toEqual([a, b])
    await at([b], (tx) =>
      sql`insert into patient (location_id, source, source_id, first_name, last_name, sex, date_of_birth, postcode, updated_at)
        select location_id, source, 'again', first_name, last_name, sex, date_of_birth, postcode, now() + interval '1 hour'
        from patient where location_id = ${b}`.execute(tx),
    )
    await recount(server, companyId, b)
    expect(await linked([a, b])).toEqual([])
    expect(await headline([a, b])).toMatchObject({ patients: 2 })
  })

  it('are counted the same after a load that counts only what it can have affected', async () => {
    const all = supplies('later', 20)
    const a = (
      await openShop(
        server,
        companyId,
        shop(
          'later',
          all.filter((_, n) => n % 2 === 0),
        ),
      )
    ).id
    const b = (
      await openShop(
        server,
        companyId,
        shop(
          'later',
          all.filter((_, n) => n % 2 === 1),
        ),
      )
    ).id
    const rows = () =>
      at([a, b], async (tx) => {
        const { rows: figures } = await sql`select * from person_figure order by period, earlier`.execute(tx)
        const { rows: cells } =
          await sql`select * from person_cell order by period, earlier, category_id, subcategory_id`.execute(tx)
        return { figures, cells }
      })
    const moved = sql`
      update script set dispensed_on = dispensed_on + 3 where location_id = ${b} and dispensed_on = (
        select max(dispensed_on) from script where location_id = ${b} and dispensed_on < ${formatDay(END - 100)}::date)
      returning dispensed_on - 3 as day`
    const [first] = (await at([b], (tx) => moved.execute(tx))).rows as { day: string }[]
    await recount(server, companyId, b, first!.day)
    const partly = await rows()
    expect(partly.figures.length).toBeGreaterThan(10)
    await recount(server, companyId, b)
    expect(partly).toEqual(await rows())
  })

  it('are stored as hashes, without name, phone or date of birth', async () => {
    const a = (await openShop(server, companyId, shop('secret', supplies('secret', 3)))).id
    const { rows } = await at([a], (tx) => sql<{ key: string }>`select key from person_key`.execute(tx))
    expect(rows.map(({ key }) => key)).toEqual([expect.stringMatching(/^[\w-]{22}$/)])
  })
})
