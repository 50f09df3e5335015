import type { Services } from '../../api/context.ts'
import { counterKey, countersOf, countUse, orUnavailable, tooMany } from '../../api/counter.ts'
import { networkOf } from '../../api/network.ts'

/** Sign-ups an hour from one network: a head office may sign up for several pharmacies. */
const NETWORK = 30
/** Emails an hour to one address, of any kind. */
const ADDRESS = 3
/** Emails an hour to everybody: a flood of made-up sign-ups must not fill the queue and the mail server. */
const ALL = 500
/** Look-ups of addresses in a quarter of an hour from one network: a form takes ten to thirty. */
const PLACES = 300
/** Dead links tried from one network in a quarter of an hour. */
const DEAD_LINKS = 100

const counters = countersOf({
  network: ['snet', NETWORK, 3600],
  address: ['sadr', ADDRESS, 3600],
  all: ['sall', ALL, 3600],
  places: ['splc', PLACES, 900],
  links: ['slnk', DEAD_LINKS, 900],
})
type Which = keyof ReturnType<typeof counters>
const AWAY = { what: 'sign-ups', message: 'Signing up is not possible at this moment. Please try again shortly.' }

const keyOf = (services: Services, which: Which, value: string) =>
  counterKey(services, `throttle:signup:${which}:${value}`)

/** @throws Refusal too_many with the wait, or unavailable */
const book = (services: Services, which: Which, value: string, why: string): Promise<void> =>
  orUnavailable(services, AWAY, async () => {
    const { taken, wait } = await countUse(counters(services)[which], keyOf(services, which, value))
    if (!taken) throw tooMany(why, wait)
  })

/** Counts one sign-up by its network, before anything is checked. @throws Refusal too_many or unavailable */
export function countSignup(services: Services, address: string): Promise<void> {
  return book(services, 'network', networkOf(address), 'Too many sign-ups came from your network.')
}

/**
 * Counts one email, by address and in total, in the same way for known and unknown addresses. Called after the check that a person sent it,
 * so that effortless requests lock nobody out.
 * @throws Refusal too_many or unavailable
 */
export async function countLetter(services: Services, email: string): Promise<void> {
  const words = 'We have just written to this address. Please look at your email first.'
  await book(services, 'address', email.toLowerCase(), words)
  await book(services, 'all', 'everyone', 'Too many people are signing up at this moment.')
}

/** Counts one look-up of addresses. @throws Refusal too_many or unavailable */
export function countLookUp(services: Services, address: string): Promise<void> {
  return book(services, 'places', networkOf(address), 'Too many addresses were looked up from your network.')
}

/** Counts one try at a link before it is looked up. @returns gives the try back; call it if the link was good */
export async function countTry(services: Services, address: string): Promise<() => Promise<void>> {
  const network = networkOf(address)
  await book(services, 'links', network, 'Too many links that do not work were opened from your network.')
  return async () => {
    await counters(services).links.reward(keyOf(services, 'links', network))
  }
}
