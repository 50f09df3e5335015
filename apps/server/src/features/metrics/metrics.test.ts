import { readFileSync } from 'node:fs'
import { addMonths, type Day, day as dayOf, formatDay } from '@pillar/domain/time/day'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { asOwner, makeCompany, type TestCompany } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { leakedSlots, openBook } from '../../../test/world/metrics-oracle/supply.ts'
import type { Line } from '../../../test/world/metrics-oracle/world.ts'
import { store, storeLines } from '../../../test/world/metrics-store.ts'
import { type Pharmacy, pharmacies } from '../../../test/world/metrics-world.ts'
import { differences, expected, stored } from '../../../test/world/stored-figures.ts'
import type { Tx } from '../../db/database.ts'
import { inScope } from '../../db/scope.ts'
import { insertList } from '../sixty-day/list.queries.ts'
import { recomputeMetrics } from './metrics.queries.ts'
import { ensureSubcategories } from './subcategory.queries.ts'

const RUNS = DEEP ? 400 : 12
/** Time for the runs, and for shrinking a failing world. */
const LONG = DEEP ? 900_000 : 240_000

let server: TestServer
let company: TestCompany

beforeAll(async () => {
  server = await startTestServer()
  await ensureSubcategories(server.services.pools.app)
  company = await makeCompany(server)
})
afterAll(() => server.close())

async function recompute(tx: Tx, id: number, world: Pharmacy, changedFrom: Day | null): Promise<void> {
  const { country, timeZone } = world
  await recomputeMetrics(
    tx,
    { id, country, timeZone },
    { dataTo: formatDay(world.dataTo), changedFrom: changedFrom === null ? null : formatDay(changedFrom) },
  )
}

const inPharmacy = <T>(id: number, work: (tx: Tx) => Promise<T>) =>
  inScope(server.services.pools.app, { companyId: company.id, locationIds: [id] }, work)

/** The earliest day whose figures late lines can change: their own, and the days of their prescriptions' slots. */
function firstTouched(world: Pharmacy, isLate: (at: number) => boolean): Day | null {
  const late = world.lines.filter((_, at) => isLate(at))
  const touched = new Set(late.map((line) => line.prescription).filter((one) => one !== null))
  const of = (lines: readonly Line[]) =>
    openBook({ ...world, lines }).supplies.filter((line) => line.prescription && touched.has(line.prescription))
  const before = of(world.lines.filter((_, at) => !isLate(at)))
  const slots = [...leakedSlots(before, null), ...leakedSlots(of(world.lines), null)]
  const first = Math.min(...[...late, ...before, ...slots].map((one) => one.day))
  return late.length === 0 ? null : first
}

