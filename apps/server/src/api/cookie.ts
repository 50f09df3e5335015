import { Refusal } from '@pillar/contract'
import { REMEMBERED_DAYS } from '@pillar/domain/access/second-factor'
import { COOKIE_SECONDS } from '@pillar/domain/access/session'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from './context.ts'

/** Over plain HTTP on a developer's machine, browsers refuse `__Host-`, which demands Secure. */
const secure = (services: Services) => services.publicUrl().startsWith('https:')
const NAMES = { secure: '__Host-pillar_session', plain: 'pillar_session' }
/** Holds no secret: tells the route guard that someone signed in on this browser. */
const MARKER = 'pillar_signed_in'

/** Reads only the cookie name this installation sets: on an https site, a plain name may have been planted by a neighbouring host. */
export function readSessionCookie(request: FastifyRequest, services: Services): string | null {
  return request.cookies[secure(services) ? NAMES.secure : NAMES.plain] || null
}

const BROWSER = { secure: '__Host-pillar_browser', plain: 'pillar_browser' }

/** The secret of a browser on which somebody asked to skip the second factor. */
export function readBrowserCookie(request: FastifyRequest, services: Services): string | null {
  return request.cookies[secure(services) ? BROWSER.secure : BROWSER.plain] || null
}

export function setBrowserCookie(reply: FastifyReply, services: Services, secret: string): void {
  const maxAge = REMEMBERED_DAYS * 86_400
  const shared = { path: '/', sameSite: 'strict', secure: secure(services), maxAge, httpOnly: true } as const
  reply.setCookie(secure(services) ? BROWSER.secure : BROWSER.plain, secret, shared)
}

/** Whether somebody has signed in on this browser. Decides which page to serve, and grants nothing. */
export const hasMarker = (request: FastifyRequest): boolean => request.cookies[MARKER] === '1'

export function setSessionCookie(reply: FastifyReply, services: Services, secret: string): void {
  const shared = { path: '/', sameSite: 'strict', secure: secure(services), maxAge: COOKIE_SECONDS } as const
  reply.setCookie(secure(services) ? NAMES.secure : NAMES.plain, secret, { ...shared, httpOnly: true })
  reply.setCookie(MARKER, '1', shared)
}

export function clearSessionCookie(reply: FastifyReply, services: Services): void {
  const shared = { path: '/', sameSite: 'strict', secure: secure(services) } as const
  reply.clearCookie(secure(services) ? NAMES.secure : NAMES.plain, { ...shared, httpOnly: true })
  reply.clearCookie(MARKER, shared)
  reply.header('clear-site-data', '"cache"')
}

/**
 * Refuses a request that another site could have made the browser send. Programs send neither header and carry no victim's cookies. Bearer
 * calls need no such check: a foreign page has no token.
 */
export function requireSameOrigin(request: FastifyRequest, services: Services): void {
  const site = request.headers['sec-fetch-site']
  const origin = request.headers.origin
  const foreign = typeof site === 'string' && site !== 'same-origin' && site !== 'none'
  const ownOrigin = new URL(services.publicUrl()).origin
  const sameHost = origin === ownOrigin || origin === `${request.protocol}://${request.host}`
  if (foreign || (typeof origin === 'string' && !sameHost)) {
    throw new Refusal('not_allowed', 'This request came from another site and was refused.')
  }
}
