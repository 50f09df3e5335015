import type { Services } from '../../api/context.ts'
import { counterKey, countersOf, countOnce, countUse, orUnavailable, tooMany } from '../../api/counter.ts'
import { networkOf } from '../../api/network.ts'

/** Dead links tried from one network in a quarter of an hour. Counted separately: a patient's old link must not lock out staff. */
const DEAD_LINKS = 200
/** Opening or using one working link from one network in the same time: a person needs three or four. */
const LINK_USES = 100
/** All working links from one network: a mobile carrier's patients share one, just after a campaign. */
const NETWORK_USES = 2000
const WINDOW_SECONDS = 900

const counters = countersOf({
  links: ['link', DEAD_LINKS, WINDOW_SECONDS],
  once: ['once', 1, WINDOW_SECONDS],
  use: ['use', LINK_USES, WINDOW_SECONDS],
  uses: ['uses', NETWORK_USES, WINDOW_SECONDS],
})
const AWAY = {
  what: 'links',
  message: 'This is not possible at this moment. Nothing was changed. Please try again.',
}

/**
 * Counts a try at a link before it is looked up, so that guesses become slow however many come at once.
 * @returns gives the try back; call it if the link was good
 * @throws Refusal too_many with the wait, or unavailable if nothing can be counted
 */
export function countLinkUse(services: Services, address: string): Promise<() => Promise<void>> {
  const key = counterKey(services, `throttle:link:${networkOf(address)}`)
  return orUnavailable(services, AWAY, async () => {
    const { links } = counters(services)
    const { taken, wait } = await countUse(links, key)
    if (!taken) throw tooMany('Too many links that do not work were opened from your network.', wait)
    return async () => void (await orUnavailable(services, AWAY, () => links.reward(key)))
  })
}

/**
 * Counts one dead link. For opt-out links, which are looked up first: nobody who wants out is refused because of others' dead links.
 * @throws Refusal too_many or unavailable
 */
export async function countDeadLink(services: Services, address: string): Promise<void> {
  await countLinkUse(services, address)
}

/**
 * Counts one use of a working link, by link and network together and by network alone, so that nobody can keep the database busy with one.
 * Never counted for a mail program's one-click: nothing may stand in its way.
 * @throws Refusal too_many with the wait, or unavailable if nothing can be counted
 */
export function bookUse(services: Services, token: string, address: string): Promise<void> {
  const network = networkOf(address)
  return orUnavailable(services, AWAY, async () => {
    const { use, uses } = counters(services)
    for (const [counter, key] of [
      [use, `throttle:use:${network}:${token}`],
      [uses, `throttle:uses:${network}`],
    ] as const) {
      const { taken, wait } = await countUse(counter, counterKey(services, key))
      if (!taken) throw tooMany('This page was opened too often from your network.', wait)
    }
  })
}

/** Whether this is the first use of something within `seconds`; a single statement, so that only one of several concurrent calls gets true. */
export function firstUse(services: Services, name: string, seconds: number): Promise<boolean> {
  const key = counterKey(services, `once:${name}`)
  return orUnavailable(services, AWAY, async () => (await countOnce(counters(services).once, key, seconds)).taken)
}
