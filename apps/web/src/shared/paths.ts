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
 * Whether an address may be kept and returned to: a page of the portal that needs a sign-in. Public pages carry secret
 * links in their address, and anything that is no page of ours could lead to another site.
 */
export function mayKeep(path: string): boolean {
  return (matchRoute(path)?.needs.length ?? 0) > 0
}

/**
 * Where a sign-in leads: the page this person was on, if their flags still allow it, otherwise the first page of the
 * landing order. Without the country's base path; null when the login opens no page at all.
 */
export function pathAfterLogin(kept: string | null, flags: Flags, country: Country): string | null {
  const route = kept === null ? null : matchRoute(kept)
  if (kept !== null && route && route.needs.length > 0 && mayOpen(route, flags, country)) return kept
  return landingRoute(flags, country)?.path ?? null
}

/** Keeps where a person was, without the country's base path, for their next sign-in on this browser. */
export function keepPath(path: string, username: string): void {
  if (!mayKeep(path)) return
  try {
    localStorage.setItem(KEY, JSON.stringify({ path, username }))
  } catch {
    // Storage blocked: the next sign-in starts at the landing page.
  }
}

/** The kept path of this person; null when there is none or it is someone else's. */
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
