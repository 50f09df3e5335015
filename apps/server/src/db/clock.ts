import { sql } from 'kysely'
import { repeat } from '../api/repeat.ts'
import type { Database } from './database.ts'

/** How often the time is read from the database. */
const EVERY_MS = 60_000
/** A reading with a larger possible error is not used. */
const MOST_OFF_MS = 1_000
/** Readings vary with the round trip to the database; smaller differences do not move the clock. */
const JITTER_MS = 250
/** The database's clock has jumped if it is further ahead of the last reading than this. */
const JUMP_MS = 5_000
/** Beyond this, the machine's own clock is reported as wrong. */
export const SKEW_MS = 30_000

/**
 * The time by the database's clock. Several processes share sessions, links, leases and plans, so they must agree on the time, whatever the
 * clocks of their machines say. Between readings it follows this process's steady timer, which changes to the machine's clock do not move.
 */
export interface Clock {
  now: () => Date
  /** How far the machine's clock is ahead of the database's, in milliseconds; negative when behind. */
  skew: () => number
  /** Milliseconds since the database's time was last seen to jump ahead; Infinity if it never has. */
  steadyFor: () => number
  /** Reads the database's time at once: the steady timer of a machine that slept, or was paused, slept too. */
  read: () => Promise<void>
  stop: () => Promise<void>
}

interface Anchor {
  /** The database's time, in milliseconds since 1970, at this value of the steady timer. */
  time: number
  at: number
  /** Largest possible error of the reading. */
  within: number
}

/**
 * Opens the clock, and reads the database's time again every minute. @param warn called once if the machine's own clock is wrong. @throws
 * the database's errors
 */
export async function openClock(
  system: Database,
  { log, warn }: { log: Parameters<typeof repeat>[0]['log']; warn: (sentence: string) => void },
): Promise<Clock> {
  let anchor = await readClock(system)
  let warned = false
  const time = () => anchor.time + (performance.now() - anchor.at)
  const skew = () => Date.now() - time()
  let jumpedAt = Number.NEGATIVE_INFINITY
  const follow = async () => {
    const read = await readClock(system)
    const ahead = read.time + (performance.now() - read.at) - time()
    if (ahead - read.within > JUMP_MS) jumpedAt = performance.now()
    if (read.within <= MOST_OFF_MS && Math.abs(ahead) > JITTER_MS) anchor = read
    const wrong = Math.abs(skew()) > SKEW_MS
    if (wrong && !warned) warn(skewWords(skew()))
    warned = wrong
  }
  const stop = repeat({ log }, 'the time could not be read from the database', EVERY_MS, follow)
  const steadyFor = () => performance.now() - jumpedAt
  return { now: () => new Date(time()), skew, steadyFor, read: follow, stop }
}

/** One of two clocks further apart is wrong, and nobody knows which. */
const MOST_APART_MS = 3_600_000

/** The clocks of this machine and the database are too far apart: work that follows the time waits. */
export class TimeInDoubt extends Error {}

/**
 * Before work that a wrong time would do for good: texting people at night, ending a campaign, removing what is no longer kept.
 * @throws TimeInDoubt while the clocks of this machine and the database are more than an hour apart
 */
export function refuseDoubtfulTime({ clockSkew }: { clockSkew?: () => number }): void {
  if (Math.abs(clockSkew?.() ?? 0) <= MOST_APART_MS) return
  throw new TimeInDoubt(
    'The clocks of this machine and the database are more than an hour apart. Until they agree, this worker sends no messages and begins no night.',
  )
}

/** The warning for an operator whose machine's clock is off. */
export function skewWords(skewMs: number): string {
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  return (
    `This machine's clock is ${seconds} seconds ${skewMs > 0 ? 'ahead of' : 'behind'} the database's. Pillar goes by the database's. ` +
    'Set both by NTP: gateways and mail servers may refuse what carries a wrong time.'
  )
}

async function readClock(system: Database): Promise<Anchor> {
  const before = performance.now()
  const { rows } = await sql<{
    ms: number
  }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(system)
  const after = performance.now()
  return { time: rows[0]!.ms, at: (before + after) / 2, within: (after - before) / 2 }
}
