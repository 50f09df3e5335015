import { withoutBase } from '../shared/paths.ts'

export type PublicPage = { name: 'login' | 'change' | 'factor' | 'outbox' | 'none' } | { name: 'reset'; token: string }

/** The public page at an address. */
export function publicPageOf(pathname: string): PublicPage {
  const path = withoutBase(pathname).replace(/\/+$/, '')
  if (path === '/login') return { name: 'login' }
  if (path === '/change-password') return { name: 'change' }
  if (path === '/second-factor') return { name: 'factor' }
  if (path === '/outbox') return { name: 'outbox' }
  const token = /^\/reset-password\/([^/]+)$/.exec(path)?.[1]
  if (token === undefined) return { name: 'none' }
  try {
    return { name: 'reset', token: decodeURIComponent(token) }
  } catch {
    return { name: 'none' }
  }
}
