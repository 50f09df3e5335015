import type { contract, ReplyOf } from '@pillar/contract'
import { CATEGORIES } from '@pillar/domain/dispensing/category'
import { type Day, formatDay } from '@pillar/domain/time/day'
import { choiceOf, type Period, periodsOf } from '@pillar/domain/time/period'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { makeCompany, makeLogin, signIn, type TestCompany } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { cellKey, cellsOf, type PairRow, pairRows } from '../../../test/world/metrics-oracle/figure.ts'
import { type Book, openBook } from '../../../test/world/metrics-oracle/supply.ts'
import { store } from '../../../test/world/metrics-store.ts'
import { END, type Pharmacy, pharmacies } from '../../../test/world/metrics-world.ts'
import { inScope } from '../../db/scope.ts'
import { recomputeMetrics } from '../metrics/metrics.queries.ts'
import { ensureSubcategories } from '../metrics/subcategory.queries.ts'

type Financials = (typeof contract)['financials']
type Detail = ReplyOf<Financials['adherenceDetail']>
type Table = ReplyOf<Financials['table']>
type Explanation = ReplyOf<Financials['explain']>

const RUNS = DEEP ? 100 : 4
const LONG = DEEP ? 1_200_000 : 240_000

let server: TestServer
let company: TestCompany
let bearer: Record<string, string>

beforeAll(async () => {
  server = await startTestServer()
  server.clock.offsetMs = new Date(`${formatDay(END + 1)}T02:00:00Z`).getTime() - Date.now()
  await ensureSubcategories(server.services.pools.app)
  company = await makeCompany(server)
  bearer = (await signIn(server, await makeLogin(server, company.id, { flags: ['data_analytics'] }))).bearer
})
afterAll(() => server.close())

async function post<T>(path: string, body: object): Promise<T> {
  const reply = await server.call<T>(path, body, bearer)
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body
}

/** A pharmacy with the patients of many worlds, so that the rows behind a figure take more than one page. */
const crowdOf = (least: number): fc.Arbitrary<Pharmacy> =>
  fc.array(pharmacies, { minLength: least, maxLength: 2 * least }).map((worlds) => {
    const rename = (at: number) => (id: string) => `${at}-${id}`
    return {
      country: 'AU',
      region: 'VIC',
      timeZone: 'Australia/Melbourne',
      dataTo: END,
      medicines: worlds[0]!.medicines,
      people: worlds.flatMap((one, at) => one.people.map((who) => ({ ...who, id: rename(at)(who.id) }))),
      lines: worlds.flatMap((one, at) =>
        one.lines
          .filter((line) => at === 0 || line.patient !== 'regular')
          .map((line) => ({
            ...line,
            patient: rename(at)(line.patient),
            prescription: line.prescription && rename(at)(line.prescription),
          })),
      ),
      prescriptions: worlds.flatMap((one, at) =>
        one.prescriptions.map((made) => ({ ...made, id: rename(at)(made.id), patient: rename(at)(made.patient) })),
      ),
    }
  })

async function open(world: Pharmacy): Promise<{ uuid: string; book: Book }> {
  const { id, uuid } = await store(server.services.pools, company.id, world)
  await inScope(server.services.pools.app, { companyId: company.id, locationIds: [id] }, (tx) =>
    recomputeMetrics(
      tx,
      { id, country: world.country, timeZone: world.timeZone },
      { dataTo: formatDay(world.dataTo), changedFrom: null },
    ),
  )
  return { uuid, book: openBook(world) }
}

interface Filter {
  category: string
  subcategory: string
  period: Period
  span: { from: Day; to: Day }
}

/** Periods in which something can be measured, and any subcategory that has a cell in them. */
const filters = fc.array(fc.tuple(fc.constantFrom(...CATEGORIES), fc.nat(), fc.nat()), {
  minLength: 6,
  maxLength: 6,
})

function filterOf(book: Book, [category, which, when]: [string, number, number]): Filter {
  const periods = periodsOf('AU', END).filter((one) => one.to >= book.firstDay! + 90)
  const period = periods[when % periods.length]!
  const span = { from: period.from, to: Math.min(period.to, END) }
  const names = [...cellsOf(book, span).keys()].filter((key) => key.startsWith(`${category}|`))
  const subcategories = ['TOTAL', ...names.map((key) => key.slice(category.length + 1))]
  return { category, subcategory: subcategories[which % subcategories.length]!, period, span }
}

/** A quarter in the middle of the histories, when most patients are measured. */
function fullest(): Filter {
  const period = periodsOf('AU', END).find((one) => one.key === '2025Q4')!
  return { category: 'Sex', subcategory: 'TOTAL', period, span: period }
}

const cellOf = (book: Book, { category, subcategory, span }: Filter) =>
  cellsOf(book, span).get(subcategory === 'TOTAL' ? cellKey('TOTAL', 'TOTAL') : cellKey(category, subcategory))

async function allRows(uuid: string, { category, subcategory, period }: Filter): Promise<Detail[]> {
  const pages: Detail[] = []
  for (let page = 1; page === 1 || page <= pages[0]!.page_count; page++) {
    const asked = { pharmacy_id: uuid, category, subcategory, ...choiceOf(period.key), page }
    pages.push(await post<Detail>('/api/enterprise-adherence-detail', asked))
  }
  return pages
}

const inWords = (row: PairRow) =>
  [
    row.patient,
    row.molecule,
    formatDay(row.first),
    formatDay(row.from),
    formatDay(row.to),
    row.observed,
    row.covered,
    row.scripts,
  ].join(' ')
const rowInWords = (row: Detail['rows'][number]) =>
  [
    row.patient_ref,
    row.molecule,
    row.first_supply,
    row.window_start,
    row.window_end,
    row.observed_days,
    row.covered_days,
    row.scripts,
  ].join(' ')

