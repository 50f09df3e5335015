import { type contract, Refusal } from '@pillar/contract'
import { ROUTES } from '@pillar/domain/access/permission'
import type { HandlersOf, Services } from '../../api/context.ts'
import { counterKey, countersOf, countUse } from '../../api/counter.ts'
import { networkOf } from '../../api/network.ts'
import { screenFault } from '../../gateways/fault.ts'

/** Reports accepted in a quarter of an hour from one network, and from everybody, so that a flood cannot push out stored errors. */
const NETWORK_REPORTS = 20
const ALL_REPORTS = 200
const WINDOW_SECONDS = 900
const PAGES = ROUTES.map(({ path }) => path)

const counters = countersOf({
  network: ['rnet', NETWORK_REPORTS, WINDOW_SECONDS],
  all: ['rall', ALL_REPORTS, WINDOW_SECONDS],
})

/** @throws Refusal too_many */
async function book(services: Services, address: string): Promise<void> {
  const { network, all } = counters(services)
  for (const [counter, key] of [
    [network, counterKey(services, `throttle:report:${networkOf(address)}`)],
    [all, 'everyone'],
  ] as const) {
    const { taken, wait } = await countUse(counter, key)
    if (!taken) throw new Refusal('too_many', 'Enough errors were reported for now.', { retryAfter: wait })
  }
}

export const reportError: HandlersOf<typeof contract.portal>['reportError'] = async (error, { services, address }) => {
  await book(services, address)
  services.errors.report(screenFault(error, PAGES))
  return { taken: true }
}
