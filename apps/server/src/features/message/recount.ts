import type { Services } from '../../api/context.ts'
import { reasonOf } from '../../api/log.ts'
import type { Tx } from '../../db/database.ts'
import { inScope } from '../../db/scope.ts'
import { dataOf, hasNewCampaign, refreshCampaigns } from '../result/campaign-result.queries.ts'
import { recountCampaigns } from '../result/campaign-stat.queries.ts'
import { dueStats, markStatsDue, recountStats } from '../result/message-stat.queries.ts'
import { duePlaces, recountBatches } from './recount.queries.ts'

/** What else is made anew when messages of a pharmacy have changed, in the same transaction. */
const FOLLOW_UPS: readonly ((tx: Tx, locationId: number) => Promise<void>)[] = [markStatsDue]

/** Makes the counts of every pharmacy anew that is due. One that fails is logged and stays due. @returns how many were made */
export async function recountDue(services: Services): Promise<number> {
  let made = 0
  for (const { locationId, companyId } of await duePlaces(services.pools.gate)) {
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

/** A pharmacy's statistics of periods and campaigns; a campaign it has not had before also gets its baseline, without waiting for the next upload. */
async function recountLocation(tx: Tx, locationId: number): Promise<void> {
  await recountStats(tx, locationId)
  await recountCampaigns(tx, locationId)
  if (!(await hasNewCampaign(tx, locationId))) return
  const place = await dataOf(tx, locationId)
  if (place) await refreshCampaigns(tx, place)
}

/** Makes the statistics of every pharmacy anew whose messages have moved since. One that fails is logged and stays due. */
export async function recountDueStats(services: Services): Promise<number> {
  const due = await dueStats(services.pools.gate)
  for (const { locationId, companyId } of due) {
    const scope = { companyId, locationIds: [locationId] }
    await inScope(services.pools.app, scope, (tx) => recountLocation(tx, locationId)).catch((error: unknown) => {
      services.log.error({ location: locationId, reason: reasonOf(error) }, 'counting messages of periods')
    })
  }
  return due.length
}
