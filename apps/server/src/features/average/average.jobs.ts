import { isGroup } from '@pillar/domain/average/average'
import { dueOn, monthsIn } from '@pillar/domain/average/average-period'
import type { Day } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { periodsOf } from '@pillar/domain/time/period'
import { dayIn, zoneOf } from '@pillar/domain/time/zone'
import { z } from 'zod'
import type { Services } from '../../api/context.ts'
import { job } from '../../api/queue.ts'
import { atEach } from '../../api/repeat.ts'
import { EVERYONE, raisePosition } from '../../api/replica/position.queries.ts'
import type { Database, Tx } from '../../db/database.ts'
import { periodCode } from '../metrics/spans.ts'
import {
  type Candidate,
  countMembers,
  insertGroup,
  insertPublished,
  lockAverages,
  readCandidates,
  readCountries,
  readFigures,
  readMembersOfAll,
  readMoleculeParents,
  readMoved,
  readShown,
  readUnpublished,
  recordRun,
  type Unpublished,
} from './average.queries.ts'
import { FAMILY_NAMES, type Family, hiddenPublication, ownSums, publicationOf } from './publication.ts'

/**
 * Publishes the parts of the product average that are due (docs/decisions/032): enters complete pharmacies into closed months, and into the
 * quarters and years these make up, then records what each company may see of every new group. Published figures never change. Works group
 * by group, so it may be interrupted at any point and run again. A country that fails holds up no other, and the log names it.
 * @returns how many groups were published to any company, and the errors of the countries that failed
 */
export async function publishAverages(
  { pools, log }: Pick<Services, 'pools' | 'log'>,
  now: Date,
): Promise<{ published: number; failed: unknown[] }> {
  let published = 0
  const failed = await atEach(
    { log },
    'product averages could not be published',
    await readCountries(pools.system),
    (country) => ({ country }),
    async (country) => {
      const today = dayIn(zoneOf(country, null), now)
      const shown = await inTurn(pools.system, country, async (tx) => {
        await enter(tx, country, today, now)
        return readShown(tx, country)
      })
      while (await inTurn(pools.system, country, (tx) => publishNext(tx, country))) published++
      await inTurn(pools.system, country, (tx) => recordRun(tx, shown, today))
    },
  )
  if (published > 0) await raisePosition(pools.system, EVERYONE)
  return { published, failed }
}

const inTurn = <T>(system: Database, country: Country, work: (tx: Tx) => Promise<T>) =>
  system.transaction().execute(async (tx) => {
    await lockAverages(tx, country)
    return work(tx)
  })

/** Enters waiting pharmacies into the periods that are due, if together they form a group. */
async function enter(tx: Tx, country: Country, today: Day, now: Date): Promise<void> {
  const due = periodsOf(country, today).filter((period) => dueOn(period) <= today)
  const months = due.filter((period) => period.kind === 'month')
  const waiting = Map.groupBy(
    await readCandidates(tx, country, months.map(periodCode)),
    (candidate) => candidate.period,
  )
  for (const [period, candidates] of waiting) await enterGroup(tx, country, period, candidates, now)
  for (const period of due.filter((one) => one.kind !== 'month')) {
    const codes = monthsIn(country, period).map(periodCode)
    const code = periodCode(period)
    await enterGroup(tx, country, code, await readMembersOfAll(tx, country, codes, code), now)
  }
}

async function enterGroup(
  tx: Tx,
  country: Country,
  period: number,
  candidates: readonly Candidate[],
  now: Date,
): Promise<void> {
  const companies = Map.groupBy(candidates, (candidate) => candidate.company_id)
  if (!isGroup([...companies.values()].map((own) => own.length))) return
  await insertGroup(tx, country, period, candidates, now)
}

/** Publishes one group to the companies that have not seen it. @returns false if there is none */
async function publishNext(tx: Tx, country: Country): Promise<boolean> {
  const next = (await readUnpublished(tx, country))[0]
  if (!next) return false
  const group = {
    figures: await readFigures(tx, country, next),
    pharmacies: await countMembers(tx, country, next),
    parents: await readMoleculeParents(tx),
  }
  const publication = publicationOf(group, familiesOf(next))
  const moved = await readMoved(tx, country, next)
  for (const company of next.companies) {
    const own = ownSums(company, moved, group.pharmacies)
    await insertPublished(tx, company, next, own ? publication(company, own) : hiddenPublication())
  }
  return true
}

/** Counts, money and loyalty of a quarter or year come from its months; only adherence is measured again, at its end. */
function familiesOf({ period }: Unpublished): readonly Family[] {
  const month = period % 100 >= 1 && period % 100 <= 12
  return month ? FAMILY_NAMES : ['adherence']
}

/** The nightly publication. */
export const publishAverage = job({
  name: 'product-average',
  payload: z.object({}),
  nightly: {},
  concurrency: () => 1,
  retries: 5,
  async run(_payload, services) {
    const { published, failed } = await publishAverages(services, services.now())
    if (published > 0) services.log.info({ groups: published }, 'published product averages')
    if (failed.length > 0) throw failed[0]
  },
})
