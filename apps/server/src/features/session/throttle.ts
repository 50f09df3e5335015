import { createHmac } from 'node:crypto'
import { Refusal } from '@pillar/contract'
import { foldName } from '@pillar/domain/access/login-name'
import { attemptsRemaining, delayAfter, FREE_FAILURES } from '@pillar/domain/access/throttle'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Services } from '../../api/context.ts'
import { networkOf } from '../../api/network.ts'
import type { Database } from '../../db/database.ts'
import { throttleStore } from './throttle.queries.ts'

const DAY = 24 * 3600
/** A pharmacy group signs in from one address; a script on one address does not get far with this. */
const ADDRESS_FAILURES = 100
/** Failures by everyone in a minute: about half of the hash pool's capacity, so that honest people still get a turn. */
const ALL_FAILURES = 1000
const RESET_LINKS = 5
const RESET_ADDRESS = 60

/** Counters in PostgreSQL, shared by every instance. */
function limitersOf(system: Database) {
  const storeClient = throttleStore(system)
  const made = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterPostgres({
      storeClient,
      storeType: 'client',
      tableName: 'throttle',
      tableCreated: true,
      keyPrefix,
      points,
      duration,
    })
  return {
    /** Attempts without a wait. */
    free: made('free', FREE_FAILURES - 1, DAY),
    /** Attempts after those; they decide the next wait. */
    late: made('late', 1_000_000, DAY),
    /** The turn: one attempt, then nobody until the wait is over. */
    turn: made('turn', 1, 1),
    address: made('addr', ADDRESS_FAILURES, 900),
    all: made('all', ALL_FAILURES, 60),
    resetName: made('rname', RESET_LINKS, 3600),
    resetAddress: made('raddr', RESET_ADDRESS, 3600),
  }
}
type Limiters = ReturnType<typeof limitersOf>

const made = new WeakMap<Database, Limiters>()

function limiters(services: Services): Limiters {
  const known = made.get(services.pools.system) ?? limitersOf(services.pools.system)
  made.set(services.pools.system, known)
  return known
}

/** Names and addresses are stored only as keyed hashes. */
function keyOf(services: Services, kind: string, value: string): string {
  return createHmac('sha256', services.secret).update(`throttle:${kind}:${value}`).digest('base64url')
}
/** The counters an attempt uses: those of the login the typed name belongs to, of the name itself when there is none, or of a login's second factor. */
export type Counted = { loginId: number } | { name: string } | { factorOf: number }
function countedKey(services: Services, who: Counted): string {
  if ('factorOf' in who) return keyOf(services, 'factor', String(who.factorOf))
  return 'loginId' in who ? keyOf(services, 'login', String(who.loginId)) : keyOf(services, 'name', foldName(who.name))
}
const addressKey = (services: Services, address: string) => keyOf(services, 'address', networkOf(address))

/** An admitted attempt. It counts as failed until marked as successful. */
export interface Attempt {
  /** Attempts left without a wait, as the answer to a wrong password shows them. */
  remaining: number
  /** The password was right: clear the failures and give back the shared counts. */
  succeed: () => Promise<void>
}

/**
 * Counts one attempt before the password is checked, the same for existing and unknown logins. Counting first
 * is what holds under a thousand attempts at once: the counters move in single statements, so only admitted attempts are hashed.
 * @throws Refusal too_many with the wait, or unavailable when the counters are unavailable (then nothing is checked)
 */
export function countAttempt(services: Services, who: Counted, address: string): Promise<Attempt> {
  return orUnavailable(services, async () => {
    const all = limiters(services)
    const key = countedKey(services, who)
    const from = addressKey(services, address)
    const booked = await bookTurn(all, key)
    await take(all.address, from, 'from your network', booked.undo)
    await take(all.all, 'everyone', 'at this moment', async () => {
      await booked.undo()
      await all.address.reward(from)
    })
    return {
      remaining: attemptsRemaining(booked.failures),
      succeed: () =>
        orUnavailable(services, async () => {
          await forget(all, key)
          await Promise.all([all.address.reward(from), all.all.reward('everyone')])
        }),
    }
  })
}

const forget = (all: Limiters, key: string) =>
  Promise.all([all.free.delete(key), all.late.delete(key), all.turn.delete(key)])

/** Clears the failures of a login after a reset link set a new password: the owner need not wait for other people's attempts. */
export function forgetFailures(services: Services, loginId: number): Promise<void> {
  return orUnavailable(services, async () => {
    await forget(limiters(services), countedKey(services, { loginId }))
  })
}

async function bookTurn(all: Limiters, key: string): Promise<{ failures: number; undo: () => Promise<void> }> {
  const free = await consume(all.free, key)
  if (free.taken) return { failures: free.points, undo: async () => void (await all.free.reward(key)) }
  const before = (await all.late.get(key))?.consumedPoints ?? 0
  const turn = await consume(all.turn, key, delayAfter(FREE_FAILURES + before))
  if (!turn.taken) throw tooMany(turn.waitSeconds, '')
  await all.late.consume(key)
  return {
    failures: FREE_FAILURES + before,
    undo: async () => void (await Promise.all([all.late.reward(key), all.turn.delete(key)])),
  }
}

/**
 * Counts one reset mail for a login, the same for unknown names: five an hour, so that nobody's mailbox is flooded.
 * @throws Refusal too_many or unavailable
 */
export function countReset(services: Services, who: Counted, address: string): Promise<void> {
  return orUnavailable(services, async () => {
    const all = limiters(services)
    const from = addressKey(services, address)
    await take(all.resetAddress, from, 'from your network', async () => {})
    await take(all.resetName, countedKey(services, who), 'for this name', async () => {})
  })
}

/** Counts one use of a mailed token. @returns a function to call when the token was valid */
export function countToken(services: Services, address: string): Promise<() => Promise<void>> {
  return orUnavailable(services, async () => {
    const all = limiters(services)
    const from = addressKey(services, address)
    await take(all.address, from, 'from your network', async () => {})
    return async () => void (await orUnavailable(services, () => all.address.reward(from)))
  })
}

async function take(limiter: RateLimiterPostgres, key: string, where: string, undo: () => Promise<void>) {
  const outcome = await consume(limiter, key)
  if (outcome.taken) return
  await undo()
  throw tooMany(outcome.waitSeconds, where)
}

async function consume(
  limiter: RateLimiterPostgres,
  key: string,
  seconds?: number,
): Promise<{ taken: boolean; points: number; waitSeconds: number }> {
  try {
    const result = await limiter.consume(key, 1, seconds === undefined ? {} : { customDuration: seconds })
    return { taken: true, points: result.consumedPoints, waitSeconds: 0 }
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused
    const waitSeconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
    return { taken: false, points: refused.consumedPoints, waitSeconds }
  }
}

function tooMany(seconds: number, where: string): Refusal {
  const wait = seconds < 60 ? plural(seconds, 'second') : plural(Math.ceil(seconds / 60), 'minute')
  const message = `Too many attempts${where && ` ${where}`}. Please wait ${wait}, then try again.`
  return new Refusal('too_many', message, { retryAfter: seconds })
}
const plural = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

/** Without its counters sign-in stays closed: an attacker must not be able to disable the throttle by breaking it. */
async function orUnavailable<T>(services: Services, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) throw error
    services.log.error({ reason: String(error) }, 'the counters of the throttle cannot be kept')
    throw new Refusal('unavailable', 'Signing in is not possible at this moment. Please try again shortly.', {
      retryAfter: 5,
    })
  }
}
