import type { Answer, Call, Needs } from '@pillar/contract'
import { everyCall } from '@pillar/contract/every-call'
import type { LongFile } from '@pillar/contract/wire/long-file'
import type { Sheet } from '@pillar/contract/wire/sheet'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { markSpan } from '../../gateways/telemetry/trace.ts'
import type { Context, Handlers, Services } from '../context.ts'
import { tellingReplica } from '../replica/wrote.ts'
import { admit } from './admit.ts'
import type { AnyHandler } from './asked.ts'
import { answerInEvents, asksForEvents } from './event-stream.ts'
import { inTurn } from './heavy.ts'
import { parseInput } from './parse.ts'
import { Repeated } from './request-key.ts'
import { run } from './run.ts'
import { writeSheet, XLSX } from './sheet-file.ts'

declare module 'fastify' {
  /** What a route declares about itself. Pages, probes and metrics are not calls. */
  interface FastifyContextConfig {
    /** The name of the call, such as 'campaign.list'. */
    call?: string
    needs?: Needs
    /** Parts of the path that must not reach any log. */
    secret?: readonly string[]
    /** May take as long as it needs: only silence ends it. */
    long?: boolean
  }
}

/** Registers every call of the contract with the server. The only place where Fastify meets the handlers. */
export function mount(app: FastifyInstance, handlers: Handlers, services: Services): void {
  const all = handlers as Record<string, Record<string, unknown>>
  for (const { group, member, name, call } of everyCall)
    mountCall(app, name, call, all[group]?.[member] as AnyHandler, services)
}

/** Uploads, answers that depend on outside services, long files and large changes must not be rushed. */
const isLong = (call: Call) =>
  call.body === 'multipart' ||
  call.waits === true ||
  call.long === true ||
  call.slow === true ||
  call.grows !== undefined

/** Registers one call with the server: admit, parse, run, answer. */
export function mountCall(
  app: FastifyInstance,
  name: string,
  call: Call,
  handler: AnyHandler,
  services: Services,
): void {
  app.route({
    method: call.method ?? 'POST',
    url: call.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...(call.mostBytes === undefined ? {} : { bodyLimit: call.mostBytes }),
    config: { call: name, needs: call.needs, secret: call.secret ?? [], long: isLong(call) },
    handler: async (request, reply) => {
      const context = await admit(call, services, request, reply)
      const who = context.location ?? context.caller
      if (who) markSpan({ company: who.companyId, ...(context.location && { location: context.location.locationId }) })
      const input = call.body === 'multipart' ? undefined : parseInput(call, request)
      const running = inTurn(call, context, (grow: Context['grow']) =>
        tellingReplica(call, context, run({ name, call, handler, input }, { ...context, grow })),
      )
      if (call.grows && asksForEvents(request)) return answerInEvents(call, request, reply, services, running)
      return answer(call, await running(null), reply)
    },
  })
}

/** Sends only the fields the contract declares for a result, as JSON or as a file. */
function answer(call: Call, result: unknown, reply: FastifyReply): FastifyReply {
  if (result instanceof Repeated) return reply.header('idempotency-replayed', 'true').send(result.answer)
  const parsed = call.output.parse(result)
  if (call.answer === undefined || call.answer === 'json') return reply.send(parsed)
  const { filename } = parsed as { filename: string }
  const fallback = filename.replaceAll(/[^\w.-]/g, '_')
  const { type, content } = FILES[call.answer](parsed)
  if (call.long) reply.header('content-length', (parsed as { file: LongFile }).file.bytes)
  return reply
    .type(type)
    .header(
      'content-disposition',
      `attachment; filename="${fallback}"; filename*=UTF-8''${encodeURIComponent(filename)}`,
    )
    .send(content)
}

/** The content type and body for each kind of file. A spreadsheet is written while it is sent. */
const FILES: Readonly<Record<Exclude<Answer, 'json'>, (parsed: unknown) => { type: string; content: unknown }>> = {
  csv: (parsed) => {
    const { text, file } = parsed as { text?: string; file?: LongFile }
    return { type: 'text/csv; charset=utf-8', content: file?.content ?? text }
  },
  pdf: (parsed) => ({
    type: 'application/pdf',
    content: Buffer.from((parsed as { base64: string }).base64, 'base64'),
  }),
  xlsx: (parsed) => ({ type: XLSX, content: writeSheet((parsed as { sheet: Sheet }).sheet) }),
}
