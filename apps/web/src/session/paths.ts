/** '' for Australia, '/en_gb' or '/en_us' elsewhere, read from an address. */
export function basePathOf(pathname: string): '' | '/en_gb' | '/en_us' {
  return (/^\/en_(?:gb|us)(?=\/|$)/.exec(pathname)?.[0] ?? '') as '' | '/en_gb' | '/en_us'
}

/** A path without the country in front. */
export function withoutBase(pathname: string): string {
  return pathname.slice(basePathOf(pathname).length) || '/'
}

/** Pages whose address carries a secret link, or that lead nowhere after signing in. */
const NOT_KEPT = /^\/(?:login|outbox|reset-password|clinicaltrial|consent|unsubscribe|download-file|calculator)(?:\/|$)/
const KEY = 'pillar_previous_path'

/** Whether an address may be kept and returned to: a path of this site, never one with a token in it. */
export function mayKeep(path: string): boolean {
  return path.startsWith('/') && !path.startsWith('//') && !path.includes('\\') && !NOT_KEPT.test(path)
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
