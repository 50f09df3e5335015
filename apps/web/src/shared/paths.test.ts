import { describe, expect, test } from 'vitest'
import { basePathOf, mayKeep, pathAfterLogin, withoutBase } from './paths.ts'

test.each([
  ['/financials', '', '/financials'],
  ['/en_gb/financials', '/en_gb', '/financials'],
  ['/en_us', '/en_us', '/'],
  ['/en_gbx/financials', '', '/en_gbx/financials'],
])('%s', (path, base, rest) => {
  expect(basePathOf(path)).toBe(base)
  expect(withoutBase(path)).toBe(rest)
})

test.each([
  ['/financials?period=2026Q3', true],
  ['/', true],
  ['/reset-password/secret', false],
  ['/consent/secret', false],
  ['/login', false],
  ['//elsewhere.example/financials', false],
  ['https://elsewhere.example', false],
  ['/nothing', false],
])('may %s be returned to: %s', (path, kept) => {
  expect(mayKeep(path)).toBe(kept)
})

describe('where a sign-in leads', () => {
  const analyst = { data_analytics: true }
  test('to the kept page with its filters, where the flags still allow it', () => {
    expect(pathAfterLogin('/financials?state=NSW', analyst, 'AU')).toBe('/financials?state=NSW')
    expect(pathAfterLogin('/s8management', analyst, 'AU')).toBe('/financials')
    expect(pathAfterLogin('/sixtydd', { sixty_day_signup: true, ecdr: true }, 'GB')).toBe('/s8management')
  })
  test('to the landing page without one', () => {
    expect(pathAfterLogin(null, { ecdr: true, sr_login: true }, 'AU')).toBe('/s8management')
  })
  test('never to a public page or out of the site', () => {
    expect(pathAfterLogin('/reset-password/x', analyst, 'AU')).toBe('/financials')
    expect(pathAfterLogin('//elsewhere.example', analyst, 'AU')).toBe('/financials')
  })
  test('nowhere for a login that opens nothing', () => {
    expect(pathAfterLogin('/financials', {}, 'AU')).toBeNull()
  })
})
