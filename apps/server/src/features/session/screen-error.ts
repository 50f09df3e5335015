import { createHmac } from 'node:crypto'
import { type contract, Refusal } from '@pillar/contract'
import { ROUTES } from '@pillar/domain/access/permission'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { HandlersOf, Services } from '../../api/context.ts'
import { networkOf } from '../../api/network.ts'
import type { Database } from '../../db/database.ts'
import { screenFault } from '../../gateways/fault.ts'
import { throttleStore } from './throttle.queries.ts'

/** Reports accepted in a quarter of an hour from one network, and from everybody, so that a flood cannot push stored errors out. */
const NETWORK_REPORTS = 20
const ALL_REPORTS = 200
const WINDOW_SECONDS = 900
const PAGES = ROUTES.map(({ path }) => path)

function limitersOf(system: Database) {
  const shared = { storeClient: throttleStore(system), storeType: 'client', tableName: 'throttle', tableCreated: true }
  const made = (keyPrefix: string, points: number) =>
    new RateLimiterPostgres({ ...shared, keyPrefix, points, duration: WINDOW_SECONDS })
  return { network: made('rnet', NETWORK_REPORTS), all: made('rall', ALL_REPORTS) }
}
const made = new WeakMap<Database, ReturnType<typeof limitersOf>>()

/** @throws Refusal too_many */
async function book({ pools, secret }: Services, address: string): Promise<void> {
  const limiters = made.get(pools.system) ?? limitersOf(pools.system)
  made.set(pools.system, limiters)
  const key = createHmac('sha256', secret)
    .update(`throttle:report:${networkOf(address)}`)
    .digest('base64url')
  try {
    await limiters.network.consume(key)
    await limiters.all.consume('everyone')
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused
    const retryAfter = Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
    throw new Refusal('too_many', 'Enough errors were told for now.', { retryAfter })
  }
}

export const reportError: HandlersOf<typeof contract.portal>['reportError'] = async (told, { services, address }) => {
  await book(services, address)
  services.errors.report(screenFault(told, PAGES))
  return { taken: true }
}
