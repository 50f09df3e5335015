import type { Services } from '../../api/context.ts'
import { counterKey, countersOf, countUse, orUnavailable, tooMany } from '../../api/counter.ts'
import { networkOf } from '../../api/network.ts'

/** Answers per session in a quarter of an hour: looking at every drug type takes fifteen per board. */
export const READS = 300
/** Useless tokens tried from one network in the same time. A board left open after signing out tries a few. */
export const DEAD_TOKENS = 200
const WINDOW_SECONDS = 900
const counters = countersOf({ reads: ['bred', READS, WINDOW_SECONDS], dead: ['bded', DEAD_TOKENS, WINDOW_SECONDS] })
const AWAY = { what: 'boards', message: 'The board cannot be shown at this moment. Please try again shortly.' }

/** @throws Refusal too_many with the wait, or unavailable */
const book = (services: Services, which: 'reads' | 'dead', value: string, why: string): Promise<void> =>
  orUnavailable(services, AWAY, async () => {
    const key = counterKey(services, `throttle:board:${which}:${value}`)
    const { taken, wait } = await countUse(counters(services)[which], key)
    if (!taken) throw tooMany(why, wait)
  })

/** Counts one answer to a session with a good token, before any figure is read. @throws Refusal too_many or unavailable */
export const countRead = (services: Services, sessionId: string): Promise<void> =>
  book(services, 'reads', sessionId, 'This board was opened too often.')

/** Counts a token that opens nothing, by its network. @throws Refusal too_many or unavailable */
export const countDeadToken = (services: Services, address: string): Promise<void> =>
  book(services, 'dead', networkOf(address), 'Too many requests with an ended access came from your network.')
