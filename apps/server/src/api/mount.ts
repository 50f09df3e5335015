import { type Call, contract } from '@pillar/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { admit } from './admit.ts'
import type { Context, Handlers, Services } from './context.ts'
import { answerInEvents, asksForEvents } from './event-stream.ts'
import { parseInput } from './parse.ts'
import { type AnyHandler, run } from './run.ts'

/** Puts every call of the contract on the server. The only place that joins Fastify to handlers. */
export function mount(app: FastifyInstance, handlers: Handlers, services: Services): void {
  for (const [group, calls] of Object.entries(contract)) {
    for (const [name, call] of Object.entries(calls) as [string, Call][]) {
      const handler = (handlers as Record<string, Record<string, unknown>>)[group]?.[name] as AnyHandler
      mountCall(app, `${group}.${name}`, call, handler, services)
    }
  }
}

/** Puts one call on the server: admit, parse, run, answer. */
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
    config: { call: name, needs: call.needs, secret: call.secret ?? [] },
    handler: async (request, reply) => {
      const context = await admit(call, services, request, reply)
      const input = call.body === 'multipart' ? undefined : parseInput(call, request)
      const running = (grow: Context['grow']) => run({ name, call, handler, input }, { ...context, grow })
      if (call.grows && asksForEvents(request)) return answerInEvents(call, request, reply, services, running)
      return answer(call, await running(null), reply)
    },
  })
}

/** What the contract declares of a result, and nothing else, as JSON or as a file. */
function answer(call: Call, result: unknown, reply: FastifyReply): FastifyReply {
  const parsed = call.output.parse(result)
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
