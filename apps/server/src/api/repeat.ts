import { DatabaseAway } from '../db/away.ts'
import { rarely } from '../gateways/telemetry/rarely.ts'
import type { Services } from './context.ts'
import { reasonOf } from './log.ts'

/**
 * Runs `work` now and again and again, `everyMs` after it ended, at once when it says that there is more. A failure is logged under `what`,
 * each reason once a minute at most, and passes. @returns stops it, once what is in hand is done
 */
export function repeat(
  { log }: Pick<Services, 'log'>,
  what: string,
  everyMs: number,
  work: () => Promise<unknown>,
): () => Promise<void> {
  const failed = rarely((reason, times) => log.error({ reason, ...(times > 1 ? { times } : {}) }, what))
  let stopping = false
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> = Promise.resolve()
  const once = async () => {
    let more: unknown = false
    try {
      more = await work()
    } catch (error) {
      if (!stopping) failed(reasonOf(error))
    }
    if (!stopping) timer = setTimeout(next, more === true ? 0 : everyMs)
  }
  const next = () => {
    round = once()
  }
  next()
  return async () => {
    stopping = true
    clearTimeout(timer)
    await round
  }
}

/**
 * Does `work` at one pharmacy after another, whichever fails: it is logged under `what`. A database that is away ends it at once.
 * @returns what those that failed threw: the caller throws the first once all else is done, so that its job is tried again
 */
export async function atEach<P>(
  { log }: Pick<Services, 'log'>,
  what: string,
  places: readonly P[],
  locationOf: (place: P) => number,
  work: (place: P) => Promise<void>,
): Promise<unknown[]> {
  const failed: unknown[] = []
  for (const place of places) {
    try {
      await work(place)
    } catch (error) {
      if (error instanceof DatabaseAway) throw error
      log.error({ location: locationOf(place), reason: reasonOf(error) }, what)
      failed.push(error)
    }
  }
  return failed
}
