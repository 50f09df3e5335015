import { averagePart } from '@pillar/domain/average/average-part'
import { journeysDueOn } from '@pillar/domain/board/board'
import type { Country } from '@pillar/domain/time/locale'
import { type Period, periodsOf } from '@pillar/domain/time/period'
import { dayIn, zoneOf } from '@pillar/domain/time/zone'
import { z } from 'zod'
import type { Services } from '../../api/context.ts'
import { job } from '../../api/queue.ts'
import { atEach } from '../../api/repeat.ts'
import type { Tx } from '../../db/database.ts'
import { inScope } from '../../db/scope.ts'
import { publishAverages } from '../average/average.jobs.ts'
import { lockAverages, readCountries, readMoleculeParents, readMoved } from '../average/average.queries.ts'
import { periodCode } from '../metrics/spans.ts'
import {
  insertPublication,
  readAverageShown,
  readFacts,
  readNames,
  readProducts,
  readUnshown,
  type Unshown,
} from './board.queries.ts'
import { insertFacts, readBoardLines, readUncounted, type Uncounted } from './board-fact.queries.ts'
import { type Brought, lookBack, type MonthFact, monthFacts, type YearFacts, yearFacts } from './board-fact.ts'
import { monthPublication, yearPublication } from './publication.ts'

type Work = Pick<Services, 'pools' | 'now' | 'log'>

/**
 * Publishes the parts of the boards that are due (decision 047) to companies that have dashboards. Periods and their groups of pharmacies
 * are those of the product average. Each pharmacy is counted once per period, then each group is published once to each company and never
 * changes later. It may be interrupted anywhere and run again. A pharmacy that cannot be counted holds up only its own group, and a country
 * that fails no other.
 * @returns how many groups were published to any company. @throws the first error, once all else is published
 */
export async function publishBoards({ pools, now, log }: Work): Promise<number> {
  const { failed } = await publishAverages({ pools, log }, now())
  let published = 0
  const countries = await atEach(
    { log },
    'boards could not be published',
    await readCountries(pools.system),
    (country) => ({ country }),
    async (country) => {
      const periods = periodsOf(country, dayIn(zoneOf(country, null), now()))
      failed.push(...(await count({ pools, now, log }, country, periods)))
      const next = () =>
        pools.system.transaction().execute(async (tx) => {
          await lockAverages(tx, country)
          return publishNext(tx, country, now())
        })
      while (await next()) published++
    },
  )
  const [first] = [...failed, ...countries]
  if (first !== undefined) throw first
  return published
}

/**
 * Counts the pharmacies that have entered periods, each under its own row security, reading its lines once. @returns the errors of those
 * that failed
 */
async function count({ pools, now, log }: Work, country: Country, periods: readonly Period[]): Promise<unknown[]> {
  const today = dayIn(zoneOf(country, null), now())
  const due = periods.filter((period) => period.kind === 'year' && journeysDueOn(period) <= today)
  return atEach(
    { log },
    'a pharmacy could not be counted for the boards',
    await readUncounted(pools.system, country, due.map(periodCode)),
    ({ location_id }) => ({ location: location_id }),
    (place) => {
      const scope = { companyId: place.company_id, locationIds: [place.location_id] }
      return inScope(pools.app, scope, (tx) => countPlace(tx, place, periods))
    },
  )
}

async function countPlace(tx: Tx, place: Uncounted, all: readonly Period[]): Promise<void> {
  const periods = all.filter((period) => place.periods.includes(periodCode(period)))
  if (periods.length === 0) return
  const from = Math.min(...periods.map((one) => (one.kind === 'year' ? lookBack(one.from) : one.from)))
  const to = Math.max(...periods.map((one) => (one.kind === 'year' ? journeysDueOn(one) : one.to)))
  const { lines, ...data } = await readBoardLines(tx, place.location_id, from, to)
  for (const period of periods) {
    const facts = period.kind === 'year' ? yearFacts(lines, period, data) : monthFacts(lines, period.from, period.to)
    await insertFacts(tx, place.location_id, periodCode(period), facts)
  }
}

/** Publishes one group to the companies that have not seen it. @returns false if there is none */
async function publishNext(tx: Tx, country: Country, now: Date): Promise<boolean> {
  const next = (await readUnshown(tx, country))[0]
  if (!next) return false
  const { molecules, counted } = await readNames(tx)
  const parents = await readMoleculeParents(tx)
  const brought = await readFacts(tx, country, next)
  const moved = await readMoved(tx, country, next)
  const bought = new Map(moved.map(({ location_id, buyer }) => [location_id, buyer]))
  for (const company of next.companies) {
    const shown = await readAverageShown(tx, company, next)
    const averaged = (molecule: number) => {
      const own = counted.get(molecule)
      return own === undefined ? '' : averagePart(own, parents.get(own)!, shown)
    }
    const reader = { company, products: await readProducts(tx, company), molecules, averaged }
    // A pharmacy that the company has bought since is its own, like those it entered with.
    const seen = brought.map((one) => (bought.get(one.location_id) === company ? { ...one, company_id: company } : one))
    const parts = partsFor(next, seen, reader)
    await insertPublication(tx, company, next, { pharmacies: brought.length, parts, now })
  }
  return true
}

function partsFor(
  { period }: Unshown,
  brought: Brought<MonthFact[] | YearFacts>[],
  reader: Parameters<typeof yearPublication>[1],
) {
  return period % 100 === 0
    ? yearPublication(brought as Brought<YearFacts>[], reader)
    : monthPublication(brought as Brought<MonthFact[]>[], reader)
}

/** The nightly publication. */
export const publishBoard = job({
  name: 'board-publication',
  payload: z.object({}),
  nightly: {},
  concurrency: () => 1,
  retries: 5,
  async run(_payload, services) {
    const groups = await publishBoards(services)
    if (groups > 0) services.log.info({ groups }, 'published boards')
  },
})
