import { Refusal } from '@pillar/contract'
import { isLoopbackName } from '@pillar/domain/text/web-address'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from './context.ts'
import { isStrayOnBoards } from './frame/boards.ts'
import { isLoopback, wasPassedOn } from './network.ts'

/** Load balancers request these under any address they know; they reveal only that the process and its database run. */
const ANY_HOST = ['/healthz', '/readyz']

/**
 * Refuses requests under a host name that is not this installation's. Otherwise another site whose name is made to point here (DNS
 * rebinding) could address us as though from this machine. Our names are those of PUBLIC_URL, HOST, HOSTS and the loopback address.
 */
export function watchHosts(app: FastifyInstance, services: Services): void {
  const { env } = services
  app.addHook('onRequest', async (request) => {
    if (ANY_HOST.includes(request.routeOptions.url ?? '')) return
    if (request.routeOptions.url === '/metrics' && env.METRICS_TOKEN !== undefined) return
    const boards = env.BOARDS_URL ? [new URL(env.BOARDS_URL).hostname] : []
    const names = [env.HOST, ...env.HOSTS, ...boards, new URL(services.publicUrl()).hostname]
    const own = new Set(names.map((name) => nameOf(name)))
    for (const host of [request.headers.host, request.host]) {
      const name = nameOf(host)
      if (name === null || !(isLoopbackName(name) || own.has(name))) {
        throw new Refusal('misdirected', 'This server does not go by that name. Open it by the address you were given.')
      }
    }
    if (isStrayOnBoards(request, services)) throw new Refusal('not_found', 'Only boards are here.')
  })
}

/** Whether a request came straight from this machine, under one of its names, with no sign of a proxy. */
export function isFromThisMachine(request: FastifyRequest): boolean {
  const name = nameOf(request.headers.host)
  return (
    !wasPassedOn(request) && isLoopback(request.socket.remoteAddress ?? '') && name !== null && isLoopbackName(name)
  )
}

/** The host name of a Host header, lower-case and without port; null if it is neither a name nor an address. */
function nameOf(host: string | undefined): string | null {
  const name = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.exec(host ?? '')?.[1]
  return name?.toLowerCase().replace(/\.$/, '') ?? null
}
