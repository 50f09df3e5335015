import { createHmac } from 'node:crypto'
import { Refusal } from '@pillar/contract'
import { CompiledQuery } from 'kysely'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '../db/database.ts'
import type { Services } from './context.ts'
import { reasonOf } from './log.ts'

/** A limit under one prefix of the table `throttle`: `points` uses in `seconds`. */
type Limit = readonly [prefix: string, points: number, seconds: number]

type Store = Pick<Services, 'pools' | 'now'>

/** Counters in PostgreSQL, shared by every process. Made once for each database, because each has its own timer. */
export function countersOf<K extends string>(limits: Readonly<Record<K, Limit>>) {
  const made = new WeakMap<Database, Record<K, RateLimiterPostgres>>()
  return (services: Store): Record<K, RateLimiterPostgres> => {
    const { system } = services.pools
    const known = made.get(system) ?? open(services, limits)
    made.set(system, known)
    return known
  }
}

function open<K extends string>(services: Store, limits: Readonly<Record<K, Limit>>) {
  const shared = { storeClient: storeOn(services), storeType: 'client', tableName: 'throttle', tableCreated: true }
  const counters = Object.entries<Limit>(limits).map(([name, [keyPrefix, points, duration]]) => [
    name,
    new RateLimiterPostgres({ ...shared, keyPrefix, points, duration }),
  ])
  return Object.fromEntries(counters) as Record<K, RateLimiterPostgres>
}

/** Every number above this is a time, in milliseconds since 1970: no counter counts as far. */
const LEAST_TIME = 1e12

interface Counted {
  expire: number | null
}

/**
 * Exposes the sign-in connections as the PostgreSQL client rate-limiter-flexible expects. The statements are the library's own; the
 * migration creates its table, `throttle`. The library goes by this machine's clock: the times it stores and reads are changed into the
 * database's, which all processes share.
 */
const storeOn = (services: Store) => ({
  async query({ text, values }: { text: string; values: unknown[] }): Promise<{ rows: unknown[]; rowCount: number }> {
    const ahead = Date.now() - services.now().getTime()
    const given = values.map((value) => (typeof value === 'number' && value > LEAST_TIME ? value - ahead : value))
    const result = await services.pools.system.executeQuery<Counted>(CompiledQuery.raw(text, given))
    const rows = result.rows.map((row) => (row.expire === null ? row : { ...row, expire: row.expire + ahead }))
    return { rows, rowCount: Number(result.numAffectedRows ?? result.rows.length) }
  },
})

/** The database key of a counter: a keyed hash, so that the table reveals no names or addresses. */
export const counterKey = ({ secret }: Pick<Services, 'secret'>, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url')

export interface Use {
  /** False if the limit had already been reached. */
  taken: boolean
  /** Uses counted so far, including this one. */
  points: number
  /** Seconds until the next use is allowed; 0 if this one was. */
  wait: number
}

/** How much longer than its own a counter's wait may seem, by readings of the clock that differ. */
const READINGS_SECONDS = 2

/**
 * Counts one use in a single statement, so that concurrent uses cannot exceed the limit. A wait longer than any of this counter was written
 * while the database's clock was wrong, before it was set back: the counter then begins anew.
 * @param seconds overrides the counter's own, and is no longer
 */
export async function countUse(counter: RateLimiterPostgres, key: string, seconds?: number): Promise<Use> {
  const use = await countOnce(counter, key, seconds)
  if (use.wait <= counter.duration + READINGS_SECONDS) return use
  await counter.delete(key)
  return countOnce(counter, key, seconds)
}

/** Counts one use and leaves the wait as it is, however long: for what may be used only once. @param seconds overrides the counter's own */
export async function countOnce(counter: RateLimiterPostgres, key: string, seconds?: number): Promise<Use> {
  try {
    const { consumedPoints } = await counter.consume(key, 1, seconds === undefined ? {} : { customDuration: seconds })
    return { taken: true, points: consumedPoints, wait: 0 }
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused
    return { taken: false, points: refused.consumedPoints, wait: Math.max(1, Math.ceil(refused.msBeforeNext / 1000)) }
  }
}

/** @param wait seconds @returns the refusal for one use too many, with the wait in minutes */
export function tooMany(why: string, wait: number): Refusal {
  const words = wait < 90 ? 'a minute' : `${Math.ceil(wait / 60)} minutes`
  return new Refusal('too_many', `${why} Please wait ${words}, then try again.`, { retryAfter: wait })
}

/**
 * Fails closed when a use cannot be counted. @param what the counters, for the log @throws Refusal unavailable with `message`, when the
 * counters cannot be stored
 */
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
