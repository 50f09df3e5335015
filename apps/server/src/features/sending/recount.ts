import type { Services } from '../../api/context.ts'
import { reasonOf } from '../../api/log.ts'
import type { Tx } from '../../db/database.ts'
import { inScope, withoutNestedLoops } from '../../db/scope.ts'
import { dataOf, hasNewCampaign, refreshCampaigns } from '../attribution/campaign-result.queries.ts'
import { recountCampaigns } from '../attribution/campaign-stat.queries.ts'
import { queueStatRecount, recountStats, statRecountQueue } from '../attribution/message-stat.queries.ts'
import { recountBatches, recountQueue } from './recount.queries.ts'

/** Other results to refresh when a pharmacy's messages have changed, in the same transaction. */
const FOLLOW_UPS: readonly ((tx: Tx, locationId: number) => Promise<void>)[] = [queueStatRecount]

/** Recounts every pharmacy in the recount queue. One that fails is logged and stays queued. @returns how many were recounted */
export async function recountQueued(services: Services): Promise<number> {
  let made = 0
  for (const { locationId, companyId } of await recountQueue(services.pools.system)) {
    try {
      await inScope(services.pools.app, { companyId, locationIds: [locationId] }, async (tx) => {
        if (!(await recountBatches(tx, locationId, services.now()))) return
        for (const followUp of FOLLOW_UPS) await followUp(tx, locationId)
        made++
      })
    } catch (error) {
      services.log.error({ location: locationId, reason: reasonOf(error) }, 'counting messages')
    }
  }
  return made
}

/** A pharmacy's statistics of periods and campaigns; a new campaign also gets its baseline, without waiting for the next upload. */
async function recountLocation(tx: Tx, locationId: number): Promise<void> {
  await recountStats(tx, locationId)
  await recountCampaigns(tx, locationId)
  if (!(await hasNewCampaign(tx, locationId))) return
  const place = await dataOf(tx, locationId)
  if (place) await refreshCampaigns(tx, place)
}

/** Refreshes the statistics of every pharmacy whose messages have changed since. One that fails is logged and stays queued. */
export async function recountQueuedStats(services: Services): Promise<number> {
  const due = await statRecountQueue(services.pools.system)
  for (const { locationId, companyId } of due) {
    const scope = { companyId, locationIds: [locationId] }
    const run = (tx: Tx) => withoutNestedLoops(tx, () => recountLocation(tx, locationId))
    await inScope(services.pools.app, scope, run).catch((error: unknown) => {
      services.log.error({ location: locationId, reason: reasonOf(error) }, 'counting messages of periods')
    })
  }
  return due.length
}
