import { randomUUID } from 'node:crypto'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import type { Refusal } from '@pillar/contract'
import { UPLOAD_SETS } from '@pillar/domain/upload/upload-format'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyContextConfig,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { COMPRESSION } from './api/answer/compression.ts'
import { mount } from './api/call/mount.ts'
import { takeEmptyJson } from './api/call/parse.ts'
import { bodyOf, refusalOf } from './api/call/refusal.ts'
import type { Services } from './api/context.ts'
import { limitDatabaseTime, watchBodies, watchReaders } from './api/deadline.ts'
import { type Figures, openFigures } from './api/health/figures.ts'
import { mountHealth } from './api/health/health.ts'
import { watchHosts } from './api/host.ts'
import { atGateways, countUnreadable } from './api/intake/mistyped.ts'
import { mountOneClick } from './api/intake/one-click.ts'
import { mountWebhooks } from './api/intake/webhooks.ts'
import { trusts } from './api/network.ts'
import { mountDocs } from './api/page/docs.ts'
import { DOCUMENTS, mountPages, webFolder } from './api/page/pages.ts'
import { tellScreens } from './api/page/screens.ts'
import { limitPipelining } from './api/pipelining.ts'
import { traceRequests } from './api/request-trace.ts'
import { handlers } from './features/index.ts'
import { captchaHosts } from './gateways/captcha.ts'

const MULTIPART_LIMITS = {
  fields: 20,
  files: UPLOAD_SETS.length,
  fieldSize: 10_000,
  fieldNameSize: 100,
  fileSize: 8 * 1024 ** 3,
}

const HEADER_BYTES = 16 * 1024

/** The address for undecodable ones: Fastify would answer those before any hook has run, and repeat the address. */
const NOWHERE = '/api/-'

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url.split('?', 1)[0]!)
    return true
  } catch {
    return false
  }
}

/** Routes outside the contract, open to everyone; /metrics has its own check. */
const OPEN = ['/healthz', '/readyz', '/metrics', '/api/docs', '/assets/*', ...DOCUMENTS.map((name) => `/${name}`)]

/** Stops the start if a route does not declare who may use it. */
function requirePolicy(route: { url: string; config?: FastifyContextConfig }): void {
  if (route.config?.needs === undefined && !OPEN.includes(route.url)) {
    throw new Error(`The route ${route.url} does not say who may use it: declare it in the contract.`)
  }
}

/** The HTTP server, wired and not yet listening. Deadlines: headers 10 s, a body 15 s, an upload 30 s of silence, an answer 24 s unread, through a proxy 10 minutes. */
export async function buildApp(
  services: Services,
  screens = webFolder,
  figures: Figures = openFigures(services),
): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: 256 * 1024,
    // api/deadline.ts ends slow bodies: Node's own limit would cut long uploads too.
    requestTimeout: 0,
    // Longer than any load balancer keeps its side open (Google's 600 s), so that none sends a request into a connection being closed.
    keepAliveTimeout: 620_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000, maxHeaderSize: HEADER_BYTES },
    // No address is longer than the headers: an invalid id is refused by its call, with the headers of every answer.
    routerOptions: { maxParamLength: HEADER_BYTES },
    rewriteUrl: ({ url = '/' }) => (isDecodable(url) ? atGateways(url) : NOWHERE),
    trustProxy: trusts(services.env.PROXIES),
  })
  app.addHook('onRoute', requirePolicy)
  app.removeContentTypeParser('text/plain')
  takeEmptyJson(app)
  watchBodies(app)
  watchReaders(app)
  limitPipelining(app)
  traceRequests(app)
  limitDatabaseTime(app)
  watchHosts(app, services)
  await app.register(cookie)
  const widget = captchaHosts(services.env.CAPTCHA)
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...widget],
        styleSrc: ["'self'", "'unsafe-inline'", ...widget],
        // The page shows the agreement in a frame; a vendor's captcha uses its own frame.
        frameSrc: ["'self'", ...widget],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...widget],
        manifestSrc: ["'self'"],
        formAction: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: true },
    xFrameOptions: { action: 'deny' },
  })
  await app.register(compress, COMPRESSION)
  await app.register(multipart, { limits: MULTIPART_LIMITS })
  app.addHook('onSend', async (request, reply) => {
    // By the route as well: '/%61pi/…' is a call too, however its address was written.
    if (request.url.startsWith('/api/') || request.routeOptions.url?.startsWith('/api/'))
      reply.header('cache-control', 'no-store')
  })
  tellScreens(app, screens)
  app.setErrorHandler((error: FastifyError, request, reply) => refuse(error, request, reply, services))
  mountHealth(app, services, figures)
  countUnreadable(app, services, figures)
  mountDocs(app)
  mount(app, handlers, services)
  await mountWebhooks(app, services)
  await mountOneClick(app, services)
  await mountPages(app, screens, services)
  return app
}

/** Turns any error into a status and a body that reveal nothing internal. */
function refuse(
  error: FastifyError | Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
): FastifyReply {
  const refusal = refusalOf(error, request, services)
  if (refusal.retryAfter) reply.header('retry-after', String(refusal.retryAfter))
  return reply.status(refusal.status).send(bodyOf(refusal, request))
}
