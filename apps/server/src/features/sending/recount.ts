import type { Services } from '../../api/context.ts'
import { reasonOf } from '../../api/log.ts'
import type { Tx } from '../../db/database.ts'
import { inScope, withoutNestedLoops } from '../../db/scope.ts'
import { dataOf, hasNewCampaign, refreshCampaigns } from '../attribution/campaign-result.queries.ts'
import { recountCampaigns } from '../attribution/campaign-stat.queries.ts'
import {
  queueStatRecount,
  queueStatRecountSoon,
  recountStats,
  statRecountQueue,
  takeStatRecount,
} from '../attribution/message-stat.queries.ts'
import { recountBatches, recountQueue } from './recount.queries.ts'

/** PostgreSQL's code for a lock that did not come free in time. */
const BUSY = '55P03'

/**
 * Recounts every pharmacy in the recount queue. One whose statistics are being counted stays queued for the next round; so does one that
 * fails, which is logged. @returns how many were recounted
 */
export async function recountQueued(services: Services): Promise<number> {
  let made = 0
  for (const { locationId, companyId } of await recountQueue(services.pools.system)) {
    try {
      await inScope(services.pools.app, { companyId, locationIds: [locationId] }, async (tx) => {
        // First, because it waits while the statistics are counted: stopping a send must not have to wait for its batches meanwhile.
        await queueStatRecountSoon(tx, locationId)
        if (await recountBatches(tx, locationId, services.now())) made++
      })
    } catch (error) {
      if ((error as { code?: string }).code === BUSY) continue
      services.log.error({ location: locationId, reason: reasonOf(error) }, 'counting messages')
    }
  }
  return made
}

/** A pharmacy's statistics of periods and campaigns. @returns false if another worker is counting it */
async function recountLocation(tx: Tx, locationId: number): Promise<boolean> {
  if (!(await takeStatRecount(tx, locationId))) return false
  await recountStats(tx, locationId)
  await recountCampaigns(tx, locationId)
  return true
}

/** A new campaign gets its baseline without waiting for the next upload. */
async function addResults(tx: Tx, locationId: number): Promise<void> {
  if (!(await hasNewCampaign(tx, locationId))) return
  const place = await dataOf(tx, locationId)
  if (place) await refreshCampaigns(tx, place)
}

/**
 * Refreshes the statistics of every pharmacy whose messages have changed since. One that fails is logged and stays queued. Results get
 * their own transaction, because they take longest at a large pharmacy: the queue is free meanwhile.
 */
export async function recountQueuedStats(services: Services): Promise<number> {
  const due = await statRecountQueue(services.pools.system)
  for (const { locationId, companyId } of due) {
    const scope = { companyId, locationIds: [locationId] }
    const run = <T>(work: (tx: Tx, locationId: number) => Promise<T>) =>
      inScope(services.pools.app, scope, (tx) => withoutNestedLoops(tx, () => work(tx, locationId)))
    try {
      if (!(await run(recountLocation))) continue
      await run(addResults).catch(async (error: unknown) => {
        await inScope(services.pools.app, scope, (tx) => queueStatRecount(tx, locationId))
        throw error
      })
    } catch (error) {
      services.log.error({ location: locationId, reason: reasonOf(error) }, 'counting messages of periods')
    }
  }
  return due.length
}
