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
  /** Limits nothing: with it every attempt makes as many writes. */
  even: ['even', 1_000_000, 60],
  address: ['addr', ADDRESS_FAILURES, 900],
  all: ['all', ALL_FAILURES, 60],
  resetName: ['rname', RESET_LINKS, 3600],
  resetAddress: ['raddr', RESET_ADDRESS, 3600],
})
type Counters = ReturnType<typeof counters>
/** Without its counters sign-in stays closed: an attacker must not be able to disable the throttle by breaking it. */
const AWAY = { what: 'the throttle', message: 'Signing in is not possible at this moment. Please try again shortly.' }

const keyOf = (services: Services, kind: string, value: string) => counterKey(services, `throttle:${kind}:${value}`)
/** What somebody typed to sign in or to get a reset link, and the login with that name or null. */
export interface Typed {
  name: string
  loginId: number | null
}
/** Whose attempts are counted: those at a typed name, also by a person who is signed in, or those at a login's second factor. */
export type Counted = Typed | { name: string; self: number } | { factorOf: number }

const loginKey = (services: Services, loginId: number) => keyOf(services, 'login', String(loginId))
const nameKey = (services: Services, name: string) => keyOf(services, 'name', foldName(name))
/**
 * A typed name has two counts. Answers show that of the name alone: if a username and an email address shared theirs, it would show that
 * they are one person's. The other, of the login, decides in silence; a name that nobody has is given one too, so that both take the
 * same steps. A signed-in person knows whose the login is, and is shown both.
 */
const silentKey = (services: Services, { name, loginId }: Typed) =>
  loginId === null ? keyOf(services, 'nobody', foldName(name)) : loginKey(services, loginId)
const addressKey = (services: Services, address: string) => keyOf(services, 'address', networkOf(address))

/** An admitted attempt. It counts as failed until marked as successful. */
export interface Attempt {
  /** Attempts left without a wait, as the answer to a wrong password shows them. */
  remaining: number
  /** Other names of the login have used up its attempts: the password must not be checked, and the answer is the one to a wrong password. */
  held: boolean
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
    const shown = shownKeys(services, who)
    const silent = 'loginId' in who ? silentKey(services, who) : null
    const from = addressKey(services, address)
    const booked: Booked[] = []
    const undo = async () => void (await Promise.all(booked.map((one) => one.undo())))
    for (const key of shown) booked.push(await bookTurn(all, key, undo))
    await take(all.address, from, 'from your network', undo)
    await take(all.all, 'everyone', 'at this moment', async () => {
      await undo()
      await all.address.reward(from)
    })
    const held = silent !== null && !(await bookInSilence(all, silent))
    return {
      remaining: attemptsRemaining(Math.max(...booked.map(({ failures }) => failures))),
      held,
      succeed: () =>
        orUnavailable(services, AWAY, async () => {
          await Promise.all([...shown, silent].map((one) => one && forget(all, one)))
          await Promise.all([all.address.reward(from), all.all.reward('everyone')])
        }),
    }
  })
}

const forget = (all: Counters, key: string) =>
  Promise.all([all.free.delete(key), all.late.delete(key), all.turn.delete(key)])

/** Clears the failures of a login after a reset link set a new password: the owner need not wait for other people's attempts. */
export function forgetFailures(
  services: Services,
  { id, username, email }: { id: number; username: string; email: string },
): Promise<void> {
  const keys = [loginKey(services, id), nameKey(services, username), nameKey(services, email)]
  return orUnavailable(services, AWAY, async () => {
    await Promise.all(keys.map((key) => forget(counters(services), key)))
  })
}

function shownKeys(services: Services, who: Counted): string[] {
  if ('factorOf' in who) return [keyOf(services, 'factor', String(who.factorOf))]
  return [nameKey(services, who.name), ...('self' in who ? [loginKey(services, who.self)] : [])]
}

interface Booked {
  failures: number
  undo: () => Promise<void>
}

/** @param otherwise what to undo if this turn must wait */
async function bookTurn(all: Counters, key: string, otherwise: () => Promise<void>): Promise<Booked> {
  const free = await countUse(all.free, key)
  if (free.taken) return { failures: free.points, undo: async () => void (await all.free.reward(key)) }
  const before = (await all.late.get(key))?.consumedPoints ?? 0
  const turn = await countUse(all.turn, key, delayAfter(FREE_FAILURES + before))
  if (!turn.taken) {
    await otherwise()
    throw tooMany(turn.wait, '')
  }
  await all.late.consume(key)
  return {
    failures: FREE_FAILURES + before,
    undo: async () => void (await Promise.all([all.late.reward(key), all.turn.delete(key)])),
  }
}

/** The wait of a login ends this much earlier than that of the name typed, which began a moment before it. */
const SOONER_SECONDS = 0.5

/** Books a turn of a login as `bookTurn` does, always with three writes: their time must not show how it ended. @returns false if it must wait */
async function bookInSilence(all: Counters, key: string): Promise<boolean> {
  const free = await countUse(all.free, key)
  const before = (await all.late.get(key))?.consumedPoints ?? 0
  const wait = delayAfter(FREE_FAILURES + before) - SOONER_SECONDS
  const turn = free.taken ? await countUse(all.even, key) : await countUse(all.turn, key, wait)
  const taken = free.taken || turn.taken
  await countUse(taken && !free.taken ? all.late : all.even, key)
  return taken
}

/**
 * Counts one reset email for a typed name and, in silence, for its login: five an hour, so that nobody's mailbox is flooded.
 * @returns false if other names of the login have used them up: nothing is sent then, and the answer is the same
 * @throws Refusal too_many or unavailable
 */
export function countReset(services: Services, typed: Typed, address: string): Promise<boolean> {
  return orUnavailable(services, AWAY, async () => {
    const all = counters(services)
    const from = addressKey(services, address)
    await take(all.resetAddress, from, 'from your network', async () => {})
    await take(all.resetName, nameKey(services, typed.name), 'for this name', async () => {})
    return (await countUse(all.resetName, silentKey(services, typed))).taken
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
