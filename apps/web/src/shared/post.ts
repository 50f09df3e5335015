import { RefusedError, refusedFrom } from './refused.ts'

/** Longer than the server's own deadline, so that its sentence arrives first. */
const DEADLINE_MS = 30_000
/** The same for a call that makes a long file or changes many rows (contract: `long`, `slow`). */
const LONG_DEADLINE_MS = 900_000
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export interface PostOptions {
  /** The call makes a long file: it may take minutes, and the file is returned unchanged. */
  long?: boolean
  /** The call changes many rows, and may take minutes. */
  slow?: boolean
  bearer?: string | null
  /** Permission for one action, from a re-entered password. */
  grant?: string
  /** The server carries out requests with the same key only once, however often they are sent. */
  requestKey?: string | undefined
  signal?: AbortSignal
  /** Default POST; a DELETE has no body. */
  method?: 'POST' | 'DELETE' | undefined
  /** The answer to this very request, if it was sent before. */
  asked?: Promise<Response> | undefined
  /** Gets the headers of the answer, or of the refusal. */
  heard?: (headers: Headers) => void
}

/**
 * One POST with a JSON body, or one DELETE. JSON answers come back parsed, CSV answers as `{ filename, text }`, a PDF as
 * `{ filename, base64 }`, a spreadsheet as `{ filename, file }`.
 * Throws a RefusedError for every refusal, and for no answer at all (status 0).
 */
export async function post(path: string, input: unknown, options: PostOptions = {}): Promise<unknown> {
  const { method = 'POST' } = options
  const headers: Record<string, string> = method === 'POST' ? { 'content-type': 'application/json' } : {}
  if (options.bearer) headers.authorization = `Bearer ${options.bearer}`
  if (options.grant) headers['x-step-up-grant'] = options.grant
  if (options.requestKey) headers['idempotency-key'] = options.requestKey
  const signal = within(options.long || options.slow ? LONG_DEADLINE_MS : DEADLINE_MS, options.signal)
  let answer: Response
  let text: string
  try {
    const sent =
      options.asked ??
      fetch(path, {
        method,
        headers,
        ...(method === 'POST' ? { body: JSON.stringify(input) } : {}),
        credentials: 'same-origin',
        signal,
      })
    answer = await sent
    options.heard?.(answer.headers)
    if (answer.ok && answer.headers.get('content-type') === 'application/pdf') {
      const bytes = new Uint8Array(await answer.arrayBuffer())
      return { filename: filenameOf(answer.headers.get('content-disposition')), base64: base64Of(bytes) }
    }
    const named = answer.headers.get('content-disposition')
    // A network filter's page has no name, and would be saved as the file.
    if (answer.ok && named !== null && (options.long || answer.headers.get('content-type') === XLSX)) {
      return { filename: filenameOf(named), file: await answer.blob() }
    }
    text = await answer.text()
  } catch (cause) {
    if (options.signal?.aborted) throw cause
    throw new RefusedError(0, 'The server did not answer. Check your connection and try again.')
  }
  if (!answer.ok) throw refusedFrom(answer.status, text, answer.headers.get('retry-after'))
  if (answer.headers.get('content-type')?.startsWith('text/csv')) {
    return { filename: filenameOf(answer.headers.get('content-disposition')), text }
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new RefusedError(answer.status, 'The server sent an answer that could not be read. Please try again.')
  }
}

/**
 * A signal that aborts after `ms`, or with `other`. Browsers still in use lack AbortSignal.timeout and AbortSignal.any, which phones have since
 * iOS 16 and 17.4: without them no patient there could unsubscribe.
 */
export function within(ms: number, other?: AbortSignal): AbortSignal {
  const stop = new AbortController()
  setTimeout(() => stop.abort(new DOMException('The time is over.', 'TimeoutError')), ms)
  const follow = () => stop.abort(other?.reason)
  if (other?.aborted) follow()
  other?.addEventListener('abort', follow, { once: true })
  return stop.signal
}

/** Bytes as base64 text; in pieces, because a call accepts only so many arguments. */
export function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}

/** The file name of a content-disposition header, the UTF-8 form first. */
export function filenameOf(disposition: string | null): string {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (extended) {
    try {
      return decodeURIComponent(extended)
    } catch {
      // A broken escape: the plain name below is used.
    }
  }
  return /filename="([^"]*)"/i.exec(disposition ?? '')?.[1] || 'export.csv'
}
