import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Deadline, REQUEST_MS, withDeadline } from '../db/deadline.ts'

export interface Deadlines {
  /** A request's body must arrive within this time after its headers. */
  bodyMs: number
  /** A long upload may take any time, but must not fall silent for this long. */
  silenceMs: number
  /** After an answer that did not wait for the body, the rest is read and dropped for this long. */
  drainMs: number
}

const DEADLINES: Deadlines = { bodyMs: 15_000, silenceMs: 30_000, drainMs: 5_000 }

const long = new WeakSet<IncomingMessage>()

/**
 * Closes connections whose request body does not arrive in time. Node's own `requestTimeout` covers the whole request without exception, so
 * it would cut off every upload longer than 15 seconds; it is turned off and this replaces it. Slow headers remain Node's business
 * (`headersTimeout`).
 */
export function watchBodies(app: FastifyInstance, deadlines: Deadlines = DEADLINES): void {
  app.addHook('onRequest', async (request) => watch(request.raw, deadlines))
  // When a body is too large, Fastify would close the connection at once.
  app.addHook('onSend', async ({ raw }, reply) => {
    if (!raw.complete) reply.removeHeader('connection')
  })
  app.addHook('onResponse', async ({ raw }) => {
    if (raw.complete || !(raw.socket instanceof Socket)) return
    // A piped, unread body would block the next request on this connection, and closing the connection could lose the answer.
    raw.unpipe()
    drop(raw)
    closeAfter(raw, raw.socket, deadlines.drainMs)
  })
}

/** Node checks twice before it treats a connection as idle: a reader that takes nothing of its answer is gone after two of these at most. */
const UNREAD_MS = 12_000

/**
 * Through a proxy that does not store answers: between it and us are several megabytes, and we see its reader take something only once a good
 * part of them has gone. It closes a reader that takes nothing by its own limit.
 */
const UNREAD_PROXY_MS = 300_000

/**
 * Closes connections whose reader takes nothing of an answer for a while: otherwise it would stay in memory for as long as the reader
 * likes. Growing answers are exempt: their pauses are our own.
 */
export function watchReaders(app: FastifyInstance, unreadMs = UNREAD_MS, unreadProxyMs = UNREAD_PROXY_MS): void {
  // Node counts any bytes the network accepts as activity, and restores the connection's own timeout once the answer is written.
  app.addHook('onSend', async ({ raw, ips = [] }, reply) => {
    if (String(reply.getHeader('content-type')).startsWith('text/event-stream')) return
    // Of a proxy that is not ours, only its own address is here.
    raw.socket.setTimeout?.(ips.length > 1 ? unreadProxyMs : unreadMs)
  })
}

/** Gives a request an upload's deadline: only silence ends it. For authenticated callers. */
export function allowLongBody(request: FastifyRequest): void {
  long.add(request.raw)
}

/**
 * Answers every request within REQUEST_MS whatever the database does, except on routes declared long, such as uploads and growing answers.
 * Counted from when the body has arrived.
 */
export function limitDatabaseTime(app: FastifyInstance): void {
  const running = new WeakMap<FastifyRequest, Deadline>()
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.routeOptions.config.long) return done()
    const deadline = { ends: performance.now() + REQUEST_MS }
    running.set(request, deadline)
    withDeadline(deadline, done)
  })
  app.addHook('onResponse', async (request) => {
    const deadline = running.get(request)
    if (deadline) deadline.ends = Number.POSITIVE_INFINITY
  })
}

function watch(raw: IncomingMessage, { bodyMs, silenceMs }: Deadlines): void {
  const { socket } = raw
  // A request injected by a test has no connection to close.
  if (!(socket instanceof Socket)) return
  let read = socket.bytesRead
  let waited = 0
  const step = Math.min(bodyMs, silenceMs) / 15
  const timer = setInterval(() => {
    if (raw.complete || socket.destroyed) return clearInterval(timer)
    waited += step
    if (long.has(raw) && socket.bytesRead !== read) {
      read = socket.bytesRead
      waited = 0
    }
    if (waited >= (long.has(raw) ? silenceMs : bodyMs)) socket.destroy()
  }, step)
  timer.unref()
  raw.once('close', () => clearInterval(timer))
}

/** Bytes after an answer are dropped up to this limit: a client that sends more has time to read the answer, and waits. */
const MOST_DROPPED_BYTES = 8 * 1024 ** 2

function drop(raw: IncomingMessage): void {
  let dropped = 0
  raw.on('data', (chunk: Buffer) => {
    dropped += chunk.length
    if (dropped > MOST_DROPPED_BYTES) raw.pause()
  })
  raw.resume()
}

function closeAfter(raw: IncomingMessage, socket: Socket, ms: number): void {
  const timer = setTimeout(() => {
    if (!raw.complete) socket.destroy()
  }, ms)
  timer.unref()
}
