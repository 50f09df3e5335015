import { createHmac } from 'node:crypto'
import { Refusal } from '@pillar/contract'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Services } from '../../api/context.ts'
import { reasonOf } from '../../api/log.ts'
import { networkOf } from '../../api/network.ts'
import type { Database } from '../../db/database.ts'
import { throttleStore } from '../session/throttle.queries.ts'

/** Links that do not work, tried from one network in a quarter of an hour. Their own count: a patient's old link must not shut out staff. */
const DEAD_LINKS = 200
/** One link that works, opened or used from one network in the same time: a person needs three or four. */
const LINK_USES = 100
/** All links that work, from one network: a mobile carrier's patients share one, just after a campaign. */
const NETWORK_USES = 2000
const WINDOW_SECONDS = 900

function limiterOf(system: Database, keyPrefix: string, points: number, duration: number) {
  const storeClient = throttleStore(system)
  const shared = { storeType: 'client', tableName: 'throttle', tableCreated: true } as const
  return new RateLimiterPostgres({ storeClient, ...shared, keyPrefix, points, duration })
}
const limitersOf = (system: Database) => ({
  links: limiterOf(system, 'link', DEAD_LINKS, WINDOW_SECONDS),
  once: limiterOf(system, 'once', 1, WINDOW_SECONDS),
  use: limiterOf(system, 'use', LINK_USES, WINDOW_SECONDS),
  uses: limiterOf(system, 'uses', NETWORK_USES, WINDOW_SECONDS),
})
const made = new WeakMap<Database, ReturnType<typeof limitersOf>>()

function limiters({ pools }: Services) {
  const known = made.get(pools.system) ?? limitersOf(pools.system)
  made.set(pools.system, known)
  return known
}

const keyOf = ({ secret }: Services, text: string) => createHmac('sha256', secret).update(text).digest('base64url')

/**
 * Books one try at a link before it is looked up, so that guesses get slow however many come at once.
 * @returns what to call when the link was good: the try is given back
 * @throws Refusal too_many with the wait, or unavailable when nothing can be counted
 */
export function countLinkUse(services: Services, address: string): Promise<() => Promise<void>> {
  const key = keyOf(services, `throttle:link:${networkOf(address)}`)
  return orUnavailable(services, async () => {
    const { links } = limiters(services)
    const refused = await take(links, key)
    if (refused) throw tooMany('Too many links that do not work were opened from your network.', refused)
    return async () => void (await orUnavailable(services, () => links.reward(key)))
  })
}

/**
 * Books one use of a link that works, by the link and the network together and by the network, so that nobody can keep the database busy
 * with one. Never booked for the one click of a mail program: nothing may stand in its way.
 * @throws Refusal too_many with the wait, or unavailable when nothing can be counted
 */
export function bookUse(services: Services, token: string, address: string): Promise<void> {
  const network = networkOf(address)
  return orUnavailable(services, async () => {
    const { use, uses } = limiters(services)
    const refused =
      (await take(use, keyOf(services, `throttle:use:${network}:${token}`))) ??
      (await take(uses, keyOf(services, `throttle:uses:${network}`)))
    if (refused) throw tooMany('This page was opened too often from your network.', refused)
  })
}

function tooMany(why: string, refused: RateLimiterRes): Refusal {
  const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
  const wait = seconds < 90 ? 'a minute' : `${Math.ceil(seconds / 60)} minutes`
  return new Refusal('too_many', `${why} Please wait ${wait}, then try again.`, { retryAfter: seconds })
}

/** Whether this is the first use of something within `seconds`; one statement, so that only one of several at once gets true. */
export function firstUse(services: Services, name: string, seconds: number): Promise<boolean> {
  const key = keyOf(services, `once:${name}`)
  return orUnavailable(services, async () => (await take(limiters(services).once, key, seconds)) === null)
}

async function take(limiter: RateLimiterPostgres, key: string, seconds?: number): Promise<RateLimiterRes | null> {
  try {
    await limiter.consume(key, 1, seconds === undefined ? {} : { customDuration: seconds })
    return null
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return refused
    throw refused
  }
}

/** What cannot be counted stays shut. */
async function orUnavailable<T>(services: Services, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) throw error
    services.log.error({ reason: reasonOf(error) }, 'the counters of links cannot be kept')
    throw new Refusal('unavailable', 'This is not possible at this moment. Nothing was changed. Please try again.', {
      retryAfter: 5,
    })
  }
}
