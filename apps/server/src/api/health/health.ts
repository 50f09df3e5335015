import { createHash, timingSafeEqual } from 'node:crypto'
import { Refusal } from '@pillar/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Services } from '../context.ts'
import { isFromThisMachine } from '../host.ts'
import { backlogText } from './backlog.ts'
import { mountProbes } from './probe.ts'
import { replicaGauges } from './replica-gauges.ts'

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
  new Gauge({
    name: 'pillar_errors_reported',
    help: 'Uncaught errors since the start, of this process and of the screens that told it',
    labelNames: ['source'],
    registers: [registry],
    collect() {
      for (const [source, count] of Object.entries(services.errors.counts)) this.set({ source }, count)
    },
  })
  replicaGauges(services, registry)
  app.addHook('onResponse', async (request, reply) => {
    const call = (request.routeOptions.config as { call?: string }).call ?? 'page'
    seconds.observe({ call, status: String(reply.statusCode) }, reply.elapsedTime / 1000)
    if (reply.statusCode === 500) failed.inc({ call })
    services.log.debug(
      { request: request.id, call, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    )
  })
  mountProbes(app, services)
  app.get('/metrics', async (request, reply) => {
    requireReader(request, services.env.METRICS_TOKEN)
    return reply.type(registry.contentType).send(`${await registry.metrics()}\n${await backlogText(services)}`)
  })
}

/**
 * Metrics are for whoever shows METRICS_TOKEN. Without one they are for programs on this machine that came straight here: not for what a
 * proxy on this machine passes on. Others get what they would get at an address that is not there.
 */
function requireReader(request: FastifyRequest, token: string | undefined): void {
  if (token !== undefined) {
    const shown = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
    // Hashes are of one length, so that the time taken tells nothing of the token.
    if (timingSafeEqual(sha256(shown), sha256(token))) return
    throw new Refusal('not_signed_in', 'Show the token of METRICS_TOKEN as a bearer.')
  }
  if (!isFromThisMachine(request)) {
    throw new Refusal('not_found', 'There is no such call.')
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()
