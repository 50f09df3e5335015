import { PEOPLE_SUMS } from '@pillar/domain/measure/figure-sums'
import { day } from '@pillar/domain/time/day'
import { periodsOf } from '@pillar/domain/time/period'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { asOwner, makeCompany } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { type Cell, cellsOf, figuresOf, type Headline } from '../../../test/world/metrics-oracle/figure.ts'
import { moreOf } from '../../../test/world/metrics-oracle/more.ts'
import { openBook } from '../../../test/world/metrics-oracle/supply.ts'
import { END, MEDICINES, type Pharmacy } from '../../../test/world/metrics-world.ts'
import { openShop, type Shops, shopsOf } from '../../../test/world/shops.ts'
import type { Tx } from '../../db/database.ts'
import { calendarOf } from '../../db/local-calendar.ts'
import { inScope } from '../../db/scope.ts'
import { FIGURE_COLUMNS, type Sums, sumPeriods } from '../financials/figure-sums.queries.ts'
import { sumCells, sumTotals } from '../financials/financials.queries.ts'
import { cellsOnce } from '../financials/people.queries.ts'
import { periodCode } from '../metrics/spans.ts'
import { ensureSubcategories } from '../metrics/subcategory.queries.ts'

const RUNS = DEEP ? 60 : 4
const LONG = DEEP ? 1_200_000 : 240_000

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await ensureSubcategories(server.services.pools.app)
  // Each look at the clock takes 10 ms, so that others get their turn after each person, as they do among thousands.
  const now = performance.now.bind(performance)
  let looks = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 10 * ++looks)
})
afterAll(() => {
  vi.restoreAllMocks()
  return server.close()
})

const PERIODS = periodsOf('AU', END)
const HOLIDAYS = calendarOf({ country: 'AU', region: 'VIC', postcode: null, time_zone: 'Australia/Melbourne' }).holidays
const HEADLINES = [
  'scripts',
  'revenue_cents',
  'patients',
  'male',
  'female',
  'adherent',
  'non_adherent',
  'opportunity_cents',
] as const
const CELLS = [
  'script_count',
  'revenue_cents',
  'patients',
  'measured_pairs',
  'measured_scripts',
  'adherent_scripts',
  'observed_days',
  'covered_days',
  'here_slots',
  'leaked_slots',
] as const satisfies readonly (keyof Cell)[]

const pick = <T extends string>(names: readonly T[], from: Record<T, number> | null | undefined) =>
  from ? Object.fromEntries(names.map((name) => [name, from[name] ?? 0])) : null

/** Cells by name; a cell of zeros means the same as none. */
const filled = (cells: [string, Cell][]) =>
  Object.fromEntries(
    cells.filter(([, cell]) => CELLS.some((name) => cell[name] !== 0)).map(([name, cell]) => [name, pick(CELLS, cell)]),
  )

/** The readers' figures for pharmacies together. */
async function said(tx: Tx, ids: readonly number[], category: number, code: number) {
  const codes = PERIODS.map(periodCode)
  const totals = await sumTotals(tx, ids, codes)
  const sums = await sumPeriods(tx, ids, codes, FIGURE_COLUMNS)
  const cells = await sumCells(tx, ids, code, category)
  return {
    totals: Object.fromEntries(
      totals.map((row) => [
        row.period,
        { now: pick(HEADLINES, row as unknown as Headline), prior: pick(HEADLINES, row.prior as Headline | null) },
      ]),
    ),
    sums: Object.fromEntries(
      sums.map((row) => [
        row.period,
        { now: pick(PEOPLE_SUMS, row.all as Sums), prior: pick(PEOPLE_SUMS, row.prior as Sums | null) },
      ]),
    ),
    cells: filled(cells.map((row) => [row.name, row as unknown as Cell])),
  }
}

/** The same figures, counted one by one in the records as though the pharmacies were one. */
function counted(world: Pharmacy, category: string, code: number): Awaited<ReturnType<typeof said>> {
  const book = openBook(world)
  const all = figuresOf(book, 'AU', END, HOLIDAYS).filter((one) => one.span.to >= (book.firstDay ?? END))
  const more = (span: { from: number; to: number }) => pick(PEOPLE_SUMS, moreOf(book, world, span) as Sums)
  const codeOf = (one: (typeof all)[number]) => periodCode(one.period)
  const asked = all.find((one) => codeOf(one) === code)
  const cells = asked ? [...cellsOf(book, asked.span)] : []
  return {
    totals: Object.fromEntries(
      all.map((one) => [codeOf(one), { now: pick(HEADLINES, one.headline), prior: pick(HEADLINES, one.prior) }]),
    ),
    sums: Object.fromEntries(
      all.map((one) => [codeOf(one), { now: more(one.span), prior: one.priorSpan && more(one.priorSpan) }]),
    ),
    cells: filled(
      cells
        .filter(([key]) => key.startsWith(`${category}|`))
        .map(([key, cell]): [string, Cell] => [key.slice(category.length + 1), cell]),
    ),
  }
}

