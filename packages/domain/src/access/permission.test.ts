import { describe, expect, test } from 'vitest'
import {
  addressOf,
  FLAGS,
  type Flag,
  landingRoute,
  matchRoute,
  mayOpen,
  ROUTES,
  type Route,
  routeOf,
  SENDS_CAMPAIGNS,
} from './permission.ts'

const only = (...flags: Flag[]) => Object.fromEntries(flags.map((flag) => [flag, true]))

describe('landing', () => {
  test.each<[Flag[], string | undefined]>([
    [['data_analytics', 'sixty_day_signup', 'sr_login'], '/financials'],
    [['ecdr', 'sixty_day_signup'], '/s8management'],
    [['sixty_day_signup', 'guild_login'], '/sixtydd'],
    [['guild_login', 'clinical_trials_login'], '/guildsixtydd'],
    [['clinical_trials_login', 'ad_analytics'], '/referrals'],
    [['ad_analytics', 'sr_login'], '/analytics'],
    [['supplier_analytics', 'sr_login'], '/analytics'],
    [['sr_login'], '/settings'],
    [[], undefined],
  ])('%j lands on %s', (flags, path) => {
    expect(landingRoute(only(...flags), 'AU')?.path).toBe(path)
  })

  test('60-day pages exist only in Australia', () => {
    expect(landingRoute(only('sixty_day_signup', 'sr_login'), 'GB')?.path).toBe('/settings')
    expect(landingRoute(only('guild_login'), 'US')).toBeNull()
  })
})

describe('routes', () => {
  test('each flag opens its pages and no other', () => {
    const open = (flag: Flag) =>
      ROUTES.filter((r) => r.needs.length > 0 && mayOpen(r, only(flag), 'AU')).map((r) => r.path)
    expect(Object.fromEntries(FLAGS.map((flag) => [flag, open(flag).join(' ')]))).toEqual({
      sr_login: '/settings',
      guild_login: '/guildsixtydd',
      clinical_trials_login: '/referrals',
      sixty_day_signup: '/sixtydd',
      data_analytics: '/financials /financials/pharmacy/{id} /campaigns /campaigns/{id} /activity',
      supplier_analytics: '/analytics',
      ad_analytics: '/analytics',
      ecdr: '/s8management',
    })
  })

  test('people who may send campaigns may open them, where approvals wait', () => {
    const flags = only(SENDS_CAMPAIGNS)
    expect([routeOf('campaigns'), routeOf('campaign')].map((route) => mayOpen(route, flags, 'AU'))).toEqual([
      true,
      true,
    ])
    const others = FLAGS.filter((flag) => flag !== SENDS_CAMPAIGNS)
    expect(mayOpen(routeOf('campaign'), only(...others), 'AU')).toBe(false)
  })

  test('a false flag opens nothing, and public pages need no flag', () => {
    expect(mayOpen(routeOf('financials'), { data_analytics: false }, 'AU')).toBe(false)
    expect(mayOpen(routeOf('consent'), {}, 'GB')).toBe(true)
  })

  test.each([
    ['/', 'financials'],
    ['/financials?year=2026', 'financials'],
    ['/financials/', 'financials'],
    ['/consent/abc', 'consent'],
    ['/login', 'login'],
  ])('%s is %s', (path, name) => {
    expect(matchRoute(path)).toBe(routeOf(name as Parameters<typeof routeOf>[0]))
  })

  test.each(['/consent', '/consent/', '/consent/a/b', '/nowhere', '/Financials', ''])('"%s" is not found', (path) => {
    expect(matchRoute(path)).toBeNull()
  })

  test('public pages hide the sidebar, signed-in pages show it', () => {
    for (const route of ROUTES as readonly Route[]) expect(route.sidebar, route.path).toBe(route.needs.length > 0)
  })

  test('addresses', () => {
    expect(addressOf('AU', 'financials')).toBe('/financials')
    expect(addressOf('GB', 'resetPassword', 'a/b')).toBe('/en_gb/reset-password/a%2Fb')
  })
})
