import type { FastifyRequest } from 'fastify'
import type { Services } from '../context.ts'

const TWIN: Readonly<Record<string, string>> = { localhost: '127.0.0.1', '127.0.0.1': 'localhost' }

/**
 * The origin from which Pillar's own boards are embedded: BOARDS_URL, or this machine's other name (localhost and 127.0.0.1 are two origins
 * of one server and do not share cookies). Null if neither exists.
 */
export function boardsOrigin({ env, publicUrl }: Pick<Services, 'env' | 'publicUrl'>): string | null {
  if (env.BOARDS_URL) return new URL(env.BOARDS_URL).origin
  const own = new URL(publicUrl())
  const twin = TWIN[own.hostname]
  if (!twin) return null
  own.hostname = twin
  return own.origin
}

/** The origins whose pages may embed the boards: ours, under either name of this machine. */
export function boardParents({ env, publicUrl }: Pick<Services, 'env' | 'publicUrl'>): string[] {
  const own = new URL(publicUrl())
  const twin = TWIN[own.hostname]
  if (!twin || env.BOARDS_URL) return [own.origin]
  const other = new URL(own)
  other.hostname = twin
  return [own.origin, other.origin]
}

/** What the portal may embed: the boards, and the analytics server if one is configured. */
export function embeddedOrigins(services: Pick<Services, 'env' | 'publicUrl'>): string[] {
  const { env } = services
  const boards = boardsOrigin(services)
  const superset = !env.SUPERSET_URL
    ? []
    : env.SUPERSET_BROWSER_URL
      ? [new URL(env.SUPERSET_BROWSER_URL).origin]
      : env.DASHBOARD_HOSTS.map((host) => `https://${host}`)
  return [...new Set([...(boards ? [boards] : []), ...superset])]
}

/** The paths served under the boards' own host name; it has no portal. */
const BOARD_PATHS = /^\/(?:embedded\/|assets\/|api\/board-data$)/

/** Whether a request under the boards' own name asks for anything else. */
export function isStrayOnBoards(request: FastifyRequest, { env, publicUrl }: Services): boolean {
  if (!env.BOARDS_URL) return false
  const boards = new URL(env.BOARDS_URL).hostname
  return (
    boards !== new URL(publicUrl()).hostname &&
    request.hostname === boards &&
    !BOARD_PATHS.test(request.url.split('?', 1)[0]!)
  )
}
