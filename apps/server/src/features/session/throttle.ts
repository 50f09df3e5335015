import { Refusal } from '@pillar/contract'
import { foldName } from '@pillar/domain/access/login-name'
import { attemptsRemaining, delayAfter, FREE_FAILURES, MAX_DELAY_SECONDS } from '@pillar/domain/access/throttle'
import { counted } from '@pillar/domain/text/sentence'
import type { RateLimiterPostgres } from 'rate-limiter-flexible'
import type { Services } from '../../api/context.ts'
import { counterKey, countersOf, countUse, orUnavailable } from '../../api/counter.ts'
import { networkOf } from '../../api/network.ts'

const DAY = 24 * 3600
/** A pharmacy group signs in from one address; a script on one address does not get far with this. */
const ADDRESS_FAILURES = 100
/** Failures by everyone in a minute: about half of the hash pool's capacity, so that honest people still get a turn. */
const ALL_FAILURES = 1000
const RESET_LINKS = 5
const RESET_ADDRESS = 60

const counters = countersOf({
  /** Attempts without a wait. */
  free: ['free', FREE_FAILURES - 1, DAY],
  /** Attempts after those; they decide the next wait. */
  late: ['late', 1_000_000, DAY],
  /** The turn: one attempt, then nobody until the wait is over, this long at most. */
  turn: ['turn', 1, MAX_DELAY_SECONDS],
  address: ['addr', ADDRESS_FAILURES, 900],
  all: ['all', ALL_FAILURES, 60],
  resetName: ['rname', RESET_LINKS, 3600],
  resetAddress: ['raddr', RESET_ADDRESS, 3600],
})
type Counters = ReturnType<typeof counters>
/** Without its counters sign-in stays closed: an attacker must not be able to disable the throttle by breaking it. */
const AWAY = { what: 'the throttle', message: 'Signing in is not possible at this moment. Please try again shortly.' }

const keyOf = (services: Services, kind: string, value: string) => counterKey(services, `throttle:${kind}:${value}`)
/** The counters an attempt uses: those of the login with the typed name, of the name itself if no login has it, or of a login's second factor. */
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
  /** The password was right: clears the failures and gives back the shared counts. */
  succeed: () => Promise<void>
}

/**
 * Counts one attempt before the password is checked, in the same way for existing and unknown logins. Counting first holds even under a
 * thousand attempts at once: the counters move in single statements, so only admitted attempts are hashed.
 * @throws Refusal too_many with the wait, or unavailable if the counters are (then nothing is checked)
 */
export function countAttempt(services: Services, who: Counted, address: string): Promise<Attempt> {
  return orUnavailable(services, AWAY, async () => {
    const all = counters(services)
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
        orUnavailable(services, AWAY, async () => {
          await forget(all, key)
          await Promise.all([all.address.reward(from), all.all.reward('everyone')])
        }),
    }
  })
}

const forget = (all: Counters, key: string) =>
  Promise.all([all.free.delete(key), all.late.delete(key), all.turn.delete(key)])

/** Clears the failures of a login after a reset link set a new password: the owner need not wait for other people's attempts. */
export function forgetFailures(services: Services, loginId: number): Promise<void> {
  return orUnavailable(services, AWAY, async () => {
    await forget(counters(services), countedKey(services, { loginId }))
  })
}

async function bookTurn(all: Counters, key: string): Promise<{ failures: number; undo: () => Promise<void> }> {
  const free = await countUse(all.free, key)
  if (free.taken) return { failures: free.points, undo: async () => void (await all.free.reward(key)) }
  const before = (await all.late.get(key))?.consumedPoints ?? 0
  const turn = await countUse(all.turn, key, delayAfter(FREE_FAILURES + before))
  if (!turn.taken) throw tooMany(turn.wait, '')
  await all.late.consume(key)
  return {
    failures: FREE_FAILURES + before,
    undo: async () => void (await Promise.all([all.late.reward(key), all.turn.delete(key)])),
  }
}

/**
 * Counts one reset email for a login, in the same way for unknown names: five an hour, so that nobody's mailbox is flooded.
 * @throws Refusal too_many or unavailable
 */
export function countReset(services: Services, who: Counted, address: string): Promise<void> {
  return orUnavailable(services, AWAY, async () => {
    const all = counters(services)
    const from = addressKey(services, address)
    await take(all.resetAddress, from, 'from your network', async () => {})
    await take(all.resetName, countedKey(services, who), 'for this name', async () => {})
  })
}

/**
 * Counts one dead mailed link. Links are looked up first, so that a working one is never refused for the failures of others on its network.
 * @throws Refusal too_many or unavailable
 */
export function countDeadLink(services: Services, address: string): Promise<void> {
  return orUnavailable(services, AWAY, () =>
    take(counters(services).address, addressKey(services, address), 'from your network', async () => {}),
  )
}

async function take(counter: RateLimiterPostgres, key: string, where: string, undo: () => Promise<void>) {
  const { taken, wait } = await countUse(counter, key)
  if (taken) return
  await undo()
  throw tooMany(wait, where)
}

function tooMany(seconds: number, where: string): Refusal {
  const wait =
    seconds < 60 ? counted(seconds, 'second', 'seconds') : counted(Math.ceil(seconds / 60), 'minute', 'minutes')
  const message = `Too many attempts${where && ` ${where}`}. Please wait ${wait}, then try again.`
  return new Refusal('too_many', message, { retryAfter: seconds })
}
