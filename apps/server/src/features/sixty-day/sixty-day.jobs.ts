import { setImmediate as breathe } from 'node:timers/promises'
import { baseOf, PUBLISHED_AFTER_DAYS, WAITS_FOR_SUMS_DAYS } from '@pillar/domain/sixty-day/base'
import { TRANCHES } from '@pillar/domain/sixty-day/choices'
import { SIXTY_DAY_SUMS } from '@pillar/domain/sixty-day/figure'
import { measureSixtyDay } from '@pillar/domain/sixty-day/measure'
import type { Span } from '@pillar/domain/time/period'
import { dayIn, zoneOf } from '@pillar/domain/time/zone'
import { z } from 'zod'
import type { Services } from '../../api/context.ts'
import { job } from '../../api/queue.ts'
import { atEach, repeat } from '../../api/repeat.ts'
import { raisePosition } from '../../api/replica/position.queries.ts'
import type { Tx } from '../../db/database.ts'
import { inScope } from '../../db/scope.ts'
import { readBase } from './base-line.queries.ts'
import { publishGuild } from './guild-publication.ts'
import { currentLists } from './list.queries.ts'
import { readStale } from './stale.queries.ts'
import { lastUploadAt, stillTrue } from './still-true.queries.ts'
import { lockSums, type MeasuredCell, replaceSums } from './sums.queries.ts'

/** Other requests get their turn this often while sums are calculated. */
const TURN_MS = 8
const ASK_EVERY_MS = 3_600_000

/** The current days of 60-day figures: one base for all of Australia, so that pharmacies can be pooled. */
export const currentBase = ({ env, now }: Pick<Services, 'env' | 'now'>): Span =>
  baseOf(dayIn(zoneOf('AU', null), now()), env.SIXTY_DAY_BASE_YEAR ?? null)

/** Does work in steps, and lets others have their turn in between. */
async function inTurns<T>(work: Generator<undefined, T>): Promise<T> {
  let turn = performance.now()
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value
    if (performance.now() - turn < TURN_MS) continue
    await breathe()
    turn = performance.now()
  }
}

/** Recalculates a pharmacy's sums over the base, unless they are known to be true still. Does nothing outside Australia. */
export async function refreshSixtyDay(
  tx: Tx,
  location: { id: number; country: string },
  services: Pick<Services, 'env' | 'now'>,
): Promise<void> {
  if (location.country !== 'AU') return
  await lockSums(tx, location.id)
  const [base, lists] = [currentBase(services), await currentLists(tx)]
  if (await stillTrue(tx, location.id, { base, lists }, services.now())) return
  const uploadAt = await lastUploadAt(tx, location.id)
  const { lines, facts, keys } = await readBase(tx, location.id, base, lists)
  const cells: MeasuredCell[] = []
  const scripts = SIXTY_DAY_SUMS.indexOf('scripts')
  for (const { scope } of TRANCHES) {
    const sumsOf = await inTurns(measureSixtyDay(lines, facts, scope))
    for (const [cell, { category, subcategory }] of keys.entries()) {
      const sums = sumsOf(cell)
      // Includes lines that may not be dispensed for 60 days: shares need them in the denominator. The total is stored even if it is 0.
      if (cell === 0 || sums[scripts] !== 0) cells.push({ tranche: scope, category, subcategory, sums })
    }
  }
  await replaceSums(tx, location.id, cells, { base, lists, uploadAt, now: services.now() })
}

/**
 * Recalculates the sums of pharmacies whose base has moved on with the month, or whose lists have been replaced, one after another,
 * even if some fail; then stores what the Guild may see, from eight days after the base's end.
 * @param settled whether no upload of the base is late any more, so that the eight days need not pass
 * @returns how many pharmacies. @throws the first failed pharmacy's error
 */
export async function bringUpToDate(services: Services, settled = false): Promise<number> {
  const { pools } = services
  const stale = await readStale(pools.system, currentBase(services), (await currentLists(pools.system)).ids)
  const failed = await atEach(
    services,
    '60-day sums could not be worked out',
    stale,
    ({ location_id }) => ({ location: location_id }),
    async ({ location_id, company_id }) => {
      await inScope(pools.app, { companyId: company_id, locationIds: [location_id] }, (tx) =>
        refreshSixtyDay(tx, { id: location_id, country: 'AU' }, services),
      )
      await raisePosition(pools.system, company_id)
    },
  )
  const base = currentBase(services)
  const today = dayIn(zoneOf('AU', null), services.now())
  const due = base.to + PUBLISHED_AFTER_DAYS
  if (failed.length > 0 && today < due + WAITS_FOR_SUMS_DAYS) throw failed[0]
  const published = (settled || today >= due) && (await publishGuild(services, base))
  if (failed.length > 0 && published)
    services.log.error({ pharmacies: failed.length }, "the Guild's figures were written without pharmacies that failed")
  if (failed.length > 0) throw failed[0]
  return stale.length
}

/** Brings all sums up to date, and publishes. */
export const refreshAllSixtyDay = job({
  name: 'sixty-day',
  payload: z.object({ settled: z.boolean().optional() }),
  concurrency: () => 1,
  retries: 5,
  async run({ settled }, services) {
    const pharmacies = await bringUpToDate(services, settled)
    if (pharmacies > 0) services.log.info({ pharmacies }, 'worked out 60-day sums')
  },
})

/** Enqueues it now and every hour, once for all workers: on most days there is nothing to do. @returns stops enqueueing */
export function startSixtyDay(services: Services): () => Promise<void> {
  return repeat(services, 'asking for the 60-day sums', ASK_EVERY_MS, () =>
    services.queue.onceFor(hourOf(services), refreshAllSixtyDay, {}),
  )
}

/** The current hour and base: a start with another SIXTY_DAY_BASE_YEAR enqueues it at once. */
function hourOf(services: Services): string {
  const { from, to } = currentBase(services)
  return `${Math.floor(services.now().getTime() / ASK_EVERY_MS)} ${from} ${to}`
}
