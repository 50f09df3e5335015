import type { Call, Flag } from '@pillar/contract'
import { contract, FLAGS, Refusal } from '@pillar/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { bindScope } from '../db/database.ts'
import { findLocationByKey } from '../features/location/location.queries.ts'
import { useGrant } from '../features/session/grant.queries.ts'
import { findCaller } from '../features/session/session.queries.ts'
import { detailOf, recordAudit } from './audit.ts'
import { type Context, callerOf, type Handlers, type Services } from './context.ts'
import { clearSessionCookie, readSessionCookie, requireSameOrigin, setSessionCookie } from './cookie.ts'
import { answerInEvents, asksForEvents, goneSignal } from './event-stream.ts'
import { isFromThisMachine } from './host.ts'
import { partsOf } from './multipart.ts'

type AnyHandler = (input: unknown, context: Context) => Promise<unknown>

/** Puts every call of the contract on the server. The only place that joins Fastify to handlers. */
export function mount(app: FastifyInstance, handlers: Handlers, services: Services): void {
  for (const [group, calls] of Object.entries(contract)) {
    for (const [name, call] of Object.entries(calls) as [string, Call][]) {
      const handler = (handlers as Record<string, Record<string, unknown>>)[group]?.[name] as AnyHandler
      app.route({
        method: 'POST',
        url: call.path.replaceAll(/\{(\w+)\}/g, ':$1'),
        config: { call: `${group}.${name}`, needs: call.needs },
        handler: (request, reply) => answer(`${group}.${name}`, call, handler, services, request, reply),
      })
    }
  }
}

async function answer(
  name: string,
  call: Call,
  handler: AnyHandler,
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const context = await admit(call, services, request, reply)
  const input = call.body === 'multipart' ? undefined : parseInput(call, request)
  if (call.stepUp) {
    await useGrant(
      services.pools.gate,
      callerOf(context),
      context.grant,
      typeof call.stepUp === 'function' ? call.stepUp(input) : call.stepUp,
      objectOf(request),
      services.now(),
    )
  }
  const run = (grow: Context['grow']) =>
    needsTenant(call)
      ? inTenant(name, call, handler, input, { ...context, grow }, objectOf(request))
      : handler(input, { ...context, grow })
  if (call.grows && asksForEvents(request)) return answerInEvents(call, request, reply, services, run)
  const parsed = call.output.parse(await run(null))
  if (call.answer !== 'csv') return reply.send(parsed)
  const file = parsed as { filename: string; text: string }
  const fallback = file.filename.replaceAll(/[^\w.-]/g, '_')
  return reply
    .type('text/csv; charset=utf-8')
    .header(
      'content-disposition',
      `attachment; filename="${fallback}"; filename*=UTF-8''${encodeURIComponent(file.filename)}`,
    )
    .send(file.text)
}

/** Who is asking, and may they? Refuses before anything of the body is looked at. */
async function admit(call: Call, services: Services, request: FastifyRequest, reply: FastifyReply): Promise<Context> {
  const context: Context = {
    services,
    address: request.ip,
    local: isFromThisMachine(request),
    requestId: request.id,
    caller: null,
    location: null,
    cookieSecret: readSessionCookie(request, services),
    setCookie: (secret) => setSessionCookie(reply, services, secret),
    clearCookie: () => clearSessionCookie(reply, services),
    grant: headerOf(request, 'x-step-up-grant'),
    parts: null,
    tx: null,
    grow: null,
    gone: goneSignal(reply),
  }
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

function flagsOf(call: Call): readonly Flag[] {
  const needs = Array.isArray(call.needs) ? (call.needs as readonly Flag[]) : [call.needs as Flag]
  return needs.filter((need) => FLAGS.includes(need))
}

const needsTenant = (call: Call) => flagsOf(call).length > 0 && !call.waits

/** What a grant must have been made for: the id in the path, or null where something new is made. */
const objectOf = (request: FastifyRequest) => Object.values(request.params as Record<string, string>)[0] ?? null

function parseInput(call: Call, request: FastifyRequest): unknown {
  // A form another site can make a browser send is never JSON, so nothing else is read, not even where no field is needed.
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new Refusal('unreadable', 'Send the request as JSON.')
  }
  const body = request.body ?? {}
  if (typeof body !== 'object' || Array.isArray(body))
    throw new Refusal('invalid', 'The request body must be a JSON object.')
  const parsed = call.input.safeParse({ ...body, ...(request.params as object) })
  if (parsed.success) {
    if (holdsUnstorable(parsed.data))
      throw new Refusal('invalid', 'The request holds a character that cannot be stored.')
    return parsed.data
  }
  const errors: Record<string, string[]> = {}
  for (const issue of parsed.error.issues) {
    const field = issue.path.join('.') || 'body'
    errors[field] = [...(errors[field] ?? []), issue.message]
  }
  const first = parsed.error.issues[0]
  throw new Refusal('invalid', first?.message ?? 'The request is not valid.', { errors })
}

/** Whether any text in it holds what PostgreSQL cannot keep: NUL, or half of a pair of UTF-16. */
function holdsUnstorable(data: unknown): boolean {
  const left = [data]
  while (left.length > 0) {
    const one = left.pop()
    if (typeof one === 'string' && (one.includes('\0') || !one.isWellFormed())) return true
    if (typeof one === 'object' && one !== null) left.push(...Object.keys(one), ...Object.values(one))
  }
  return false
}

/** One transaction, one scope. A read cannot write; a write leaves its audit row in the same transaction. */
function inTenant(
  name: string,
  call: Call,
  handler: AnyHandler,
  input: unknown,
  context: Context,
  object: string | null,
): Promise<unknown> {
  const caller = context.caller
  if (!caller) throw new Error('a tenant call without a caller')
  return context.services.pools.app.transaction().execute(async (tx) => {
    if (call.kind === 'read' && !call.scratch) await sql`set transaction read only`.execute(tx)
    await bindScope(tx, caller.scope)
    const result = await handler(input, { ...context, tx })
    if (call.kind === 'write') await recordAudit(tx, { caller, action: name, object, detail: detailOf(call, input) })
    return result
  })
}

function headerOf(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name]
  return typeof value === 'string' ? value : null
}
