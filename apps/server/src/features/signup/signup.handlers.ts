import { setTimeout as wait } from 'node:timers/promises'
import { type contract, type InputOf, Refusal } from '@pillar/contract'
import { countryNamed } from '@pillar/domain/company/pharmacy'
import {
  MARKETING_STATEMENT,
  PRIVACY_VERSION,
  REGISTERED,
  SIGNUP_LINK_DAYS,
  signupProblem,
} from '@pillar/domain/signup/signup'
import { softwareKey, softwareNeed } from '@pillar/domain/signup/signup-software'
import { oneLine } from '@pillar/domain/text/plain-text'
import { recordAudit } from '../../api/audit.ts'
import type { HandlersOf, Services } from '../../api/context.ts'
import { reasonOf } from '../../api/log.ts'
import { PlacesResting } from '../../gateways/places.ts'
import { requirePerson } from '../consent/person-check.ts'
import { findPlaces, otherStateProblem } from '../location/gazetteer.ts'
import { findLink, makeLink, redeemLink } from '../session/link.queries.ts'
import { findLogin } from '../session/login.queries.ts'
import { hashPassword, PASSWORD_COST, requireGoodPassword } from '../session/password.ts'
import { confirmSignup, keepSignup, type SignupText, unconfirmed } from './signup.queries.ts'
import { mailConfirmation, mailKnown, mailWaiting } from './signup-letters.ts'
import { countLetter, countLookUp, countSignup, countTry } from './signup-throttle.ts'

type Handlers = HandlersOf<typeof contract.signup>

/** Every answer takes this long, so that the time to write an email does not reveal who exists. */
const ANSWER_AFTER_MS = 500
const DEAD = 'This sign-up link has expired or been used. Please sign up again for a new one.'
const CREDITS = {
  gazetteer: 'Suburbs and postcodes from GeoNames (geonames.org), CC BY 4.0. Nothing you type leaves this site.',
  google: 'Addresses from Google. What you type in this field is sent to Google.',
} as const

const submit: Handlers['submit'] = async ({ captcha, ...given }, { services, address }) => {
  await countSignup(services, address)
  const text = checked(given)
  await requirePerson(services, captcha)
  await countLetter(services, text.email)
  const [, outcome] = await Promise.all([
    wait(ANSWER_AFTER_MS),
    register(services, text).then(
      () => null,
      (error: unknown) => ({ error }),
    ),
  ])
  if (outcome) throw outcome.error
  return { message: REGISTERED }
}

/** @throws Refusal invalid with one sentence that names everything missing or wrong */
function checked(given: Omit<InputOf<typeof contract.signup.submit>, 'captcha'>): SignupText {
  const { country_name, privacy_statement, city, sources, email_marketing, ...lines } = given
  const clean = Object.fromEntries(
    Object.entries(lines).map(([field, value]) => [field, oneLine(value)]),
  ) as typeof lines
  const draft = {
    ...clean,
    town: clean.town || oneLine(city),
    region: clean.region.toUpperCase(),
    ...{ sources, country_name, privacy_statement },
  }
  const problem = signupProblem(draft)
  if (problem !== '' || countryNamed(country_name) !== 'AU') throw new Refusal('invalid', problem)
  // Nobody could correct it later: support decides about a sign-up as it is.
  const elsewhere = otherStateProblem({ ...draft, country: 'AU' })
  if (elsewhere) throw new Refusal('invalid', elsewhere, { errors: { postcode: [elsewhere] } })
  const keys = [...new Set(sources.flatMap((one) => softwareKey(one) ?? []))]
  return {
    ...clean,
    ...{ town: draft.town, region: draft.region },
    job_title: clean.job_title || null,
    phone: clean.phone || null,
    sources: keys,
    asked_for: keys.filter((key) => softwareNeed(key) === 'not supported'),
    privacy_version: PRIVACY_VERSION,
    email_marketing,
    marketing_wording: MARKETING_STATEMENT,
  }
}

