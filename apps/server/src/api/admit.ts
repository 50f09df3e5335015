import { type Call, FLAGS, type Flag, Refusal } from '@pillar/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findLocationByKey } from '../features/location/location.queries.ts'
import { findCaller } from '../features/session/session.queries.ts'
import type { Context, Services } from './context.ts'
import { clearSessionCookie, readSessionCookie, requireSameOrigin, setSessionCookie } from './cookie.ts'
import { goneSignal } from './event-stream.ts'
import { partsOf } from './multipart.ts'

/** Who is asking, and may they? Refuses before anything of the body is looked at. */
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
  const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (call.needs === 'location-key') {
    context.location = bearer ? await findLocationByKey(services.pools.gate, bearer) : null
    if (!context.location)
      throw new Refusal('not_signed_in', 'This location key is not known. Check the key of the pharmacy.')
    if (call.body === 'multipart') context.parts = partsOf(request)
    return context
  }
  if (!bearer) throw new Refusal('not_signed_in', 'Please sign in.')
  context.caller = await findCaller(services.pools.gate, bearer, services.now())
  if (!context.caller) throw new Refusal('session_expired', 'Your session has expired. Please sign in again.')
  if (context.caller.mustChangePassword && !call.beforeNewPassword) {
    throw new Refusal('new_password_needed', 'Please choose a new password before you go on.')
  }
  const flags = flagsOf(call)
  if (flags.length > 0 && !flags.some((flag) => context.caller?.flags.has(flag))) {
    throw new Refusal('not_allowed', 'Your login does not have access to this.')
  }
  return context
}

/** The flags of which a caller needs one; none where no flag is asked for. */
export function flagsOf(call: Call): readonly Flag[] {
  const needs = Array.isArray(call.needs) ? (call.needs as readonly Flag[]) : [call.needs as Flag]
  return needs.filter((need) => FLAGS.includes(need))
}

const contextOf = (services: Services, request: FastifyRequest, reply: FastifyReply): Context => ({
  services,
  address: request.ip,
  requestId: request.id,
  caller: null,
  location: null,
  cookieSecret: readSessionCookie(request, services),
  setCookie: (secret) => setSessionCookie(reply, services, secret),
  clearCookie: () => clearSessionCookie(reply, services),
  grant: headerOf(request, 'x-step-up-grant'),
  parts: null,
  tx: null,
  staff: null,
  grow: null,
  gone: goneSignal(reply),
})

function headerOf(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name]
  return typeof value === 'string' ? value : null
}
