import Fastify, { type FastifyInstance } from 'fastify'
import type { Services } from '../context.ts'
import { readinessOf } from '../readiness.ts'

/** Whether the process runs, and whether it can do its work: for load balancers and orchestrators. */
export function mountProbes(app: FastifyInstance, services: Services): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  const readiness = readinessOf(services)
  app.get('/readyz', async (_request, reply) => {
    const missing = await readiness()
    // Pillar works without its replica too, so it is ready while the replica is away.
    const replica = services.replica ? { replica: services.replica.sentence } : {}
    return missing.length === 0
      ? { status: 'ready', ...replica }
      : reply.status(503).send({ status: 'not ready', missing })
  })
}

/** Answers both on HEALTH_PORT in a process that serves nothing else. @returns what ends it */
export async function openProbes(services: Services): Promise<() => Promise<void>> {
  const { HEALTH_PORT, HOST } = services.env
  if (HEALTH_PORT === undefined) return async () => {}
  const app = Fastify({ requestTimeout: 10_000, bodyLimit: 1 })
  mountProbes(app, services)
  await app.listen({ port: HEALTH_PORT, host: HOST })
  return () => app.close()
}