describe('stored figures', () => {
  it(
    'equal a count patient by patient and day by day',
    async () => {
      await fc.assert(
        fc.asyncProperty(pharmacies, async (world) => {
          const { id } = await store(server.services.pools, company.id, world)
          const found = await inPharmacy(id, async (tx) => {
            await recompute(tx, id, world, null)
            return stored(tx, id)
          })
          expect(differences(found, expected(world))).toEqual([])
        }),
        { numRuns: RUNS, endOnFailure: true },
      )
    },
    LONG,
  )

  const supply = {
    ...{ patient: 'p0', molecule: 'metformin', day: 20_400, days: 30, cents: 770, government: 0, type: 1, basis: 1 },
    ...{ prescription: null, number: null, repeats: null, cost: null, state: null },
  } satisfies Line
  const one: Pharmacy = {
    ...{ country: 'AU', region: 'VIC', timeZone: 'Australia/Melbourne', dataTo: 20_512, prescriptions: [] },
    lines: [],
    medicines: [{ molecule: 'metformin', atc: 'A10BA02', chronic: true, condition: 'Diabetes' }],
    people: [{ id: 'p0', died: null, facility: false, sex: 'M', born: -7477, fake: false }],
  }
  /** The stored figures for these supplies, which must agree with the independent count. */
  async function storedOf(lines: Line[], prescriptions: Pharmacy['prescriptions'] = []) {
    const world = { ...one, lines, prescriptions }
    const { id } = await store(server.services.pools, company.id, world)
    const found = await inPharmacy(id, async (tx) => {
      await recompute(tx, id, world, null)
      return stored(tx, id)
    })
    expect(differences(found, expected(world))).toEqual([])
    return JSON.stringify(found)
  }

  it('count scripts that a pharmacy has only promised so far', async () => {
    expect(await storedOf([{ ...supply, state: 'deferred' }])).toContain('"deferred_scripts":1')
  })

  it('count scripts owed on the last day, and no refund among them', async () => {
    const last = { ...supply, day: one.dataTo, state: 'owing' as const }
    expect(await storedOf([last, { ...last, cents: -500 }])).toContain('"owing_scripts":1')
  })

  it('count more than 45 days of a medicine on the list as a supply for 60 days', async () => {
    const found = await storedOf([45, 46, 47].map((days, at) => ({ ...supply, day: supply.day + at, days })))
    expect(found).toContain('"sixty_day_scripts":2')
  })

  it('count an item of the 60-day list as a supply for 60 days, whatever its days’ supply', async () => {
    const world = { ...one, lines: [supply] }
    const { id } = await store(server.services.pools, company.id, world)
    const found = await inPharmacy(id, async (tx) => {
      await sql`update drug set pbs_code = '13374X' where location_id = ${id}`.execute(tx)
      await recompute(tx, id, world, null)
      return stored(tx, id)
    })
    expect(JSON.stringify(found)).toContain('"sixty_day_scripts":1')
  })

  it('leave nothing of the periods before the first script that is left', async () => {
    const lines = [1600, 1100, 10].map((back) => ({ ...supply, day: one.dataTo - back }))
    const world = { ...one, lines }
    const { id } = await store(server.services.pools, company.id, world)
    const counted = (of: Pharmacy) =>
      inPharmacy(id, async (tx) => {
        await recompute(tx, id, of, null)
        return stored(tx, id)
      })
    const begun = (await counted(world)).ends
    expect(Object.keys(begun)).not.toEqual([])
    await inPharmacy(id, (tx) =>
      sql`with gone as (delete from script where location_id = ${id} and source_id in ('0', '1'))
        update location set data_from = ${formatDay(one.dataTo - 10)} where id = ${id}`.execute(tx),
    )
    const left = { ...one, lines: lines.slice(2) }
    expect(differences(await counted(left), expected(left))).toEqual([])
  })

  it.each([364, 365])('count a medicine as lapsed only once its last supply is a year past: %i days', async (past) => {
    const last = one.dataTo - past
    const found = await storedOf([last - 80, last - 40, last].map((day) => ({ ...supply, day })))
    if (past === 365) expect(found).toContain('"lapsed_pairs":1')
    else expect(found).not.toContain('"lapsed_pairs":1')
  })

  it.each([0, 1])('count a repeat as missed up to the last day of its prescription: %i days past it', async (past) => {
    // The last day of the data is the first that is asked about.
    const written = { ceased: null, repeats: 1, prescribed: addMonths(one.dataTo, -12) - past }
    const found = await storedOf(
      [{ ...supply, day: one.dataTo - 25, days: 7, prescription: 'rx', number: 1 }],
      [{ id: 'rx', patient: 'p0', molecule: 'metformin', ...written }],
    )
    expect(found).toContain(`"repeats_missed":${past === 0 ? 1 : 0}`)
  })

  it(
    'are the same whether late days are added or everything is recomputed',
    async () => {
      await fc.assert(
        fc.asyncProperty(pharmacies, fc.nat(6), async (world, late) => {
          const isLate = (at: number) => at % 7 === late
          const { id } = await store(server.services.pools, company.id, world, (at) => !isLate(at))
          const first = firstTouched(world, isLate)
          if (first === null) return
          await inPharmacy(id, (tx) => recompute(tx, id, world, null))
          const found = await inPharmacy(id, async (tx) => {
            await storeLines(tx, id, world, isLate)
            await recompute(tx, id, world, first)
            return stored(tx, id)
          })
          expect(differences(found, expected(world))).toEqual([])
        }),
        { numRuns: RUNS, endOnFailure: true },
      )
    },
    LONG,
  )

  const ITEMS = `${readFileSync('apps/server/data/sixty-day-items.csv', 'utf8').split('\n').slice(0, 2).join('\n')}\n`
  it.each([
    ['state', (id: number) => asOwner(server, `update location set region = 'NSW' where id = $1`, [id])],
    [
      'list of 60-day items',
      () => {
        const list = { kind: 'items', content: ITEMS, rows: 1, source: 'test', by: 'Robin' } as const
        const system = server.services.pools.system.transaction()
        return system.execute((tx) => insertList(tx, { ...list, now: server.services.now() }))
      },
    ],
  ])('of all periods are counted again with the first upload under another %s', async (_, change) => {
    const cupDay = dayOf('2025-11-04')
    const world = { ...one, lines: [cupDay, one.dataTo].map((day) => ({ ...supply, day })) }
    const { id } = await store(server.services.pools, company.id, world)
    const counted = (from: Day | null) =>
      inPharmacy(id, async (tx) => {
        await recompute(tx, id, world, from)
        return stored(tx, id)
      })
    const before = await counted(null)
    await change(id)
    const found = await counted(world.dataTo)
    expect(found).not.toEqual(before)
    expect(found).toEqual(await counted(null))
  })
})
