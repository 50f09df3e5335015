import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import type { Services } from '../context.ts'
import type { Figures } from './figures.ts'
import { mountProbes } from './probe.ts'

/** Liveness, readiness and Prometheus metrics of a serving process, and counts its answers. Comes before the routes it counts. */
export function mountHealth(app: FastifyInstance, services: Services, figures: Figures): void {
  const nameOf = (config?: FastifyContextConfig) => config?.call ?? 'page'
  app.addHook('onRoute', ({ config }) => figures.expect(nameOf(config)))
  app.addHook('onResponse', async (request, reply) => {
    const call = nameOf(request.routeOptions.config)
    figures.answered(call, reply.statusCode, reply.elapsedTime / 1000)
    services.log.debug(
      { request: request.id, call, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    )
  })
  mountProbes(app, services, figures)
}