/** Reports a difference, with the filter that found it. */
function compare(
  wrong: string[],
  { category, subcategory, period }: Filter,
  what: string,
  is: unknown,
  should: unknown,
): void {
  const same = typeof is === 'number' && typeof should === 'number' ? Math.abs(is - should) < 1e-9 : is === should
  if (!same) wrong.push(`${category} / ${subcategory} / ${period.key}, ${what}: answered ${is}, counted ${should}`)
}

describe('the rows behind an adherence figure', () => {
  it(
    'add up to the cell, over all pages, for any category, subcategory and period',
    async () => {
      let mostPages = 0
      await fc.assert(
        fc.asyncProperty(crowdOf(30), filters, async (world, asked) => {
          const { uuid, book } = await open(world)
          const wrong: string[] = []
          for (const filter of [fullest(), ...asked.map((one) => filterOf(book, one))]) {
            const pages = await allRows(uuid, filter)
            mostPages = Math.max(mostPages, pages.length)
            const rows = pages.flatMap((page) => page.rows)
            const sum = (of: typeof rows) => of.reduce((all, row) => all + row.scripts, 0)
            const cell = cellOf(book, filter)
            const { totals } = pages[0]!
            compare(wrong, filter, 'pairs', totals.pairs, cell?.measured_pairs ?? 0)
            compare(wrong, filter, 'scripts', sum(rows), cell?.measured_scripts ?? 0)
            compare(wrong, filter, 'adherent', sum(rows.filter((row) => row.pdc >= 0.8)), cell?.adherent_scripts ?? 0)
            compare(wrong, filter, 'all scripts', totals.scripts, cell?.measured_scripts ?? 0)
            compare(wrong, filter, 'all adherent', totals.adherent_scripts, cell?.adherent_scripts ?? 0)
            if (filter.subcategory !== 'TOTAL') continue
            const counted = pairRows(book, filter.span).map(inWords).sort()
            compare(wrong, filter, 'rows', rows.map(rowInWords).sort().join('\n'), counted.join('\n'))
          }
          expect(wrong).toEqual([])
        }),
        { numRuns: RUNS, endOnFailure: true, examples: [[fc.sample(crowdOf(60), { seed: 1, numRuns: 1 })[0]!, []]] },
      )
      expect(mostPages).toBeGreaterThan(1)
    },
    LONG,
  )
})

const CELLS = ['revenue_value', 'script_count', 'adherent_script_percent', 'loyalty_script_percent'] as const

function partsOf(
  number: (typeof CELLS)[number],
  book: Book,
  filter: Filter,
): { numerator: number; denominator: number } {
  const cell = cellOf(book, filter)
  if (!cell) return { numerator: 0, denominator: 0 }
  if (number === 'revenue_value') return { numerator: cell.revenue_cents / 100, denominator: 0 }
  if (number === 'script_count') return { numerator: cell.script_count, denominator: 0 }
  if (number === 'adherent_script_percent') {
    return { numerator: cell.adherent_scripts, denominator: cell.measured_scripts }
  }
  return { numerator: cell.here_slots, denominator: cell.here_slots + cell.leaked_slots }
}

describe('an explanation', () => {
  it(
    'adds up again to the cell of the table, pharmacy by pharmacy',
    async () => {
      await fc.assert(
        fc.asyncProperty(crowdOf(8), crowdOf(8), filters, async (world, neighbour, asked) => {
          const opened = [await open(world), await open(neighbour)]
          const wrong: string[] = []
          for (const one of asked) {
            await explained(wrong, opened, filterOf(opened[0]!.book, one))
          }
          expect(wrong).toEqual([])
        }),
        { numRuns: RUNS, endOnFailure: true },
      )
    },
    LONG,
  )
})

async function explained(
  wrong: string[],
  opened: readonly { uuid: string; book: Book }[],
  filter: Filter,
): Promise<void> {
  const { category, subcategory, period } = filter
  const uuids = opened.map((one) => one.uuid)
  const choice = choiceOf(period.key)
  const table = await post<Table>('/api/enterprise-pharmacy-table', { category, pharmacies: uuids, ...choice })
  const column = table.columns.find((each) => each.field === subcategory)
  for (const number of CELLS) {
    const asked = { number, category, subcategory, pharmacy_ids: uuids, ...choice }
    const said = await post<Explanation>('/api/enterprise-number-explain', asked)
    compare(wrong, filter, number, said.value, column?.total[number] ?? null)
    let [numerator, denominator] = [0, 0]
    for (const { uuid, book } of opened) {
      const counted = partsOf(number, book, filter)
      const part = said.pharmacies.find((each) => each.pharmacy_id === uuid)
      const own = table.pharmacies.find((each) => each.pharmacy_id === uuid)?.cells[subcategory]?.[number]
      compare(wrong, filter, `${number} of a pharmacy`, part?.value ?? null, own ?? null)
      compare(wrong, filter, `${number} of a pharmacy, above the line`, part?.numerator ?? 0, counted.numerator)
      compare(wrong, filter, `${number} of a pharmacy, below the line`, part?.denominator ?? 0, counted.denominator)
      numerator += counted.numerator
      denominator += counted.denominator
    }
    // Dollars are summed in whole cents.
    if (number === 'revenue_value') numerator = Math.round(numerator * 100) / 100
    compare(wrong, filter, `${number}, above the line`, said.numerator.value, numerator)
    compare(wrong, filter, `${number}, below the line`, said.denominator?.value ?? 0, denominator)
    if (said.value === null) continue
    compare(wrong, filter, `${number}, divided`, said.value, numerator / (said.denominator ? denominator : 1))
  }
}
