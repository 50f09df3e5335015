import { createHash, timingSafeEqual } from 'node:crypto'
import { Refusal } from '@pillar/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '../context.ts'
import { isFromThisMachine } from '../host.ts'
import type { Figures } from './figures.ts'
import { mountProbes } from './probe.ts'

/** Liveness, readiness and Prometheus metrics. Metrics carry call names and states, never people. */
export function mountHealth(app: FastifyInstance, services: Services, figures: Figures): void {
  app.addHook('onResponse', async (request, reply) => {
    const call = request.routeOptions.config.call ?? 'page'
    figures.answered(call, reply.statusCode, reply.elapsedTime / 1000)
    services.log.debug(
      { request: request.id, call, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    )
  })
  mountProbes(app, services)
  app.get('/metrics', async (request, reply) => {
    requireReader(request, services.env.METRICS_TOKEN)
    const { type, text } = await figures.text()
    return reply.type(type).send(text)
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
