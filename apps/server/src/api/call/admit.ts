import { type Call, FLAGS, type Flag, Refusal } from '@pillar/contract'
import { EULA_VERSION } from '@pillar/domain/access/eula'
import { agentFamily } from '@pillar/domain/audit/agent'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findLocationByKey } from '../../features/location/location-key.queries.ts'
import { hasAgreed } from '../../features/session/eula.queries.ts'
import { factorOf } from '../../features/session/factor/factor-state.ts'
import { findCaller } from '../../features/session/session.queries.ts'
import { type Caller, type Context, type Services, sessionExpired, unknownKey } from '../context.ts'
import {
  clearSessionCookie,
  readBrowserCookie,
  readSessionCookie,
  requireSameOrigin,
  setBrowserCookie,
  setSessionCookie,
} from '../cookie.ts'
import { isFromThisMachine } from '../host.ts'
import { partsOf } from '../intake/multipart.ts'
import { addressOf, coarseNetwork } from '../network.ts'
import { disconnectSignal } from './event-stream.ts'
import { gathered } from './gathered.ts'
import { sayIfFails } from './refusal.ts'
import { spoolFor } from './spool.ts'

const callers = new WeakMap<Services, (bearer: string) => Promise<Caller | null>>()

/** Finds the caller an access token belongs to; null if nobody's. */
function callerOf(services: Services): (bearer: string) => Promise<Caller | null> {
  const found = callers.get(services)
  if (found) return found
  const made = gathered((bearer) => findCaller(services.pools.system, bearer, services.now()))
  callers.set(services, made)
  return made
}

/** Who is asking, and may they? Refuses before any of the body is read. */
export async function admit(
  call: Call,
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Context> {
  const context = contextOf(services, request, reply)
  if (call.needs === 'public') {
    if (call.kind === 'write') requireSameOrigin(request, services)
    return context
  }
  if (call.needs === 'session-cookie') {
    requireSameOrigin(request, services)
    return context
  }
  const bearer = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (call.needs === 'location-key') {
    context.location = bearer ? await findLocationByKey(services.pools.system, bearer, services.now()) : null
    if (!context.location) throw unknownKey()
    if (call.body === 'multipart') context.parts = partsOf(request)
    return context
  }
  if (!bearer) throw new Refusal('not_signed_in', 'Please sign in.')
  const caller = await callerOf(services)(bearer)
  if (!caller) throw sessionExpired()
  context.caller = { ...caller, from: context.from }
  const factor = factorOf(context.caller, services)
  if (factor === 'check') {
    if (call.beforeSecondFactor === 'check') return context
    throw new Refusal('second_factor_needed', 'Please enter the code of your authenticator app, or use your passkey.')
  }
  if (context.caller.mustChangePassword && !call.beforeNewPassword) {
    throw new Refusal('new_password_needed', 'Please choose a new password before you go on.')
  }
  if (factor === 'setup' && !call.beforeSecondFactor) {
    throw new Refusal('second_factor_needed', 'Please set up a second factor before you go on.')
  }
  const flags = flagsOf(call)
  if (flags.length > 0 && !flags.some((flag) => context.caller?.flags.has(flag))) {
    throw new Refusal('not_allowed', 'Your login does not have access to this.')
  }
  if (call.afterAgreement && !(await hasAgreed(services.pools.system, caller.loginId, EULA_VERSION))) {
    throw new Refusal('agreement_needed', 'Please accept the End User License Agreement first.')
  }
  return context
}

/** The flags of which the caller needs at least one; empty if the call needs none. */
export function flagsOf(call: Call): readonly Flag[] {
  const needs = Array.isArray(call.needs) ? (call.needs as readonly Flag[]) : [call.needs as Flag]
  return needs.filter((need) => FLAGS.includes(need))
}

const contextOf = (services: Services, request: FastifyRequest, reply: FastifyReply): Context => ({
  services,
  address: addressOf(request),
  from: { network: coarseNetwork(addressOf(request)), agent: agentFamily(headerOf(request, 'user-agent')) },
  local: isFromThisMachine(request),
  requestId: request.id,
  caller: null,
  location: null,
  cookieSecret: readSessionCookie(request, services),
  browserSecret: readBrowserCookie(request, services),
  setCookie: (secret) => setSessionCookie(reply, services, secret),
  rememberBrowser: (secret) => setBrowserCookie(reply, services, secret),
  clearCookie: () => clearSessionCookie(reply, services),
  grant: headerOf(request, 'x-step-up-grant'),
  requestKey: headerOf(request, 'idempotency-key'),
  parts: null,
  tx: null,
  staff: null,
  enter: null,
  changes: [],
  about: {},
  counts: {},
  grow: null,
  spool: spoolFor(reply),
  ifFails: (says) => sayIfFails(request, says),
  gone: disconnectSignal(reply),
})

function headerOf(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name]
  return typeof value === 'string' ? value : null
}
