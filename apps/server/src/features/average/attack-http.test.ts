import type { contract, ReplyOf } from '@pillar/contract'
import { threeDigits } from '@pillar/domain/average/average'
import { CATEGORIES } from '@pillar/domain/dispensing/category'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { attack } from '../../../test/world/average/average-attack.ts'
import { type StoredWorld, storeWorld } from '../../../test/world/average/average-database.ts'
import { type Reading, RULES, readMonths } from '../../../test/world/average/average-installation.ts'
import { numberOf, randomFrom, randomWorld, type World } from '../../../test/world/average/average-world.ts'
import { ensureSubcategories } from '../metrics/subcategory.queries.ts'
import { publishAverages } from './average.jobs.ts'

type Table = ReplyOf<(typeof contract)['financials']['table']>
vi.setConfig({ testTimeout: 120_000 })

/** Two dates after September is due; between them one pharmacy uploads late, one joins and one is corrected. */
const DATES = [new Date('2026-10-10T02:00:00Z'), new Date('2026-10-20T02:00:00Z')] as const
const MONTHS = [7, 8, 9].map((month) => ({ year: 2026, month }))
const QUARTER = { year: 2026, quarter: 3 }
const YEAR = { year: 2026 }
const ASKERS = [0, 1]
const ATTACKS = DEEP ? 200 : 10

/** The first random world in which all that happens, and both readers see something of each month. */
function eventfulWorld(): World {
  for (let seed = 1; ; seed++) {
    const world = randomWorld(randomFrom(seed))
    const late = world.pharmacies.some(({ complete }) => complete.includes(0) && complete.includes(1))
    const joins = world.pharmacies.some(({ complete }) => !complete.includes(0) && complete.includes(1))
    const corrected = world.pharmacies.some(({ complete, scripts }) =>
      scripts.some(([first, second], month) => complete[month] === 0 && first !== second),
    )
    const grown = ASKERS.some((asker) =>
      readMonths(world, asker, RULES).some(([before, after]) => groupsOf(after) > groupsOf(before)),
    )
    const seen = ASKERS.every((asker) => readMonths(world, asker, RULES).every(([before]) => before!.has('0 0')))
    if (late && joins && corrected && grown && seen) return world
  }
}

const groupsOf = (cells: Map<string, Reading> | undefined) => cells?.get('0 0')?.groups.length ?? 0

let server: TestServer
let stored: StoredWorld
const world = eventfulWorld()
/** What each reader saw of each month on each date, by the key of the cell. */
const answers = new Map<string, Table>()

async function ask(
  asker: number,
  category: string,
  choice: object,
  pharmacies = stored.places[asker]!,
): Promise<Table> {
  const body = { category, pharmacies, ...choice }
  return (await server.call<Table>('/api/enterprise-pharmacy-table', body, stored.bearers[asker]!)).body
}
const nameOf = (date: number, asker: number, category: string, choice: object) =>
  `${date} ${asker} ${category} ${JSON.stringify(choice)}`

beforeAll(async () => {
  server = await startTestServer()
  server.clock.offsetMs = DATES[0].getTime() - Date.now()
  await ensureSubcategories(server.services.pools.app)
  stored = await storeWorld(server, world)
  for (const [date, now] of DATES.entries()) {
    await stored.upload(date as 0 | 1)
    await publishAverages(server.services, now)
    for (const asker of ASKERS)
      for (const category of CATEGORIES)
        for (const choice of [...MONTHS, QUARTER, YEAR])
          answers.set(nameOf(date, asker, category, choice), await ask(asker, category, choice))
  }
})
afterAll(() => server.close())

/** The months as a reader saw them over HTTP, with the pharmacies behind each figure. */
function readingsOf(asker: number): Map<string, Reading>[][] {
  const expected = readMonths(world, asker, RULES)
  return expected.map((dates, month) =>
    dates.map((cells, date) => {
      const seen = new Map<string, Reading>()
      for (const [key, { groups }] of cells) {
        const category = CATEGORIES.find((one) => numberOf(one) === Number(key.split(' ')[0])) ?? CATEGORIES[0]
        const answer = answers.get(nameOf(date, asker, category, MONTHS[month]!))!
        const value = answer.baseline?.[stored.names.get(key)!]?.script_count
        if (value != null) seen.set(key, { value, groups })
      }
      return seen
    }),
  )
}

describe.each(ASKERS)('head office %i, which reads everything on both dates', (asker) => {
  it('reads what the rules allow, of every category and month', () => {
    let cells = 0
    const expected = readMonths(world, asker, RULES)
    for (const [month, choice] of MONTHS.entries()) {
      for (const date of [0, 1]) {
        for (const category of CATEGORIES) {
          const answer = answers.get(nameOf(date, asker, category, choice))!
          for (const { field } of answer.columns) {
            const key = [...stored.names].find(
              ([key, name]) => name === field && (field === 'TOTAL' || key.startsWith(`${numberOf(category)} `)),
            )![0]
            const value = expected[month]![date]!.get(key)?.value ?? null
            const read = answer.baseline?.[field]?.script_count ?? null
            expect([date, month, category, field, read]).toEqual([date, month, category, field, value])
            if (value !== null) cells++
          }
        }
      }
    }
    expect(cells).toBeGreaterThan(30)
  })

  it('reads only sums of its months in the quarter and the running year', () => {
    for (const date of [0, 1]) {
      for (const category of CATEGORIES) {
        const months = MONTHS.map((choice) => answers.get(nameOf(date, asker, category, choice))!)
        for (const choice of [QUARTER, YEAR]) {
          const answer = answers.get(nameOf(date, asker, category, choice))!
          for (const { field } of answer.columns) {
            const parts = months.map((month) => month.baseline?.[field]?.script_count ?? null)
            const sum = parts.reduce<number | null>((all, one) => (all === null || one === null ? null : all + one), 0)
            // A month for which the reader has no data itself does not show that column.
            if (months.every((month) => month.columns.some((column) => column.field === field)))
              expect(answer.baseline?.[field]?.script_count ?? null).toBe(threeDigits(sum))
          }
        }
      }
    }
  })

  it('reads the same whatever pharmacies it selects', async () => {
    for (const category of CATEGORIES) {
      const one = await ask(asker, category, MONTHS[0]!, stored.places[asker]!.slice(0, 1))
      const all = answers.get(nameOf(1, asker, category, MONTHS[0]!))!
      for (const [field, cell] of Object.entries(one.baseline ?? {})) expect(all.baseline?.[field]).toEqual(cell)
    }
  })

  it('cannot calculate any other company’s figure to within 10%', () => {
    const months = readingsOf(asker)
    const found = Array.from(
      { length: ATTACKS },
      (_, seed) => attack(world, asker, randomFrom(seed), RULES, months).found,
    )
    expect(found.flat()).toEqual([])
  })
})
