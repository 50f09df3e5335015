import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { REFUSALS } from '@pillar/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Services } from '../context.ts'
import { hasMarker } from '../cookie.ts'
import { boardParents, embeddedOrigins } from '../frame/boards.ts'
import { keptFile } from './kept-screens.ts'

export const webFolder = fileURLToPath(new URL('../../../../web/dist', import.meta.url))

/** Pages a visitor may open without signing in: their own small bundle. */
const PUBLIC = /^(?:\/en_(?:gb|us))?\/(?:login|change-password|second-factor|reset-password)(?:\/|$)/

/** A public page that a signed-in user sees inside the portal. */
const OUTBOX = /^(?:\/en_(?:gb|us))?\/outbox\/?$/

/** Pages for patients: the smallest bundle, for phones. `/u/…` is how a text writes `/unsubscribe/…`. */
const PATIENT = /^(?:\/en_(?:gb|us))?\/(?:consent|unsubscribe|u|download-file|clinicaltrial)(?:\/|$)/i

/** Sign-up for the calculator. */
const SIGNUP = /^(?:\/en_(?:gb|us))?\/calculator(?:\/|$)/i

/** One of Pillar's own boards, for embedding: has its own bundle. */
const BOARD = /^\/embedded\/[0-9a-f-]{36}\/?$/i

/** A country's base path, in upper or lower case. */
const BASE = /^\/en_(?:gb|us)(?=[/?]|$)/i

type PageName = 'patient.html' | 'signup.html' | 'public.html' | 'board.html' | 'index.html'

/** Which page to serve at an address. */
export function pageOf(path: string, signedIn: boolean): PageName {
  if (SIGNUP.test(path)) return 'signup.html'
  if (BOARD.test(path)) return 'board.html'
  if (PATIENT.test(path)) return 'patient.html'
  return PUBLIC.test(path) || (OUTBOX.test(path) && !signedIn) ? 'public.html' : 'index.html'
}

/** The documents that pages link to, at paths readers know; made by `npm run legal`. */
export const DOCUMENTS = ['EULA.pdf', 'Privacy_Policy.pdf']

/** A document may be shown inside one of our own pages, which nothing else may be. A browser's PDF reader needs no scripts of ours. */
function mountDocuments(app: FastifyInstance, folder: string): void {
  for (const name of DOCUMENTS) {
    app.get(`/${name}`, async (_request, reply) => {
      const file = resolve(folder, name)
      if (!existsSync(file)) return reply.status(404).type('text/plain').send('Not found')
      return reply
        .type('application/pdf')
        .header('cache-control', 'public, max-age=3600')
        .header('content-disposition', `inline; filename="${name}"`)
        .header('content-security-policy', "default-src 'none';style-src 'unsafe-inline';frame-ancestors 'self'")
        .header('x-frame-options', 'SAMEORIGIN')
        .send(await readFile(file))
    })
  }
}

/** Serves the screens built in `folder`: hashed assets are cached for a year, pages never. Without a build, only the API answers. */
export async function mountPages(app: FastifyInstance, folder: string, services: Services): Promise<void> {
  mountDocuments(app, folder)
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0]!
    const base = BASE.exec(path)?.[0] ?? ''
    const reads = ['GET', 'HEAD'].includes(request.method)
    if (reads && base !== base.toLowerCase())
      return reply.redirect(base.toLowerCase() + request.url.slice(base.length), 308)
    if (!reads || /^\/(?:api|webhooks)\//.test(path) || !existsSync(resolve(folder, 'index.html'))) {
      return reply.status(REFUSALS.not_found).send({ code: 'not_found', message: 'There is no such call.' })
    }
    if (path.startsWith('/assets/')) return sendKept(reply, services, path.slice('/assets/'.length))
    const page = pageOf(path, hasMarker(request))
    const text = await readFile(resolve(folder, page), 'utf8')
    framing(page, reply, services)
    return reply.status(200).type('text/html; charset=utf-8').header('cache-control', 'no-store').send(text)
  })
  if (!existsSync(folder)) return
  await app.register(fastifyStatic, {
    root: resolve(folder, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    wildcard: true,
  })
}

/** Sends a file of the screens of another version, as ours are sent. */
async function sendKept(reply: FastifyReply, { env }: Services, name: string): Promise<FastifyReply> {
  const type = TYPES[extname(name)]
  const content = type ? await keptFile(env.DATA_DIR, name) : null
  if (!type || !content) return reply.status(404).type('text/plain').send('Not found')
  return reply.status(200).type(type).header('cache-control', 'public, max-age=31536000, immutable').send(content)
}

/** Of the files that a build writes. */
const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/**
 * Only the portal may contain frames: the named origins and our own documents. Only a board may be framed, and only by the portal. Every
 * other page stays closed both ways.
 */
function framing(page: PageName, reply: FastifyReply, services: Services): void {
  const policy = String(reply.getHeader('content-security-policy') ?? '')
  if (page === 'index.html') {
    const frames = ["frame-src 'self'", ...embeddedOrigins(services)].join(' ')
    const kept = policy.split(';').filter((one) => !one.startsWith('frame-src '))
    reply.header('content-security-policy', [...kept, frames].join(';'))
  }
  if (page === 'board.html') {
    const parents = `frame-ancestors ${boardParents(services).join(' ')}`
    reply.header('content-security-policy', policy.replace("frame-ancestors 'none'", parents))
    reply.removeHeader('x-frame-options')
  }
}
