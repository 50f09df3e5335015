import type { Services } from '../../api/context.ts'
import { inScope, type Tx } from '../../db/database.ts'
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
        if (!(await recountBatches(tx, locationId))) return
        for (const followUp of FOLLOW_UPS) await followUp(tx, locationId)
        made++
      })
    } catch (error) {
      services.log.error({ location: locationId, reason: String(error) }, 'counting messages')
    }
  }
  return made
}

/** Makes the statistics of every pharmacy anew whose messages have moved since. One that fails is logged and stays due. */
export async function recountDueStats(services: Services): Promise<number> {
  const due = await dueStats(services.pools.gate)
  for (const { locationId, companyId } of due) {
    const scope = { companyId, locationIds: [locationId] }
    await inScope(services.pools.app, scope, (tx) => recountStats(tx, locationId)).catch((error: unknown) => {
      services.log.error({ location: locationId, reason: String(error) }, 'counting messages of periods')
    })
  }
  return due.length
}
