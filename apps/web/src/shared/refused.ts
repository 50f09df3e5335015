import type { RefusalBody } from '@pillar/contract/wire/refusals'

/** A refusal by the server, in words a person can read. `status` 0: no answer came. */
export class RefusedError extends Error {
  readonly status: number
  readonly code: RefusalBody['code'] | null
  readonly errors: Readonly<Record<string, readonly string[]>>
  /** Seconds until a retry makes sense, if the server sent them. */
  readonly retryAfter: number | null

  constructor(
    status: number,
    message: string,
    more: Partial<Pick<RefusedError, 'code' | 'errors' | 'retryAfter'>> = {},
  ) {
    super(message)
    this.name = 'RefusedError'
    this.status = status
    this.code = more.code ?? null
    this.errors = more.errors ?? {}
    this.retryAfter = more.retryAfter ?? null
  }

  /**
   * Whether the request may have been carried out: no answer came or none of ours, a server went away midway, or the first attempt is still under
   * way. A proxy may put a page of its own in the place of the answer, even as 200.
   */
  get unknown(): boolean {
    const { status, code } = this
    return (
      status < 400 || (status >= 500 && code === null) || status >= 502 || (status === 409 && this.retryAfter !== null)
    )
  }

  /**
   * Whether the session is over: a 401 or, by the specification's rule, any error text with 'expired' in an answer without one of our codes. A
   * refusal with a code may quote a name, a field or an approval that contains the word.
   */
  get expired(): boolean {
    return this.status === 401 || (this.code === null && this.status !== 0 && /expired/i.test(this.message))
  }
}

/**
 * Reads a refusal: the message, plus any field errors it does not already contain. The body from a proxy is shown only if it is a sentence; a page,
 * an object or a stack means nothing to a reader, so the status is shown instead.
 */
export function refusedFrom(status: number, text: string, retryAfter: string | null = null): RefusedError {
  const seconds = Number(retryAfter)
  const wait = { retryAfter: retryAfter !== null && Number.isFinite(seconds) ? seconds : null }
  const body = bodyOf(text)
  if (!body?.message) {
    return new RefusedError(status, sentenceIn(text) ?? sentenceFor(status), wait)
  }
  const errors = body.errors ?? {}
  let message = body.message
  for (const said of Object.values(errors).flat()) {
    // A bare number is a value for the screen (attempts left), not a sentence.
    if (!/^\d+$/.test(said) && !message.includes(said)) message += ` ${said}`
  }
  return new RefusedError(status, message, { code: body.code ?? null, errors, ...wait })
}

const SENTENCE_LIMIT = 200

/** Plain words a proxy may answer with, such as 'Too many requests.'; null for markup, JSON and anything long. */
function sentenceIn(text: string): string | null {
  const words = text.trim()
  return words.length <= SENTENCE_LIMIT && /^\p{L}[^<>{}\n]* [^<>{}\n]*[.!?]$/u.test(words) ? words : null
}

function sentenceFor(status: number): string {
  if (status === 413) return 'This is too large to be sent. Nothing was saved.'
  if (status >= 500) return `The server could not answer (${status}). Please try again in a minute.`
  return `The server refused the request (${status}). Load the page again and retry.`
}

function bodyOf(text: string): Partial<RefusalBody> | null {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? (parsed as Partial<RefusalBody>) : null
  } catch {
    return null
  }
}

/** The message for any thrown error: the server's own, or that this page failed. */
export function wordsOf(thrown: unknown): string {
  return thrown instanceof RefusedError ? thrown.message : 'Something went wrong on this page. Please try again.'
}

/** The same for an act that failed, such as 'Sending was not stopped.'; without an answer nobody knows that, so it is left out. */
export const failureWords = (failed: string, thrown: unknown): string =>
  thrown instanceof RefusedError && thrown.unknown ? thrown.message : `${failed} ${wordsOf(thrown)}`
