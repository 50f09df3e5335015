import { contract } from '@pillar/contract'
import { describe, expect, test } from 'vitest'
import { linkedParts } from '../shared/linked-parts.ts'
import { RefusedError, refusedFrom } from '../shared/refused.ts'
import { PUBLIC_PATHS } from './calls.ts'
import { websiteLink, websiteText } from './contacts.ts'
import { publicPageOf } from './route.ts'
import { isUnanswered, loginRefusal, newPasswordRefusal } from './sign-in/login-errors.ts'

test('the paths of public pages match the contract', () => {
  expect(PUBLIC_PATHS).toEqual({
    login: contract.session.login.path,
    requestReset: contract.session.requestReset.path,
    checkReset: contract.session.checkReset.path,
    reset: contract.session.reset.path,
    refresh: contract.session.refresh.path,
    logout: contract.session.logout.path,
    changePassword: contract.session.changePassword.path,
    confirm: contract.session.confirm.path,
    factorStatus: contract.secondFactor.status.path,
    factorChallenge: contract.secondFactor.challenge.path,
    factorVerify: contract.secondFactor.verify.path,
    startApp: contract.secondFactor.startApp.path,
    confirmApp: contract.secondFactor.confirmApp.path,
    startPasskey: contract.secondFactor.startPasskey.path,
    confirmPasskey: contract.secondFactor.confirmPasskey.path,
    removeApp: contract.secondFactor.removeApp.path,
    recoveryCodes: contract.secondFactor.newRecoveryCodes.path,
    forgetBrowsers: contract.secondFactor.forgetBrowsers.path,
    portalInfo: contract.portal.info.path,
    outbox: contract.mail.list.path,
  })
})

test.each([
  ['/login', { name: 'login' }],
  ['/en_gb/login/', { name: 'login' }],
  ['/outbox', { name: 'outbox' }],
  ['/change-password', { name: 'change' }],
  ['/en_gb/change-password/', { name: 'change' }],
  ['/second-factor', { name: 'factor' }],
  ['/reset-password/a%2Fb', { name: 'reset', token: 'a/b' }],
  ['/en_us/reset-password/abc', { name: 'reset', token: 'abc' }],
  ['/reset-password', { name: 'none' }],
  ['/reset-password/a/b', { name: 'none' }],
  ['/reset-password/%E0%A4%A', { name: 'none' }],
  ['/consent/x', { name: 'none' }],
])('%s', (path, page) => {
  expect(publicPageOf(path)).toEqual(page)
})

describe('a refusal on the login form', () => {
  const refusal = (left: string) =>
    refusedFrom(
      403,
      JSON.stringify({ message: 'Incorrect username or password.', errors: { attempts_remaining: [left] } }),
    )
  test('shows the message and the attempts left', () => {
    expect(loginRefusal(refusal('4'))).toEqual({
      message: 'Incorrect username or password.',
      attempts: '4 attempts remaining',
    })
    expect(loginRefusal(refusal('1')).attempts).toBe('1 attempt remaining')
    expect(loginRefusal(refusal('0')).attempts).toBe('0 attempts remaining')
  })
  test('shows no attempts if the server names none, and the fixed words if it sends none', () => {
    expect(loginRefusal(new RefusedError(429, 'Please wait 4 seconds.'))).toEqual({
      message: 'Please wait 4 seconds.',
      attempts: null,
    })
    expect(loginRefusal(new RefusedError(403, '')).message).toBe('Incorrect username or password.')
  })
})

describe('a new password that was not accepted', () => {
  const wrong = new RefusedError(403, 'The current password is not right.', { code: 'wrong_password' })
  const none = new RefusedError(0, 'The server did not answer. Check your connection and try again.')
  test('shows the server’s sentence', () => {
    expect(newPasswordRefusal(wrong, false)).toBe('The current password is not right.')
    const busy = new RefusedError(503, 'Too many sign-ins at once. Nothing was changed.', { code: 'unavailable' })
    expect([newPasswordRefusal(busy, false), isUnanswered(busy)]).toEqual([busy.message, false])
  })
  test('may have been accepted if no answer came, which later refusals say too', () => {
    expect(isUnanswered(none)).toBe(true)
    expect(newPasswordRefusal(none, false)).toContain('may or may not have been changed')
    expect(newPasswordRefusal(wrong, true)).toMatch(
      /^The current password is not right\. .* try to sign in with the new one\.$/,
    )
    const used = new RefusedError(404, 'This link has been used.', { code: 'not_found' })
    expect(newPasswordRefusal(none, false, 'confirmed')).toContain('may or may not have been confirmed')
    expect(newPasswordRefusal(used, true, 'confirmed')).toMatch(/^This link has been used\. .* nothing more to do/)
  })
})

test('contact links', () => {
  expect(websiteText('https://pillar.example/')).toBe('pillar.example')
  expect(websiteLink('pillar.example')).toBe('https://pillar.example')
  expect(websiteLink('javascript:alert(1)')).toBe('https://javascript:alert(1)')
})

test('a letter’s addresses become links, but not the full stop, and nothing is lost', () => {
  const text = 'Open https://x.example/reset-password/abc.\nOr (http://y.example) not javascript:alert(1)'
  const parts = linkedParts(text)
  expect(parts.map((part) => part.text).join('')).toBe(text)
  expect(parts.flatMap((part) => part.href ?? [])).toEqual(['https://x.example/reset-password/abc', 'http://y.example'])
})