const CATEGORY_NAMES = ['TOTAL', 'Drug Type', 'Condition', 'Age Group', 'Sex', 'Patient Type', 'Molecule']

async function open({ count, together }: Shops): Promise<{ companyId: number; ids: number[] }> {
  const { id: companyId } = await makeCompany(server)
  const ids: number[] = []
  for (let shop = 0; shop < count; shop++) ids.push((await openShop(server, companyId, together([shop]))).id)
  return { companyId, ids }
}

describe('pharmacies combined', () => {
  it(
    'give for people who went to several the same as one pharmacy with all the records',
    async () => {
      const selections = fc.uniqueArray(fc.integer({ min: 0, max: 2 }), { minLength: 2, maxLength: 3 })
      let shared = 0
      await fc.assert(
        fc.asyncProperty(
          shopsOf(3),
          fc.array(selections, { minLength: 2, maxLength: 3 }),
          fc.nat(6),
          fc.nat(),
          async (shops, asked, category, when) => {
            const { companyId, ids } = await open(shops)
            const code = periodCode(PERIODS[when % PERIODS.length]!)
            const categoryIds = await inScope(
              server.services.pools.app,
              { companyId, locationIds: ids },
              async (tx) => {
                const { rows } = await sql<{ id: number; name: string }>`select id, name from category`.execute(tx)
                shared += (await sql`select from person_link`.execute(tx)).rows.length
                return new Map(rows.map((row) => [row.name, row.id]))
              },
            )
            for (const selection of [[0, 1, 2], ...asked]) {
              const own = selection.map((shop) => ids[shop]!)
              const is = await inScope(server.services.pools.app, { companyId, locationIds: ids }, (tx) =>
                said(tx, own, categoryIds.get(CATEGORY_NAMES[category]!) ?? 0, code),
              )
              expect(is, `of ${selection}`).toEqual(counted(shops.together(selection), CATEGORY_NAMES[category]!, code))
            }
          },
        ),
        { numRuns: RUNS, endOnFailure: true },
      )
      expect(shared).toBeGreaterThan(0)
    },
    LONG,
  )
})

it('a person known at three pharmacies counts once at any two of them', async () => {
  const companyId = (await makeCompany(server)).id
  const ids: number[] = []
  for (const back of [20, 10, 0]) {
    const line = { patient: 'round', molecule: 'metformin', day: END - back, days: 30, cents: 2000 }
    const world: Pharmacy = {
      ...{ country: 'AU', region: 'VIC', timeZone: 'Australia/Melbourne', dataTo: END, medicines: MEDICINES },
      people: [{ id: 'round', died: null, facility: false, sex: 'F', born: day('1950-05-05') }],
      ...{ lines: [{ ...line, prescription: null, number: null }], prescriptions: [] },
    }
    ids.push((await openShop(server, companyId, world)).id)
  }
  const [a, b, c] = ids as [number, number, number]
  const code = periodCode(PERIODS.findLast(({ kind }) => kind === 'year')!)
  for (const own of [[a], [a, b], [b, c], [a, c], ids]) {
    const [cell] = await inScope(server.services.pools.app, { companyId, locationIds: ids }, (tx) =>
      sumCells(tx, own, code, 0),
    )
    expect([own.length, cell?.patients, cell?.script_count]).toEqual([own.length, 1, own.length])
  }
  // As just after another upload of the second: its dates no longer reach back a year, and the people it shares are not counted again yet.
  await asOwner(
    server,
    `update metric_total t set (prior_scripts, prior_patients) = (1, 1) where t.location_id = ${a} and t.period = ${code};
     insert into person_figure select (jsonb_populate_record(f, '{"earlier": true}')).* from person_figure f
       where f.location_id = ${a} and f.others = '{${b}}' and f.period = ${code};
     insert into person_cell select (jsonb_populate_record(f, '{"earlier": true}')).* from person_cell f
       where f.location_id = ${a} and f.others = '{${b}}' and f.period = ${code} and f.category_id = 0`,
  )
  const inside = <T>(work: (tx: Tx) => Promise<T>) =>
    inScope(server.services.pools.app, { companyId, locationIds: ids }, work)
  const [total] = await inside((tx) => sumTotals(tx, [a, b], [code]))
  expect((total?.prior as Headline | null)?.patients).toBe(1)
  const [cell] = await inside((tx) => sumCells(tx, [a, b], code, 0))
  expect(cell?.patients).toBe(1)
  const once = await inside((tx) => cellsOnce(tx, [a, b], code, 0))
  expect([once.all.map(({ patients }) => patients), once.now, once.prior]).toEqual([[-1], [], []])
})
