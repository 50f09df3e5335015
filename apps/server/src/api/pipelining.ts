import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Requests that may wait for their answers on one connection. Browsers and HTTP libraries send the next one when the last is answered. */
const MOST_WAITING = 16

/**
 * Closes a connection that sends request after request without waiting. Node begins all that one packet brings, which can be a thousand,
 * and answers are held in memory for as long as their reader likes.
 */
export function limitPipelining(app: FastifyInstance, most = MOST_WAITING): void {
  const waiting = new WeakMap<Socket, number>()
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    // A request put in by a test has no connection to close.
    if (!(socket instanceof Socket)) return done()
    const count = (waiting.get(socket) ?? 0) + 1
    waiting.set(socket, count)
    reply.raw.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1))
    if (count <= most) return done()
    // Those behind it in the same packet come here too, and go no further.
    socket.destroy()
  })
}
