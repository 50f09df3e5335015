import { setImmediate as breathe } from 'node:timers/promises'
import { DatabaseAway } from '../db/away.ts'
import { rarely } from '../gateways/telemetry/rarely.ts'
import type { Services } from './context.ts'
import { reasonOf } from './log.ts'

/**
 * Runs `work` now, and again `everyMs` after it ends, or at once if it reports more to do. A failure is logged under `what`, each reason at
 * most once a minute, and the loop goes on. @returns stops it, once the current work is done
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
 * Does `work` for one pharmacy, company, country, report or letter after another; one that fails does not stop the rest. Failures are logged
 * under `what`, with the `nameOf` of the one that failed. If the database is away, it ends at once.
 * @returns the errors: the caller throws the first once everything else is done, so that its job is retried
 */
export async function atEach<P>(
  { log }: Pick<Services, 'log'>,
  what: string,
  each: readonly P[],
  nameOf: (one: P) => { location?: number | null; company?: number; country?: string; login?: number },
  work: (one: P) => Promise<void>,
): Promise<unknown[]> {
  const failed: unknown[] = []
  for (const one of each) {
    try {
      await work(one)
    } catch (error) {
      if (error instanceof DatabaseAway) throw error
      log.error({ ...nameOf(one), reason: reasonOf(error) }, what)
      failed.push(error)
    }
  }
  return failed
}

/** After this long, other requests of the portal get their turn. */
const TURN_MS = 8

/** Calls `work` for each number up to `count`, and lets others have their turn in between. */
export async function inTurns(count: number, work: (at: number) => void): Promise<void> {
  let turn = performance.now()
  for (let at = 0; at < count; at++) {
    work(at)
    if (performance.now() - turn < TURN_MS) continue
    await breathe()
    turn = performance.now()
  }
}
