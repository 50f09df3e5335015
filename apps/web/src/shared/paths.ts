import { type Flags, landingRoute, matchRoute, mayOpen } from '@pillar/domain/access/permission'
import type { Country } from '@pillar/domain/time/locale'

/** '' for Australia, '/en_gb' or '/en_us' elsewhere, read from an address. */
export function basePathOf(pathname: string): '' | '/en_gb' | '/en_us' {
  return (/^\/en_(?:gb|us)(?=\/|$)/.exec(pathname)?.[0] ?? '') as '' | '/en_gb' | '/en_us'
}

/** A path without the country in front. */
export function withoutBase(pathname: string): string {
  return pathname.slice(basePathOf(pathname).length) || '/'
}

const KEY = 'pillar_previous_path'

/**
 * Whether an address may be stored and returned to: a page of the portal that needs a sign-in. Public pages have secret links in their address, and
 * an address that is not our page could lead to another site.
 */
export function mayKeep(path: string): boolean {
  // Browsers read a second slash, or a backslash, as the start of another site's name.
  return /^\/(?![/\\])[^\\\s]*$/.test(path) && (matchRoute(path)?.needs.length ?? 0) > 0
}

/** Whether a login with these flags may return to a path. */
export function opens(path: string, flags: Flags, country: Country): boolean {
  const route = mayKeep(path) ? matchRoute(path) : null
  return route !== null && mayOpen(route, flags, country)
}

/**
 * The page after signing in: the one this person was on, if their flags still allow it, otherwise the first page of the landing order. Without the
 * country's base path; null if the login opens no page at all.
 */
export function pathAfterLogin(kept: string | null, flags: Flags, country: Country): string | null {
  if (kept !== null && opens(kept, flags, country)) return kept
  return landingRoute(flags, country)?.path ?? null
}

/** Stores a person's page, without the country's base path, for their next sign-in on this browser. */
export function keepPath(path: string, username: string): void {
  if (!mayKeep(path)) return
  try {
    localStorage.setItem(KEY, JSON.stringify({ path, username }))
  } catch {
    // Storage is blocked: the next sign-in starts at the landing page.
  }
}

/** This person's stored path; null if there is none or it is someone else's. */
export function keptPath(username: string): string | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return null
    const { path, username: whose } = kept as { path?: unknown; username?: unknown }
    return typeof path === 'string' && whose === username && mayKeep(path) ? path : null
  } catch {
    return null
  }
}

const WANTED = 'pillar_wanted_path'

/** Stores, for this tab, the page a signed-out visitor requested, so that a pasted link survives the sign-in. */
export function keepWanted({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>): void {
  const path = withoutBase(pathname) + search + hash
  // The bare address requests no particular page.
  if (path === '/' || !mayKeep(path)) return
  try {
    sessionStorage.setItem(WANTED, path)
  } catch {
    // Storage is blocked: the sign-in continues as without a link.
  }
}

/** The page stored for this tab, which can be taken only once; null if there is none. */
export function takeWanted(): string | null {
  try {
    const path = sessionStorage.getItem(WANTED)
    sessionStorage.removeItem(WANTED)
    return path !== null && mayKeep(path) ? path : null
  } catch {
    return null
  }
}

/** The end of a pharmacy's id, as it stands in the address bar: 48 random bits, so that a hundred pharmacies fit into a link. */
export const shortId = (id: string): string => id.slice(-12)
