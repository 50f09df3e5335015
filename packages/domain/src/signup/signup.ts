import { type LoginDraft, loginProblems } from '../access/user.ts'
import { countryNamed, isPhone, pharmacyProblems } from '../company/pharmacy.ts'
import { type Problem, problemSentence } from '../text/sentence.ts'
import { softwareKey } from './signup-software.ts'

/** States of a sign-up: its email address is unconfirmed, it waits for support's decision, it became an account, or it was rejected. */
export const SIGNUP_STATES = ['unconfirmed', 'waiting', 'approved', 'rejected'] as const
export type SignupState = (typeof SIGNUP_STATES)[number]

/** Days in which a sign-up's email address can be confirmed before the sign-up is deleted. Source: docs/legal/privacy.md, section 5. */
export const SIGNUP_LINK_DAYS = 7
/** Months a decided sign-up is kept. Source: as above. */
export const SIGNUP_MONTHS = 13
/** The version of the privacy policy a sign-up agrees to: docs/legal/privacy.md. A test keeps the two equal. */
export const PRIVACY_VERSION = '1.0'
/** The last day for which the Guild's access to sign-ups' data was stated, as an ISO day. Source: the specification. */
export const GUILD_ACCESS_UNTIL = '2023-07-01'

export const MARKETING_STATEMENT = 'Email me news about products for pharmacies. I can end this at any time.'
export const REGISTERED = 'Registration successful. Please check your email for further instructions.'

/** Whether a pharmacy signing up on this day, after the stated one, stays out of the Guild's figures until its owner asks to join. */
export const startsWithoutGuild = (day: string): boolean => day > GUILD_ACCESS_UNTIL

export interface SignupDraft extends LoginDraft {
  readonly job_title: string
  readonly phone: string
  readonly pharmacy_name: string
  readonly pharmacy_phone: string
  /** Keys or names of dispensing systems. */
  readonly sources: readonly string[]
  readonly street_address: string
  readonly town: string
  readonly region: string
  readonly postcode: string
  readonly country_name: string
  readonly privacy_statement: boolean
}
export type SignupField = keyof SignupDraft

/** What is missing or wrong in a sign-up, in the order of the form. */
export function signupProblems(draft: SignupDraft): Problem<SignupField>[] {
  const found: Problem<SignupField>[] = [...loginProblems(draft)].sort((a, b) => rank(a) - rank(b))
  const wrong = (field: SignupField, words: string) => found.push({ field, words })
  if (draft.phone.trim() !== '' && !isPhone(draft.phone)) wrong('phone', 'enter a valid phone number of yours')
  const place = pharmacyProblems({
    ...{ name: draft.pharmacy_name, country: 'AU', town: draft.town, region: draft.region, postcode: draft.postcode },
    ...{ phone_number: draft.pharmacy_phone, module_ids: [] },
  })
  const of = (field: string) => place.filter((one) => one.field === field)
  for (const { words } of of('name')) wrong('pharmacy_name', words)
  if (draft.pharmacy_phone.trim() === '') wrong('pharmacy_phone', 'enter the phone number of the pharmacy')
  for (const _ of of('phone_number')) wrong('pharmacy_phone', 'enter a valid phone number of the pharmacy')
  if (draft.sources.length === 0 || draft.sources.some((one) => softwareKey(one) === null))
    wrong('sources', 'select your dispensing software')
  if (draft.street_address.trim() === '') wrong('street_address', 'enter a street address')
  for (const field of ['town', 'region', 'postcode'] as const) for (const { words } of of(field)) wrong(field, words)
  if (countryNamed(draft.country_name) !== 'AU') wrong('country_name', 'enter an address in Australia')
  if (!draft.privacy_statement) wrong('privacy_statement', 'agree to the privacy statement')
  return found
}

const NAMES: readonly SignupField[] = ['first_name', 'last_name', 'email', 'username']
const rank = ({ field }: Problem<SignupField>) => NAMES.indexOf(field)

/** The same as one sentence; empty when nothing is missing or wrong. */
export const signupProblem = (draft: SignupDraft): string => problemSentence(signupProblems(draft))

/** Facts about a person who may be told that their dispensing software is now supported. */
export interface SoftwareWish {
  readonly state: SignupState
  /** Systems that were not supported when they signed up. */
  readonly asked_for: readonly string[]
  readonly supported_told_at: string | null
}

/** Why a person must not be told that their dispensing software is now supported, as one sentence; empty if they may be. */
export function tellProblem({ state, asked_for, supported_told_at }: SoftwareWish): string {
  if (asked_for.length === 0) return 'The dispensing software of this sign-up was supported from the start.'
  if (supported_told_at !== null)
    return 'This person has already been told that their dispensing software is supported.'
  if (state === 'unconfirmed') return 'The email address of this sign-up has not been confirmed yet.'
  if (state === 'rejected') return 'This sign-up was rejected.'
  return ''
}

/** Why support cannot decide about a sign-up, as one sentence; empty when it can. */
export function decideProblem(state: SignupState, act: 'approve' | 'reject'): string {
  if (state === 'approved') return 'This sign-up has already become an account.'
  if (state === 'rejected') return 'This sign-up has already been rejected.'
  if (state === 'unconfirmed' && act === 'approve')
    return 'The email address of this sign-up has not been confirmed yet. Ask the person to open the link in the email, or to sign up again for a new one.'
  return ''
}
