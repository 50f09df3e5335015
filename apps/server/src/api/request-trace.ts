import type { FastifyInstance, FastifyRequest } from 'fastify'
import { beginSpan, inSpan, type Span } from '../gateways/telemetry/trace.ts'

/**
 * One span for each call of the contract and each call by a gateway, from its headers to the end of its answer. It starts a new trace: a
 * caller's own trace is not trusted, or anybody could have everything recorded.
 */
export function traceRequests(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { call } = request.routeOptions.config
    const span = call ? beginSpan(`call ${call}`, { call }, { kind: 'server', parent: null }) : null
    if (span) spans.set(request, span)
    done()
  })
  // Only after the body is read: reading runs in the connection's context, not in this one.
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) inSpan(span, done)
    else done()
  })
  app.addHook('onResponse', async (request, reply) => {
    const span = spans.get(request)
    const { statusCode: status } = reply
    span?.mark({ status })
    span?.end(status >= 500 ? Object.assign(new Error(), { code: `HTTP_${status}` }) : undefined)
  })
}
