import type { AskOf, Call, ReplyOf } from '@pillar/contract'
import { REFUSALS, type RefusalBody } from '@pillar/contract/wire/refusals'
import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream'
import { bearer, endIfExpired } from '../session/session.ts'
import { within } from '../shared/post.ts'
import { RefusedError, refusedFrom } from '../shared/refused.ts'

/** Longer than the server's own deadline, so that its sentence arrives first. */
const DEADLINE_MS = 30_000

/**
 * Sends a call whose answer grows (contract: `grows`), and reports the answer so far as it arrives. Throws a RefusedError for every refusal, even
 * midway, and for an answer that broke off; the abort's own error if `signal` was aborted.
 */
export async function follow<C extends Call>(
  call: C,
  input: AskOf<C>,
  onPart: (part: unknown) => void,
  signal: AbortSignal,
): Promise<ReplyOf<C>> {
  try {
    return (await read(call.path, input, await bearer(), onPart, signal)) as ReplyOf<C>
  } catch (error) {
    if (signal.aborted) throw error
    endIfExpired(error)
    throw error instanceof RefusedError ? error : new RefusedError(0, BROKEN)
  }
}

const BROKEN = 'The answer broke off before it was whole. Check your connection and try again.'

async function read(
  path: string,
  input: unknown,
  token: string,
  onPart: (part: unknown) => void,
  signal: AbortSignal,
): Promise<unknown> {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${token}` },
    body: JSON.stringify(input),
    credentials: 'same-origin',
    signal: within(DEADLINE_MS, signal),
  })
  if (!answer.ok) throw refusedFrom(answer.status, await answer.text(), answer.headers.get('retry-after'))
  for await (const { event, data } of eventsOf(answer)) {
    const said: unknown = JSON.parse(data)
    if (event === 'done') return said
    if (event === 'refused') throw refusedIn(said as RefusalBody)
    if (event === 'text') onPart(said)
  }
  throw new RefusedError(0, BROKEN)
}

/** The server-sent events of an answer. Not every browser can loop over a stream. */
async function* eventsOf({ body }: Response): AsyncGenerator<EventSourceMessage> {
  const reader = body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader()
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done || !value) return
      yield value
    }
  } finally {
    // A caller that has its result, or was refused, reads no further, and the connection must not wait for it.
    await reader?.cancel().catch(() => {})
  }
}

const refusedIn = ({ code, message, errors }: RefusalBody) =>
  new RefusedError(REFUSALS[code], message, errors ? { code, errors } : { code })
