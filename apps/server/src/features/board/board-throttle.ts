import { createHmac } from 'node:crypto'
import { Refusal } from '@pillar/contract'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Services } from '../../api/context.ts'
import { reasonOf } from '../../api/log.ts'
import { networkOf } from '../../api/network.ts'
import type { Database } from '../../db/database.ts'
import { throttleStore } from '../session/throttle.queries.ts'

/** Answers to one session in a quarter of an hour: somebody who looks at every drug type takes fifteen a board. */
export const READS = 300
/** Tokens that open nothing, tried from one network in the same time. A board left open after signing out tries a few. */
export const DEAD_TOKENS = 200
const WINDOW_SECONDS = 900

function limitersOf(system: Database) {
  const storeClient = throttleStore(system)
  const made = (keyPrefix: string, points: number) =>
    new RateLimiterPostgres({
      ...{ storeClient, storeType: 'client', tableName: 'throttle', tableCreated: true },
      ...{ keyPrefix, points, duration: WINDOW_SECONDS },
    })
  return { reads: made('bred', READS), dead: made('bded', DEAD_TOKENS) }
}
const made = new WeakMap<Database, ReturnType<typeof limitersOf>>()

function limiters({ pools }: Services) {
  const known = made.get(pools.system) ?? limitersOf(pools.system)
  made.set(pools.system, known)
  return known
}

const keyOf = ({ secret }: Services, which: string, value: string) =>
  createHmac('sha256', secret).update(`throttle:board:${which}:${value}`).digest('base64url')

/** Books one use. @throws Refusal too_many with the wait, or unavailable: what cannot be counted stays shut */
async function book(services: Services, which: 'reads' | 'dead', value: string, why: string): Promise<void> {
  try {
    await limiters(services)[which].consume(keyOf(services, which, value))
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) {
      services.log.error({ reason: reasonOf(refused) }, 'the counters of boards cannot be kept')
      throw new Refusal('unavailable', 'The board cannot be shown at this moment. Please try again shortly.', {
        retryAfter: 5,
      })
    }
    const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
    const wait = seconds < 90 ? 'a minute' : `${Math.ceil(seconds / 60)} minutes`
    throw new Refusal('too_many', `${why} Please wait ${wait}, then try again.`, { retryAfter: seconds })
  }
}

/** Counts one answer to a session whose token is good, before any figure is read. @throws Refusal too_many or unavailable */
export const countRead = (services: Services, sessionId: string): Promise<void> =>
  book(services, 'reads', sessionId, 'This board was opened too often.')

/** Counts a token that opens nothing, by its network. @throws Refusal too_many or unavailable */
export const countDeadToken = (services: Services, address: string): Promise<void> =>
  book(services, 'dead', networkOf(address), 'Too many requests with an ended access came from your network.')
