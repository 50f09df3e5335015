import { PassThrough } from 'node:stream'
import type { Call, Refusal } from '@pillar/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Context, Services } from '../context.ts'
import { bodyOf, refusalOf } from './refusal.ts'

/** Whether the client wants to watch the answer grow. */
export function asksForEvents(request: FastifyRequest): boolean {
  return /(?:^|,)\s*text\/event-stream\s*(?:;|,|$)/i.test(request.headers.accept ?? '')
}

/** Aborts when the connection closes before the answer has been sent. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort()
  })
  return controller.signal
}

/**
 * Answers a growing call with server-sent events (contract: `grows`). Headers are sent with the first event, so an earlier refusal still
 * gets its own status. Body deadlines do not apply: they end with the request's last byte.
 */
export async function answerInEvents(
  call: Call,
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
  run: (grow: Context['grow']) => Promise<unknown>,
): Promise<FastifyReply> {
  const stream = new PassThrough()
  let begun = false
  const tell = (event: 'text' | 'done' | 'refused', data: unknown) => {
    if (!begun) reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no').send(stream)
    begun = true
    stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }
  try {
    const result = await run((part) => {
      // Each event holds the whole answer so far, so a slow reader can skip one without losing anything.
      if (!stream.writableNeedDrain) tell('text', call.grows?.parse(part))
    })
    tell('done', call.output.parse(result))
  } catch (error) {
    if (!begun) throw error
    tell('refused', bodyOf(refusalOf(error as FastifyError | Refusal, request, services), request))
  }
  stream.end()
  return reply
}
