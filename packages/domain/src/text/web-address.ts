export const WEB_ADDRESS_LIMIT = 500

/** White space and control characters: a browser drops some of them, so that `java\nscript:` would run. */
const INVISIBLE = /[\s\p{Cc}\p{Cf}]/u
/** The last part of a public host name: letters, or the ASCII form of letters of another alphabet. */
const LAST_PART = /^(?:[a-z]{2,}|xn--[a-z0-9-]+)$/
/** Names that lead into a private network. */
const PRIVATE = new Set([
  'local',
  'localhost',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'test',
  'invalid',
  'onion',
])

/**
 * A web address that is safe for a patient's browser, in its normal spelling: https, a public host name, no password, no explicit port. Null for
 * anything else: `javascript:`, numbers instead of a name in any spelling, a host inside a network. Nothing is fetched.
 */
export function webAddress(text: string): string | null {
  const given = text.trim()
  if (given.length > WEB_ADDRESS_LIMIT || INVISIBLE.test(given) || given.includes('\\')) return null
  const url = /^https:\/\/[^/]/i.test(given) ? urlOf(given) : null
  if (url === null) return null
  const { protocol, username, password, port, hostname, href } = url
  if (protocol !== 'https:' || username !== '' || password !== '' || port !== '') return null
  const parts = hostname.replace(/\.$/, '').split('.')
  const last = parts.at(-1) ?? ''
  return parts.length > 1 && LAST_PART.test(last) && !PRIVATE.has(last) ? href : null
}

/** A text as an address, or null if it is none. URL.canParse is missing in browsers still in use, such as Safari 16. */
export function urlOf(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

/** Whether a host name, lower-case and without port, as URLs have it, leads to the machine that asks. */
export const isLoopbackName = (name: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(name)
