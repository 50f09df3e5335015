import { createHmac } from 'node:crypto'
import { Refusal } from '@pillar/contract'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Services } from '../../api/context.ts'
import { reasonOf } from '../../api/log.ts'
import { networkOf } from '../../api/network.ts'
import type { Database } from '../../db/database.ts'
import { throttleStore } from '../session/throttle.queries.ts'

/** Sign-ups an hour from one network: a head office may sign up for several pharmacies. */
const NETWORK = 30
/** Letters an hour to one address, whatever they say. */
const ADDRESS = 3
/** Sign-ups an hour from everywhere: a flood of made-up ones must not fill the queue and the mail server. */
const ALL = 500
/** Look-ups of addresses in a quarter of an hour from one network: a form takes ten to thirty. */
const PLACES = 300
/** Links that do not work, tried from one network in a quarter of an hour. */
const DEAD_LINKS = 100

function limitersOf(system: Database) {
  const storeClient = throttleStore(system)
  const made = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterPostgres({
      ...{ storeClient, storeType: 'client', tableName: 'throttle', tableCreated: true },
      ...{ keyPrefix, points, duration },
    })
  return {
    network: made('snet', NETWORK, 3600),
    address: made('sadr', ADDRESS, 3600),
    all: made('sall', ALL, 3600),
    places: made('splc', PLACES, 900),
    links: made('slnk', DEAD_LINKS, 900),
  }
}
const made = new WeakMap<Database, ReturnType<typeof limitersOf>>()

function limiters({ pools }: Services) {
  const known = made.get(pools.system) ?? limitersOf(pools.system)
  made.set(pools.system, known)
  return known
}

type Which = keyof ReturnType<typeof limitersOf>

const keyOf = ({ secret }: Services, which: Which, value: string) =>
  createHmac('sha256', secret).update(`throttle:signup:${which}:${value}`).digest('base64url')

/** Books one use. @throws Refusal too_many with the wait, or unavailable: what cannot be counted stays shut */
async function book(services: Services, which: Which, value: string, message: string): Promise<void> {
  try {
    await limiters(services)[which].consume(keyOf(services, which, value))
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw unavailable(services, refused)
    const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
    const wait = seconds < 90 ? 'a minute' : `${Math.ceil(seconds / 60)} minutes`
    throw new Refusal('too_many', `${message} Please wait ${wait}, then try again.`, { retryAfter: seconds })
  }
}

function unavailable(services: Services, error: unknown): Refusal {
  services.log.error({ reason: reasonOf(error) }, 'the counters of sign-ups cannot be kept')
  return new Refusal('unavailable', 'Signing up is not possible at this moment. Please try again shortly.', {
    retryAfter: 5,
  })
}

/** Counts one sign-up by its network and over all, before anything is checked. @throws Refusal too_many or unavailable */
export async function countSignup(services: Services, address: string): Promise<void> {
  await book(services, 'network', networkOf(address), 'Too many sign-ups came from your network.')
  await book(services, 'all', 'everyone', 'Too many people are signing up at this moment.')
}

/** Counts one letter to an address, the same for known and unknown ones. @throws Refusal too_many or unavailable */
export function countLetter(services: Services, email: string): Promise<void> {
  return book(
    services,
    'address',
    email.toLowerCase(),
    'We have just written to this address. Please look at your email first.',
  )
}

/** Counts one look-up of addresses. @throws Refusal too_many or unavailable */
export function countLookUp(services: Services, address: string): Promise<void> {
  return book(services, 'places', networkOf(address), 'Too many addresses were looked up from your network.')
}

/** Books one try at a link before it is looked up. @returns what to call when the link was good: the try is given back */
export async function countTry(services: Services, address: string): Promise<() => Promise<void>> {
  const network = networkOf(address)
  await book(services, 'links', network, 'Too many links that do not work were opened from your network.')
  return async () => {
    await limiters(services).links.reward(keyOf(services, 'links', network))
  }
}
