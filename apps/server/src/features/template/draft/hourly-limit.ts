import { Refusal } from '@pillar/contract'
import { counted } from '@pillar/domain/text/sentence'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Services } from '../../../api/context.ts'
import { reasonOf } from '../../../api/log.ts'
import type { Database } from '../../../db/database.ts'
import { throttleStore } from '../../session/throttle.queries.ts'

/** What a login may do so often an hour: each costs money or reaches a telephone. */
const LIMITS = {
  test: { points: 10, what: 'test messages' },
  draft: { points: 60, what: 'AI drafts' },
} as const

const made = new WeakMap<Database, Record<keyof typeof LIMITS, RateLimiterPostgres>>()

function limitersOf(system: Database) {
  const of = (kind: keyof typeof LIMITS) =>
    new RateLimiterPostgres({
      storeClient: throttleStore(system),
      storeType: 'client',
      tableName: 'throttle',
      tableCreated: true,
      keyPrefix: `hour-${kind}`,
      points: LIMITS[kind].points,
      duration: 3600,
    })
  const known = made.get(system) ?? { test: of('test'), draft: of('draft') }
  made.set(system, known)
  return known
}

/**
 * Books one of a login's acts of the hour, over all servers.
 * @throws Refusal too_many with the wait, or unavailable when the counters cannot be kept
 */
export async function countHourly(services: Services, kind: keyof typeof LIMITS, loginId: number): Promise<void> {
  try {
    await limitersOf(services.pools.system)[kind].consume(String(loginId))
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) {
      services.log.error({ reason: reasonOf(refused) }, 'the counters of the throttle cannot be kept')
      throw new Refusal('unavailable', 'This is not possible at this moment. Please try again shortly.', {
        retryAfter: 5,
      })
    }
    const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
    const wait = counted(Math.ceil(seconds / 60), 'minute', 'minutes')
    const { points, what } = LIMITS[kind]
    const message = `You have used your ${points} ${what} of this hour. Please try again in ${wait}.`
    throw new Refusal('too_many', message, { retryAfter: seconds })
  }
}
