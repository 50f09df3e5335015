import { createHmac } from 'node:crypto'
import { Refusal } from '@pillar/contract'
import { CompiledQuery } from 'kysely'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '../db/database.ts'
import type { Services } from './context.ts'
import { reasonOf } from './log.ts'

/** What is counted under one prefix of the table `throttle`: `points` uses in `seconds`. */
type Limit = readonly [prefix: string, points: number, seconds: number]

/** Counters in PostgreSQL, shared by every instance; made once for each database, since each has a timer of its own. */
export function countersOf<K extends string>(limits: Readonly<Record<K, Limit>>) {
  const made = new WeakMap<Database, Record<K, RateLimiterPostgres>>()
  return ({ pools: { system } }: Pick<Services, 'pools'>): Record<K, RateLimiterPostgres> => {
    const known = made.get(system) ?? open(system, limits)
    made.set(system, known)
    return known
  }
}

function open<K extends string>(system: Database, limits: Readonly<Record<K, Limit>>) {
  const shared = { storeClient: storeOn(system), storeType: 'client', tableName: 'throttle', tableCreated: true }
  const counters = Object.entries<Limit>(limits).map(([name, [keyPrefix, points, duration]]) => [
    name,
    new RateLimiterPostgres({ ...shared, keyPrefix, points, duration }),
  ])
  return Object.fromEntries(counters) as Record<K, RateLimiterPostgres>
}

/**
 * The sign-in connections in the shape rate-limiter-flexible expects of a PostgreSQL client. The statements are the library's own;
 * its table, `throttle`, is made by the migration.
 */
const storeOn = (system: Database) => ({
  async query({ text, values }: { text: string; values: unknown[] }): Promise<{ rows: unknown[]; rowCount: number }> {
    const result = await system.executeQuery(CompiledQuery.raw(text, values))
    return { rows: result.rows, rowCount: Number(result.numAffectedRows ?? result.rows.length) }
  },
})

/** The key of what is counted in the table: a keyed hash, so that nobody reads names and addresses there. */
export const counterKey = ({ secret }: Pick<Services, 'secret'>, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url')

export interface Use {
  /** False: the limit was reached before. */
  taken: boolean
  /** Uses counted until now, this one too. */
  points: number
  /** Seconds until the next one; 0 when it was taken. */
  wait: number
}

/** Counts one use in a single statement, so that only as many as allowed of many at once get through. @param seconds in place of the counter's own */
export async function countUse(counter: RateLimiterPostgres, key: string, seconds?: number): Promise<Use> {
  try {
    const { consumedPoints } = await counter.consume(key, 1, seconds === undefined ? {} : { customDuration: seconds })
    return { taken: true, points: consumedPoints, wait: 0 }
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused
    return { taken: false, points: refused.consumedPoints, wait: Math.max(1, Math.ceil(refused.msBeforeNext / 1000)) }
  }
}

/** @param wait seconds @returns the refusal of one use too many, with its wait in minutes */
export function tooMany(why: string, wait: number): Refusal {
  const words = wait < 90 ? 'a minute' : `${Math.ceil(wait / 60)} minutes`
  return new Refusal('too_many', `${why} Please wait ${words}, then try again.`, { retryAfter: wait })
}

/** What cannot be counted stays shut. @param what the counters, for the log @throws Refusal unavailable with `message`, when they cannot be kept */
export async function orUnavailable<T>(
  { log }: Pick<Services, 'log'>,
  { what, message }: { what: string; message: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) throw error
    log.error({ reason: reasonOf(error) }, `the counters of ${what} cannot be kept`)
    throw new Refusal('unavailable', message, { retryAfter: 5 })
  }
}
