import { Refusal } from '@pillar/contract'
import { counted } from '@pillar/domain/text/sentence'
import type { Services } from '../../../api/context.ts'
import { countersOf, countUse, orUnavailable } from '../../../api/counter.ts'

/** Acts a login may do this often per hour: each costs money or reaches a telephone. */
const LIMITS = {
  test: { points: 10, what: 'test messages' },
  draft: { points: 60, what: 'AI drafts' },
} as const
const counters = countersOf({
  test: ['hour-test', LIMITS.test.points, 3600],
  draft: ['hour-draft', LIMITS.draft.points, 3600],
})
const AWAY = { what: 'the hour', message: 'This is not possible at this moment. Please try again shortly.' }

/**
 * Counts one of a login's acts in this hour, over all servers.
 * @throws Refusal too_many with the wait, or unavailable if the counters cannot be stored
 */
export const countHourly = (services: Services, kind: keyof typeof LIMITS, loginId: number): Promise<void> =>
  orUnavailable(services, AWAY, async () => {
    const { taken, wait } = await countUse(counters(services)[kind], String(loginId))
    if (taken) return
    const { points, what } = LIMITS[kind]
    const minutes = counted(Math.ceil(wait / 60), 'minute', 'minutes')
    const message = `You have used your ${points} ${what} of this hour. Please try again in ${minutes}.`
    throw new Refusal('too_many', message, { retryAfter: wait })
  })
