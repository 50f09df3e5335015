import type { Services } from '../../api/context.ts'
import { counterKey, countersOf, countUse, orUnavailable, tooMany } from '../../api/counter.ts'

/**
 * Unsuccessful look-ups by one support person in a quarter of an hour, to request consent or to erase: a refused one leaves no row in the
 * audit, and must not become a way to guess names.
 */
export const MISSES = 20
const WINDOW_SECONDS = 900
const counters = countersOf({ misses: ['cmis', MISSES, WINDOW_SECONDS] })
const AWAY = { what: 'look-ups of patients', message: 'This is not possible at this moment. Please try again.' }

/**
 * Counts one look-up before anybody is searched for.
 * @returns gives the try back; call it if the person was found
 * @throws Refusal too_many with the wait, or unavailable if nothing can be counted
 */
export function countLookUp(services: Services, loginId: number): Promise<() => Promise<void>> {
  const key = counterKey(services, `throttle:patient look-up:${loginId}`)
  return orUnavailable(services, AWAY, async () => {
    const { misses } = counters(services)
    const { taken, wait } = await countUse(misses, key)
    if (!taken) throw tooMany('You looked for too many patients who are not there.', wait)
    return async () => void (await orUnavailable(services, AWAY, () => misses.reward(key)))
  })
}
