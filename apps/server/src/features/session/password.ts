import { randomBytes } from 'node:crypto'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { Refusal } from '@pillar/contract'
import { comparable, normalised, refuseConfirmation, refusePassword } from '@pillar/domain/access/password'
import type { PasswordCost, Services } from '../../api/context.ts'
import { isCommon } from './common-passwords.ts'

/** 64 MiB and three passes, well above OWASP's floor of 19 MiB and two. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 65_536, timeCost: 3 }

/** More at once would slow each one down, and use 64 MiB each. */
const AT_ONCE = 2
/** With more than this many waiting, an answer would miss the request's deadline. */
const MOST_WAITING = 150
/** So would one that has waited longer than this, on a slow or busy machine: hashing for it would only make the others wait too. */
const LONGEST_WAIT_MS = 6_000

let running = 0
const waiting: (() => void)[] = []

const tooBusy = () =>
  new Refusal('unavailable', 'Too many people are signing in at this moment. Please try again.', { retryAfter: 5 })

/** Runs `work` when a slot is free. Refuses with `unavailable` if the queue is too long, or took too long. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  if (running >= AT_ONCE) {
    if (waiting.length >= MOST_WAITING) throw tooBusy()
    // The slot is handed over, not freed, so that no newcomer takes it.
    await new Promise<void>((go) => waiting.push(go))
  } else running++
  try {
    if (performance.now() - began > LONGEST_WAIT_MS) throw tooBusy()
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

/** The argon2id hash of a password, with its parameters and salt inside (PHC string). */
export function hashPassword(password: string, cost: PasswordCost = PASSWORD_COST): Promise<string> {
  // 2 is Algorithm.Argon2id; the package exports it as a const enum, which a type-stripped program cannot read.
  return inTurn(() => hash(normalised(password), { ...cost, parallelism: 1, algorithm: 2 }))
}

const dummies = new Map<string, Promise<string>>()

/** A hash that no password matches, at the same cost, so that an unknown name takes as long as a known one. */
function dummyHash(cost: PasswordCost): Promise<string> {
  const key = `${cost.memoryCost}/${cost.timeCost}`
  const known = dummies.get(key)
  if (known) return known
  const made = hashPassword(randomBytes(32).toString('base64url'), cost)
  dummies.set(key, made)
  made.catch(() => dummies.delete(key))
  return made
}

/**
 * Whether the password matches the stored hash; a null `stored` means an unknown name, which costs the same and never matches. `stale`
 * means that the hash has weaker parameters and should be replaced now while the password is known.
 */
export async function checkPassword(
  stored: string | null,
  password: string,
  cost: PasswordCost = PASSWORD_COST,
): Promise<{ fits: boolean; stale: boolean }> {
  // Computed for every name, known or not, so that the first sign-in after a start reveals nothing.
  const dummy = await dummyHash(cost)
  const fits = await inTurn(() => verify(stored ?? dummy, normalised(password)))
  if (!fits || stored === null) return { fits: false, stale: false }
  const made = parseOptions(stored)
  return { fits, stale: made.memoryCost < cost.memoryCost || made.timeCost < cost.timeCost }
}

/** Words anyone would guess for this person here. */
interface PasswordOwner {
  username: string
  email: string
  first_name: string
  last_name: string
  company: string
}

/**
 * Refuses a new password that is not allowed with `invalid` and the field's sentence. Local rules come first; only then the breach list is
 * queried, if configured. Null skips it, if the person must choose another password anyway.
 */
export async function requireGoodPassword(
  password: string,
  confirmation: string,
  owner: PasswordOwner,
  { env, breaches }: Pick<Services, 'env'> & { breaches: Services['breaches'] | null },
): Promise<void> {
  const different = refuseConfirmation(password, confirmation)
  if (different) throw new Refusal('invalid', different, { errors: { password_confirmation: [different] } })
  const [mailbox = '', host = ''] = owner.email.split('@')
  const words = ['pillar', env.PRODUCT_NAME, owner.username, owner.email, mailbox, host.split('.')[0] ?? '']
  const named = [owner.first_name, owner.last_name, ...owner.company.split(/\s+/)]
  const productWords = [...words, ...named, 'pharmacy', 'password']
  const refuse = (listed: boolean) =>
    refusePassword(password, { refused: new Set(listed ? [comparable(password)] : []), productWords })
  const reason = refuse(isCommon(password)) ?? refuse((await breaches?.hold(normalised(password))) ?? false)
  if (reason) throw new Refusal('invalid', reason, { errors: { password: [reason] } })
}