/** Stores a sign-up and writes its email, or writes the email that fits a known address; the same from outside. */
async function register(services: Services, text: SignupText): Promise<void> {
  const { pools, secret } = services
  await pools.system.transaction().execute(async (tx) => {
    const known = await findLogin(tx, text.email)
    if (known) return known.disabled_at ? undefined : mailKnown(tx, services, known.email)
    const now = services.now()
    const { id, waiting } = await keepSignup(tx, services.keys, text, now)
    if (waiting) return mailWaiting(tx, services, text.email)
    const link = { purpose: 'signup', subjectId: id, now, seconds: SIGNUP_LINK_DAYS * 86_400 } as const
    await mailConfirmation(tx, services, text.email, await makeLink(tx, secret, link))
  })
}

const page: Handlers['page'] = async (_input, { services }) => {
  const { PRODUCT_NAME, SUPPORT_PHONE, SUPPORT_EMAIL, ACCREDITATIONS, PRODUCT_LINKS } = services.env
  const source = services.places ? 'google' : 'gazetteer'
  return {
    ...{ product_name: PRODUCT_NAME, support_phone: SUPPORT_PHONE, support_email: SUPPORT_EMAIL },
    ...{ accreditations: ACCREDITATIONS, products: PRODUCT_LINKS },
    ...{ places: source, places_credit: CREDITS[source] },
  }
}

/** Checking a link does not use it: mail scanners open links too. */
const link: Handlers['link'] = async ({ signup_token }, { services, address }) => {
  const good = await countTry(services, address)
  const found = await opened(services, signup_token)
  await good()
  return { pharmacy_name: found.pharmacy_name, username: found.username }
}

/** The sign-up behind a working link. @throws Refusal not_found, the same for unknown, used and expired ones */
async function opened(services: Services, token: string) {
  const { pools, secret, keys } = services
  const id = await findLink(pools.system, secret, 'signup', token, services.now())
  const found = id === null ? undefined : await unconfirmed(pools.system, keys, id)
  if (!found) throw new Refusal('not_found', DEAD)
  return found
}

const confirm: Handlers['confirm'] = async (input, { services, address, from }) => {
  const { pools, secret } = services
  const good = await countTry(services, address)
  const owner = await opened(services, input.signup_token)
  await good()
  // A refused password must not use the link; hashing is slow, so it happens before the transaction.
  await requireGoodPassword(
    input.password,
    input.password_confirmation,
    { ...owner, company: owner.pharmacy_name },
    services,
  )
  const hash = await hashPassword(input.password, services.passwordCost ?? PASSWORD_COST)
  await pools.system.transaction().execute(async (tx) => {
    const now = services.now()
    const id = await redeemLink(tx, secret, 'signup', input.signup_token, now)
    if (id === null || !(await confirmSignup(tx, id, hash, now))) throw new Refusal('not_found', DEAD)
    await recordAudit(tx, { caller: null, from, action: 'signup.confirm', object: null, detail: { signup: id } })
  })
  return {
    message:
      'Your email address is confirmed. We check the details of your pharmacy and email you when your account is ready.',
  }
}

const places: Handlers['places'] = async ({ search_term, session }, { services, address }) => {
  await countLookUp(services, address)
  const term = oneLine(search_term)
  const { places: outside } = services
  if (outside && term.length >= 3) {
    try {
      const found = await outside.find(term, session ?? null)
      return { source: 'google', credit: CREDITS.google, data: found.map((one) => ({ ...one, address: null })) }
    } catch (error) {
      // A skipped look-up follows failures that were logged already.
      if (!(error instanceof PlacesResting))
        services.log.warn(
          { reason: reasonOf(error) },
          'addresses could not be looked up outside; places were shown instead',
        )
    }
  }
  const data = (term.length < 2 ? [] : findPlaces('AU', term)).map(({ town, region, postcode }) => ({
    label: `${town} ${region} ${postcode}`,
    place_id: null,
    address: { street_address: '', town, region, postcode },
  }))
  return { source: outside ? 'google' : 'gazetteer', credit: CREDITS[outside ? 'google' : 'gazetteer'], data }
}

const place: Handlers['place'] = async ({ place_id, session }, { services, address }) => {
  await countLookUp(services, address)
  const found = await services.places?.open(place_id, session ?? null).catch((error: unknown) => {
    services.log.warn({ reason: reasonOf(error) }, 'an address could not be looked up outside')
    return null
  })
  if (!found) throw new Refusal('not_found', 'This address was not found. Please type it in.')
  return found
}

export const signupHandlers: Handlers = { page, submit, link, confirm, places, place }
