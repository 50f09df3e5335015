import type { Services } from '../../../api/context.ts'
import { atEach } from '../../../api/repeat.ts'
import { inScope } from '../../../db/scope.ts'
import { cancelledBatches, skipPortion } from './skip.queries.ts'

/**
 * Skips a portion of each cancelled batch, even if others fail. Each portion is a transaction of its own, so it may be interrupted at any
 * point, and any number of processes may do it. @returns whether any message was skipped, so that there may be more
 */
export async function skipCancelled({ pools, log }: Pick<Services, 'pools' | 'log'>): Promise<boolean> {
  let skipped = 0
  await atEach(
    { log },
    'cancelled messages could not be skipped yet',
    await cancelledBatches(pools.system),
    ({ locationId, companyId }) => ({ location: locationId, company: companyId }),
    async (batch) => {
      const scope = { companyId: batch.companyId, locationIds: [batch.locationId] }
      skipped += await inScope(pools.app, scope, (tx) => skipPortion(tx, batch))
    },
  )
  return skipped > 0
}
