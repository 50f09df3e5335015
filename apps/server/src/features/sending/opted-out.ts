import type { Services } from '../../api/context.ts'
import { reasonOf } from '../../api/log.ts'
import { inScope } from '../../db/scope.ts'
import type { Claim } from './claim.ts'
import { optedOutAmong } from './opted-out.queries.ts'
import { referenceOf } from './reference.ts'

/** Who opted out after their message was claimed. */
export interface OptedOut {
  has: (message: { reference: string }) => boolean
  /** No longer looks. */
  end: () => void
}

/** How often consent is read again while a gateway takes messages. */
const LOOK_MS = 200

/** Reads the consent of a claim's people now, and again while they are handed over: a slow gateway takes seconds for a large claim. */
export async function watchOptedOut(
  { pools, log }: Services,
  { batch, facts, messages }: Pick<Claim, 'batch' | 'facts' | 'messages'>,
): Promise<OptedOut> {
  const scope = { companyId: batch.companyId, locationIds: [batch.locationId] }
  const ids = messages.map(({ id }) => id)
  const out = new Set<string>()
  const look = async () => {
    const found = await inScope(pools.app, scope, (tx) => optedOutAmong(tx, batch.locationId, ids))
    for (const id of found) out.add(referenceOf(facts.runUuid, batch.locationId, id))
  }
  await look()
  let looking = false
  const timer = setInterval(() => {
    if (looking) return
    looking = true
    look()
      .catch((error) => log.warn({ reason: reasonOf(error) }, 'reading consent while messages are handed over'))
      .finally(() => {
        looking = false
      })
  }, LOOK_MS)
  return { has: ({ reference }) => out.has(reference), end: () => clearInterval(timer) }
}
