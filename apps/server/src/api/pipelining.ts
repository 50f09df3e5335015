import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Requests that may wait for their answers on one connection. Browsers and HTTP libraries send the next one only after the last answer. */
const MOST_WAITING = 16

/**
 * Closes a connection that sends request after request without waiting. Node starts every request in a packet, which can be a thousand, and
 * holds the answers in memory for as long as the reader likes.
 */
export function limitPipelining(app: FastifyInstance, most = MOST_WAITING): void {
  const waiting = new WeakMap<Socket, number>()
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    // A request injected by a test has no connection to close.
    if (!(socket instanceof Socket)) return done()
    const count = (waiting.get(socket) ?? 0) + 1
    waiting.set(socket, count)
    reply.raw.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1))
    if (count <= most) return done()
    // Later requests in the same packet get here too, and go no further.
    socket.destroy()
  })
}
