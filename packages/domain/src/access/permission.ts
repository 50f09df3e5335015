import { type Country, LOCALES } from '../time/locale.ts'

/** What a login may do; the names are the fields of the login response. */
export const FLAGS = [
  'sr_login',
  'guild_login',
  'clinical_trials_login',
  'sixty_day_signup',
  'data_analytics',
  'supplier_analytics',
  'ad_analytics',
  'ecdr',
] as const
export type Flag = (typeof FLAGS)[number]
export type Flags = Readonly<Partial<Record<Flag, boolean>>>

/** The right to write, approve and send campaigns. */
export const SENDS_CAMPAIGNS = 'data_analytics' satisfies Flag

export interface Route {
  readonly name: string
  /** Below the base path; `{id}` is one path segment. */
  readonly path: string
  readonly aliases?: readonly string[]
  /** Document titles are '<title> - <product>'. */
  readonly title: string
  /** Any of these flags; empty for a public page. */
  readonly needs: readonly Flag[]
  /** Countries that have the page; all when left out. */
  readonly countries?: readonly Country[]
  readonly sidebar: boolean
}

const AU_ONLY = ['AU'] as const

export const ROUTES = [
  { name: 'login', path: '/login', title: 'Login', needs: [], sidebar: false },
  {
    name: 'financials',
    path: '/financials',
    aliases: ['/'],
    title: 'Financials',
    needs: ['data_analytics'],
    sidebar: true,
  },
  {
    name: 'pharmacy',
    path: '/financials/pharmacy/{id}',
    title: 'Pharmacy',
    needs: ['data_analytics'],
    sidebar: true,
  },
  { name: 'campaigns', path: '/campaigns', title: 'Campaigns and Marketing', needs: ['data_analytics'], sidebar: true },
  { name: 'campaign', path: '/campaigns/{id}', title: 'Campaign', needs: ['data_analytics'], sidebar: true },
  {
    name: 'guildSixtyDay',
    path: '/guildsixtydd',
    title: 'Guild Sixty Day Dispensing',
    needs: ['guild_login'],
    countries: AU_ONLY,
    sidebar: true,
  },
  {
    name: 'sixtyDay',
    path: '/sixtydd',
    title: 'Sixty Day Dispensing',
    needs: ['sixty_day_signup'],
    countries: AU_ONLY,
    sidebar: true,
  },
  { name: 'activity', path: '/activity', title: 'Activity', needs: ['data_analytics'], sidebar: true },
  { name: 'settings', path: '/settings', title: 'Settings', needs: ['sr_login'], sidebar: true },
  {
    name: 'analytics',
    path: '/analytics',
    title: 'Analytics Dashboard',
    needs: ['supplier_analytics', 'ad_analytics'],
    sidebar: true,
  },
  { name: 's8', path: '/s8management', title: 'S8 Management', needs: ['ecdr'], sidebar: true },
  {
    name: 'referrals',
    path: '/referrals',
    title: 'Referrals Dashboard',
    needs: ['clinical_trials_login'],
    sidebar: true,
  },
  { name: 'calculator', path: '/calculator', title: 'Calculator', needs: [], sidebar: false },
  { name: 'clinicalTrial', path: '/clinicaltrial/{id}', title: 'Clinical Trial', needs: [], sidebar: false },
  { name: 'consent', path: '/consent/{id}', title: 'Communication Consent', needs: [], sidebar: false },
  { name: 'unsubscribe', path: '/unsubscribe/{id}', title: 'Unsubscribe', needs: [], sidebar: false },
  { name: 'downloadFile', path: '/download-file/{id}', title: 'Download File', needs: [], sidebar: false },
  { name: 'resetPassword', path: '/reset-password/{id}', title: 'Choose Password', needs: [], sidebar: false },
] as const satisfies readonly Route[]
export type RouteName = (typeof ROUTES)[number]['name']

export const NOT_FOUND_TITLE = 'Page not found'

/** Flags in the order that decides where a login lands, with the page of each. */
export const LANDING_ORDER: readonly (readonly [flag: Flag, route: RouteName])[] = [
  ['data_analytics', 'financials'],
  ['ecdr', 's8'],
  ['sixty_day_signup', 'sixtyDay'],
  ['guild_login', 'guildSixtyDay'],
  ['clinical_trials_login', 'referrals'],
  ['ad_analytics', 'analytics'],
  ['supplier_analytics', 'analytics'],
  ['sr_login', 'settings'],
]

/** The route of a name. */
export function routeOf(name: RouteName): Route {
  return ROUTES.find((route) => route.name === name)!
}

/** Whether a login with these flags may see a page in this country; public pages are open to everyone. */
export function mayOpen(route: Route, flags: Flags, country: Country): boolean {
  if (route.countries && !route.countries.includes(country)) return false
  return route.needs.length === 0 || hasAny(flags, route.needs)
}

/** Whether at least one of the wanted flags is set; false if none are wanted. */
export function hasAny(flags: Flags, wanted: readonly Flag[]): boolean {
  return wanted.some((flag) => flags[flag] === true)
}

/** Where a login lands: the first page in landing order that it may open in this country, or null when there is none. */
export function landingRoute(flags: Flags, country: Country): Route | null {
  for (const [flag, name] of LANDING_ORDER) {
    const route = routeOf(name)
    if (flags[flag] === true && mayOpen(route, flags, country)) return route
  }
  return null
}

/** The route of a path below the base path, with or without a trailing slash. Null for an unknown path (the 404 page). */
export function matchRoute(path: string): Route | null {
  const wanted = trimSlash(path.split(/[?#]/, 1)[0]!)
  const matches = (pattern: string) => {
    const parts = pattern.split('/')
    const given = wanted.split('/')
    return parts.length === given.length && parts.every((part, index) => part === given[index] || part === '{id}')
  }
  return (
    ROUTES.find((route: Route) => [route.path, ...(route.aliases ?? [])].some((one) => matches(trimSlash(one)))) ?? null
  )
}

const trimSlash = (path: string) => (path.length > 1 ? path.replace(/\/+$/, '') || '/' : path)

/** The address of a route under a country's base path: '/financials', '/en_gb/consent/abc'. */
export function addressOf(country: Country, name: RouteName, id?: string): string {
  const base = LOCALES[country].basePath === '/' ? '' : LOCALES[country].basePath
  return base + routeOf(name).path.replace('{id}', encodeURIComponent(id ?? ''))
}
