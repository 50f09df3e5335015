import { createHash, timingSafeEqual } from 'node:crypto'
import { Refusal } from '@pillar/contract'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Services } from '../context.ts'
import { isFromThisMachine } from '../host.ts'
import { readinessOf } from '../readiness.ts'
import type { Figures } from './figures.ts'
import { listenOn } from './listen.ts'

/**
 * Tells load balancers and orchestrators whether the process runs and can do its work. Also serves its metrics, which carry states, never
 * people.
 */
export function mountProbes(app: FastifyInstance, services: Services, figures: Figures): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  const readiness = readinessOf(services)
  app.get('/readyz', async (_request, reply) => {
    const missing = await readiness()
    // Pillar also works without its replica, so it is ready while the replica is away.
    const replica = services.replica ? { replica: services.replica.sentence } : {}
    return missing.length === 0
      ? { status: 'ready', ...replica }
      : reply.status(503).send({ status: 'not ready', missing })
  })
  app.get('/metrics', async (request, reply) => {
    requireReader(request, services.env.METRICS_TOKEN)
    const { type, text } = await figures.text()
    return reply.type(type).send(text)
  })
}

/** Serves the probes on HEALTH_PORT in a process that serves nothing else. @returns what closes it */
export async function openProbes(services: Services, figures: Figures): Promise<() => Promise<void>> {
  const { HEALTH_PORT, HOST } = services.env
  if (HEALTH_PORT === undefined) return async () => {}
  const app = Fastify({ requestTimeout: 10_000, bodyLimit: 1 })
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof Refusal) return reply.status(error.status).send({ message: error.message })
    throw error
  })
  mountProbes(app, services, figures)
  await listenOn(app, HOST, HEALTH_PORT, 'HEALTH_PORT')
  return () => app.close()
}

/**
 * Only readers with METRICS_TOKEN may see metrics. If none is set, programs on this machine may, provided no proxy passed the request on.
 * Others get the answer of an address that does not exist.
 */
function requireReader(request: FastifyRequest, token: string | undefined): void {
  if (token !== undefined) {
    const shown = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
    // Hashes have the same length, so the time taken reveals nothing about the token.
    if (timingSafeEqual(sha256(shown), sha256(token))) return
    throw new Refusal('not_signed_in', 'Show the token of METRICS_TOKEN as a bearer.')
  }
  if (!isFromThisMachine(request)) {
    throw new Refusal('not_found', 'There is no such call.')
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()
