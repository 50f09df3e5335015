import { readFileSync } from 'node:fs'
import { expect, it, test } from 'vitest'
import { DISPENSING_SYSTEMS } from '../upload/data-source.ts'
import {
  decideProblem,
  PRIVACY_VERSION,
  SIGNUP_STATES,
  type SignupDraft,
  signupProblem,
  signupProblems,
  startsWithoutGuild,
  tellProblem,
} from './signup.ts'
import { softwareKey, softwareNeed, softwareWarning } from './signup-software.ts'

const GOOD: SignupDraft = {
  username: 'jo.marsh',
  email: 'jo@saltbush.example',
  first_name: 'Jo',
  last_name: 'Marsh',
  job_title: '',
  phone: '',
  pharmacy_name: 'Saltbush Pharmacy',
  pharmacy_phone: '03 5550 1234',
  sources: ['fred'],
  street_address: '12 Sturt Street',
  town: 'Ballarat',
  region: 'VIC',
  postcode: '3350',
  country_name: 'Australia',
  privacy_statement: true,
}
const EMPTY: SignupDraft = {
  ...{ username: '', email: '', first_name: '', last_name: '', job_title: '', phone: '', pharmacy_name: '' },
  ...{ pharmacy_phone: '', sources: [], street_address: '', town: '', region: '', postcode: '', country_name: '' },
  privacy_statement: false,
}

it('a sign-up may leave its optional fields empty', () => {
  expect(signupProblem(GOOD)).toBe('')
})

it('a sign-up names everything that is missing in one sentence, in the order of the form', () => {
  expect(signupProblem(EMPTY)).toBe(
    'Please enter a first name, enter a last name, enter an email address, enter a username, enter a pharmacy name, enter the phone number of the pharmacy, select your dispensing software, enter a street address, enter a suburb, select a state, enter a postcode of four digits, enter an address in Australia, and agree to the privacy statement.',
  )
})

test.each([
  ['email', 'x'],
  ['username', 'somebody@else.example'],
  ['phone', 'call me'],
  ['pharmacy_phone', '12'],
  ['sources', ['fred', 'abacus']],
  ['region', 'Vic'],
  ['postcode', '335O'],
  ['postcode', '33500'],
  ['country_name', 'New Zealand'],
  ['privacy_statement', false],
] as const)('refuses %s "%s" and nothing else', (field, value) => {
  expect(signupProblems({ ...GOOD, [field]: value }).map((one) => one.field)).toEqual([field])
})

it('dispensing systems are known by key and by name', () => {
  for (const { key, name } of DISPENSING_SYSTEMS) {
    expect([softwareKey(key), softwareKey(` ${name.toUpperCase()}`)]).toEqual([key, key])
  }
  expect([softwareKey('strong er'), softwareKey('')]).toEqual([null, null])
})

it('one system that needs a form and one that is not supported give a warning, and no others', () => {
  const needs = DISPENSING_SYSTEMS.map(({ key }) => softwareNeed(key)).filter((need) => need !== 'nothing')
  expect(needs.sort()).toEqual(['access form', 'not supported'])
  for (const { key } of DISPENSING_SYSTEMS) {
    expect(softwareWarning(key) === '').toBe(softwareNeed(key) === 'nothing')
  }
  expect(softwareWarning('minfos')).toContain('sensitive-data access form')
  expect(softwareWarning('corumclear')).toContain('we will email you')
})

it('a sign-up is decided once, and becomes an account only after its address was confirmed', () => {
  const can = (act: 'approve' | 'reject') => SIGNUP_STATES.filter((state) => decideProblem(state, act) === '')
  expect([can('approve'), can('reject')]).toEqual([['waiting'], ['unconfirmed', 'waiting']])
})

it('a person is told once that their software is supported, if the address is confirmed and they were not rejected', () => {
  const wish = { asked_for: ['Dispensary 9'], supported_told_at: null }
  const can = SIGNUP_STATES.filter((state) => tellProblem({ ...wish, state }) === '')
  expect(can).toEqual(['waiting', 'approved'])
  expect(tellProblem({ ...wish, state: 'waiting', asked_for: [] })).toContain('from the start')
  expect(tellProblem({ ...wish, state: 'waiting', supported_told_at: '2026-11-20' })).toContain('already been told')
})

it('a pharmacy starts without the Guild after the day its access was stated for', () => {
  expect([startsWithoutGuild('2023-07-01'), startsWithoutGuild('2023-07-02')]).toEqual([false, true])
})

it('a sign-up agrees to the privacy policy that is served', () => {
  expect(readFileSync('docs/legal/privacy.md', 'utf8')).toContain(`\nVersion ${PRIVACY_VERSION}, `)
})
