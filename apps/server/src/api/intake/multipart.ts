import type { IncomingMessage } from 'node:http'
import type { Multipart } from '@fastify/multipart'
import { Refusal } from '@pillar/contract'
import type { FastifyRequest } from 'fastify'
import type { Part } from '../context.ts'
import { allowLongBody } from '../deadline.ts'

/** Once the whole body is there, the next part takes no time. For a part without a head, the parser would wait for ever. */
const STALLED_MS = 1_000

/** The parts of an upload as they arrive; nothing is buffered in memory. */
export async function* partsOf(request: FastifyRequest): AsyncGenerator<Part> {
  if (!request.isMultipart()) throw new Refusal('unreadable', 'Send the files as multipart/form-data.')
  allowLongBody(request)
  for await (const part of readForm(request)) {
    if (part.type === 'field') yield { kind: 'field', name: part.fieldname, value: String(part.value) }
    else yield { kind: 'file', name: part.fieldname, filename: part.filename, stream: part.file }
  }
}

/**
 * The parts of a form as they arrive.
 * @throws Refusal invalid if it breaks off or is no form: the sender's mistake, which must not count as the server's
 */
export async function* readForm(
  request: FastifyRequest,
  options?: Parameters<FastifyRequest['parts']>[0],
): AsyncGenerator<Multipart> {
  const parts = request.parts(options)
  for (;;) {
    const next = await unlessStalled(parts.next(), request.raw).catch((error: { statusCode?: number }) => {
      throw request.raw.readableAborted || error.statusCode === 413 ? error : brokenForm()
    })
    if (next.done) return
    // The parser also gives parts that have no name.
    if (typeof next.value.fieldname !== 'string') throw brokenForm()
    yield next.value
  }
}

/** Whether a file could not be read because its form broke off in it. */
export const isCutFile = ({ message }: Error): boolean =>
  /^(Unexpected end of multipart data|Part terminated early)/.test(message)

export const brokenForm = () =>
  new Refusal(
    'invalid',
    'The form in this request cannot be read: it broke off, or it is not multipart/form-data as it should be. Please send it again.',
  )

function unlessStalled<T>(next: Promise<T>, raw: IncomingMessage): Promise<T> {
  return new Promise((resolve, reject) => {
    const step = STALLED_MS / 4
    let waited = 0
    const timer = setInterval(() => {
      if (raw.readableEnded) waited += step
      if (waited >= STALLED_MS) end(() => reject(brokenForm()))
    }, step)
    const end = (settle: () => void) => {
      clearInterval(timer)
      settle()
    }
    next.then(
      (value) => end(() => resolve(value)),
      (error: unknown) => end(() => reject(error)),
    )
  })
}
