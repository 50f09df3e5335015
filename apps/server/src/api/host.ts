import { Refusal } from '@pillar/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from './context.ts'
import { isStrayOnBoards } from './frame/boards.ts'
import { isLoopback, wasPassedOn } from './network.ts'

/** What load balancers ask by whatever address they know; tells nothing but that the process and its database run. */
const ANY_HOST = ['/healthz', '/readyz']

/**
 * Refuses requests under a name that is not this installation's: a page of another site whose name is made to lead here (DNS rebinding)
 * would otherwise speak to us as if from this machine. Ours are the names of PUBLIC_URL, HOST, HOSTS and of the loopback address.
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

/** Whether a request came straight from this machine, under a name of it and through no proxy that says so. */
export function isFromThisMachine(request: FastifyRequest): boolean {
  const name = nameOf(request.headers.host)
  return (
    !wasPassedOn(request) && isLoopback(request.socket.remoteAddress ?? '') && name !== null && isLoopbackName(name)
  )
}

/** The name of a Host header without its port, in small letters; null for what is no name or address. */
function nameOf(host: string | undefined): string | null {
  const name = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.exec(host ?? '')?.[1]
  return name?.toLowerCase().replace(/\.$/, '') ?? null
}

/** Whether a name, in small letters and without a port, leads a browser to its own machine. */
export const isLoopbackName = (name: string) => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(name)
