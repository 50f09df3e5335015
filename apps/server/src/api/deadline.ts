import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Deadline, REQUEST_MS, withDeadline } from '../db/deadline.ts'

export interface Deadlines {
  /** A request's body must be here this long after its headers. */
  bodyMs: number
  /** A long upload may take any time, but not fall silent for this long. */
  silenceMs: number
  /** After an answer that did not wait for the body, what still comes is read and dropped for this long. */
  drainMs: number
}

const DEADLINES: Deadlines = { bodyMs: 15_000, silenceMs: 30_000, drainMs: 5_000 }

const long = new WeakSet<IncomingMessage>()

/**
 * Closes connections whose request body does not arrive in time. Node's own `requestTimeout` counts the whole request
 * and knows no exception, so it would cut every upload of more than 15 seconds; it is off, and this takes its place.
 * Slow headers remain Node's business (`headersTimeout`).
 */
export function watchBodies(app: FastifyInstance, deadlines: Deadlines = DEADLINES): void {
  app.addHook('onRequest', async (request) => watch(request.raw, deadlines))
  // Fastify would have a body that is too large closed over at once.
  app.addHook('onSend', async ({ raw }, reply) => {
    if (!raw.complete) reply.removeHeader('connection')
  })
  app.addHook('onResponse', async ({ raw }) => {
    if (raw.complete || !(raw.socket instanceof Socket)) return
    // A body left in a pipe would block the next request on this connection, and closing over it could lose the answer.
    raw.unpipe()
    drop(raw)
    closeAfter(raw, raw.socket, deadlines.drainMs)
  })
}

/** Node looks twice before it believes that nothing moves: a reader that takes nothing of its answer is gone after two of these at most. */
const UNREAD_MS = 12_000

/**
 * Closes connections whose reader takes nothing of an answer for a while: it would be held in memory for as long as they like. Answers that
 * grow are left alone: their pauses are our own.
 */
export function watchReaders(app: FastifyInstance, unreadMs = UNREAD_MS): void {
  // Node counts what the network takes as life, and gives the connection its own time again when the answer is written.
  app.addHook('onSend', async ({ raw }, reply) => {
    if (!String(reply.getHeader('content-type')).startsWith('text/event-stream')) raw.socket.setTimeout?.(unreadMs)
  })
}

/** Gives a request the deadline of an upload: only silence ends it. For callers who have shown who they are. */
export function allowLongBody(request: FastifyRequest): void {
  long.add(request.raw)
}

/**
 * Answers every request within REQUEST_MS whatever the database does, but those whose route says that they take their time: uploads and
 * answers that grow. Counted from when the body is here.
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
  // A request put in by a test has no connection to close.
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

/** What comes after an answer is dropped, up to here: whoever sends more has time to read the answer, and waits. */
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
