import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Services } from './context.ts'

/** Liveness, readiness and Prometheus metrics. Metrics carry call names and states, never people. */
export function mountHealth(app: FastifyInstance, services: Services): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'pillar_request_seconds',
    help: 'Time to answer, by call and status',
    labelNames: ['call', 'status'],
    buckets: [0.005, 0.01, 0.03, 0.06, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  })
  const failed = new Counter({
    name: 'pillar_requests_failed_total',
    help: 'Answers with status 500',
    labelNames: ['call'],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const call = (request.routeOptions.config as { call?: string }).call ?? 'page'
    seconds.observe({ call, status: String(reply.statusCode) }, reply.elapsedTime / 1000)
    if (reply.statusCode === 500) failed.inc({ call })
    services.log.debug(
      { request: request.id, call, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    )
  })
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    try {
      await sql`select 1`.execute(services.pools.gate)
      return { status: 'ready' }
    } catch {
      return reply.status(503).send({ status: 'the database does not answer' })
    }
  })
  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()))
}
