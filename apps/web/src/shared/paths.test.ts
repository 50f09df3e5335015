import { afterEach, describe, expect, test, vi } from 'vitest'
import { addressAfter } from '../public/sign-in/after-sign-in.ts'
import { basePathOf, keepPath, keepWanted, mayKeep, pathAfterLogin, takeWanted, withoutBase } from './paths.ts'

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
  ['//', false],
  ['//?next=/financials', false],
  ['/\\elsewhere.example', false],
  ['/financials\\@elsewhere.example', false],
  ['/\t/elsewhere.example', false],
  ['javascript:alert(1)', false],
  ['financials', false],
  ['/campaigns?back=https://elsewhere.example', true],
])('may %s be returned to: %s', (path, kept) => {
  expect(mayKeep(path)).toBe(kept)
})

describe('after signing in, a person goes', () => {
  const analyst = { data_analytics: true }
  test('to the stored page with its filters, if the flags still allow it', () => {
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
  test('nowhere with a login that opens nothing', () => {
    expect(pathAfterLogin('/financials', {}, 'AU')).toBeNull()
  })
})

describe('a pasted link', () => {
  const person = { username: 'ada', must_change_password: false, data_analytics: true }
  const at = (country: string) => ({ ...person, company: { country } }) as unknown as Parameters<typeof addressAfter>[0]
  const address = (href: string) => new URL(href, 'https://pillar.example') as unknown as Location
  const store = () => {
    const kept = new Map<string, string>()
    return {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    }
  }
  const open = () => {
    vi.stubGlobal('sessionStorage', store())
    vi.stubGlobal('localStorage', store())
  }
  afterEach(() => vi.unstubAllGlobals())

  test.each([
    ['/campaigns?period=2026Q3&search=flu', 'AU', '/campaigns?period=2026Q3&search=flu'],
    ['/en_gb/campaigns?campaign=1#top', 'GB', '/en_gb/campaigns?campaign=1#top'],
    ['/campaigns', 'GB', '/en_gb/campaigns'],
    ['/en_us/financials', 'AU', '/financials'],
  ])('%s is opened after the sign-in of somebody in %s', (href, country, expected) => {
    open()
    keepWanted(address(href))
    expect(addressAfter(at(country))).toBe(expected)
    // Only once: the next sign-in in this tab starts afresh.
    expect(addressAfter(at(country))).toBe(country === 'GB' ? '/en_gb/financials' : '/financials')
  })

  test('waits for a person to set their own password, and takes precedence over their last page', () => {
    open()
    keepPath('/financials?state=NSW', 'ada')
    keepWanted(address('/campaigns?x=1'))
    expect(addressAfter({ ...at('AU'), must_change_password: true })).toBe('/change-password')
    expect(addressAfter(at('AU'))).toBe('/campaigns?x=1')
    expect(addressAfter(at('AU'))).toBe('/financials?state=NSW')
    // Somebody else on the same browser starts on their own landing page.
    expect(addressAfter({ ...at('AU'), username: 'bob' })).toBe('/financials')
    // Just the page, as it was left.
    keepWanted(address('/financials'))
    expect(addressAfter(at('AU'))).toBe('/financials?state=NSW')
  })

  test.each([
    '/',
    '/en_gb',
    '/login',
    '/reset-password/secret',
    '/consent/secret',
    '/u/secret',
    '/download-file/secret',
    '/nothing',
  ])('%s is not kept', (href) => {
    open()
    keepWanted(address(href))
    expect(takeWanted()).toBeNull()
  })

  test.each([
    '//elsewhere.example',
    'https://elsewhere.example',
    '/\\elsewhere.example',
    '/reset-password/x',
    '/settings',
  ])('that was tampered with (%s) leads to the landing page', (path) => {
    open()
    sessionStorage.setItem('pillar_wanted_path', path)
    expect(addressAfter(at('AU'))).toBe('/financials')
  })
})
