import { contract } from '@pillar/contract'
import { ROUTES } from '@pillar/domain/access/permission'
import { describe, expect, test } from 'vitest'
import { arrivedOf } from './arrived.ts'
import { solve } from './captcha-solver.ts'
import { PATIENT_PATHS, PATIENT_TITLES } from './patient-calls.ts'
import { patientPageOf } from './patient-route.ts'
import { mayLeave } from './person.ts'

test('paths match the contract, titles the domain', () => {
  const paths = Object.entries(contract.consent).map(([name, call]) => [name, call.path])
  const { form, submit, withdrawal, withdraw } = contract.trialConsent
  const trial = { trialForm: form.path, trialSubmit: submit.path, withdrawal: withdrawal.path, withdraw: withdraw.path }
  expect(PATIENT_PATHS).toEqual({ ...Object.fromEntries(paths), ...trial })
  for (const [name, title] of Object.entries(PATIENT_TITLES)) {
    expect(ROUTES.find((route) => route.path === `/${name}/{id}`)?.title).toBe(title)
  }
})

test.each([
  ['/consent/abc', { name: 'consent', token: 'abc' }],
  ['/en_gb/unsubscribe/1.2.x/', { name: 'unsubscribe', token: '1.2.x' }],
  ['/en_GB/consent/abc', { name: 'consent', token: 'abc' }],
  ['/u/AAAA_-Q', { name: 'unsubscribe', token: 'AAAA_-Q' }],
  ['/en_us/U/abc', { name: 'unsubscribe', token: 'abc' }],
  ['/u', null],
  ['/user/abc', null],
  ['/download-file/a%2Fb', { name: 'download-file', token: 'a/b' }],
  ['/clinicaltrial/abc', { name: 'clinicaltrial', token: 'abc' }],
  ['/en_us/clinicaltrial/abc/withdraw/', { name: 'withdraw', token: 'abc' }],
  ['/clinicaltrial/withdraw', { name: 'clinicaltrial', token: 'withdraw' }],
  ['/consent/abc/withdraw', null],
  ['/clinicaltrial/abc/other', null],
  ['/consent', null],
  ['/consent/a/b', null],
  ['/consent/%E0%A4%A', null],
  ['/financials', null],
])('%s', (path, page) => {
  expect(patientPageOf(path)).toEqual(page)
})

describe('the captcha', () => {
  const work = { algorithm: 'PBKDF2/SHA-256', cost: 10, keyLength: 32 }
  const parameters = { ...work, nonce: '00ff', salt: 'abcd', keyPrefix: '0', keySignature: '00', expiresAt: 0 }
  test('finds a counter whose key begins as required, and keeps the challenge unchanged', async () => {
    const challenge = { parameters, signature: 'ff' }
    const found = JSON.parse(atob(await solve(challenge)))
    expect(found.challenge).toEqual(challenge)
    expect(found.solution.derivedKey).toMatch(/^0[0-9a-f]{63}$/)
    const password = Uint8Array.of(0x00, 0xff, 0, 0, 0, found.solution.counter)
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
    const hash = { name: 'PBKDF2', hash: 'SHA-256', salt: Uint8Array.of(0xab, 0xcd), iterations: 10 }
    expect(Buffer.from(await crypto.subtle.deriveBits(hash, key, 256)).toString('hex')).toBe(found.solution.derivedKey)
  })
})

test('a check that cannot run keeps nobody from leaving', () => {
  const states = (['unchecked', 'checking', 'failed'] as const).map((state) => mayLeave({ state, solution: null }))
  expect([...states, mayLeave({ state: 'checked', solution: 'x' })]).toEqual([false, false, true, true])
})

test('of answers that were sent before and got no answer, the patient is told which count', () => {
  const yes = { health_outreach_sms_consent: true, health_outreach_email_consent: true }
  const asked = { ...yes, marketing_sms_consent: null, marketing_email_consent: null }
  const no = { ...asked, health_outreach_sms_consent: false }
  expect(arrivedOf([asked], asked)).toEqual({ answers: asked, late: false })
  expect(arrivedOf([asked, asked], no)).toEqual({ answers: asked, late: true })
  expect(arrivedOf([asked, no], no)).toEqual({ answers: null, late: true })
})
