import { newId } from '../shared/new-id.ts'
import { RefusedError } from '../shared/refused.ts'

/** A write on its way, or one whose fate is not known. */
interface Sent {
  key: string
  /** Null once it has failed without an answer. */
  running: Promise<unknown> | null
}

const sent = new Map<string, Sent>()

const UNKNOWN = 'The server did not answer, so it may or may not have been done. Try again: it is never done twice.'

/**
 * Sends a write that is carried out once. A second one like it, while the first is on its way, is the first: a double click. After an
 * attempt without an answer the same write goes under the same key, so that the server answers it and does not do it again.
 * @param write what is sent, in full: two writes are the same where this is
 */
export function sendOnce<T>(write: string, send: (requestKey: string) => Promise<T>): Promise<T> {
  const before = sent.get(write)
  if (before?.running) return before.running as Promise<T>
  const key = before?.key ?? newId()
  const running = send(key).then(
    (answer) => {
      sent.delete(write)
      return answer
    },
    (error) => {
      if (!isUnknown(error)) sent.delete(write)
      else sent.set(write, { key, running: null })
      throw error instanceof RefusedError && error.status === 0 ? new RefusedError(0, UNKNOWN) : error
    },
  )
  sent.set(write, { key, running })
  return running
}

/** Whether it may have been done: no answer, a server that went away in between, or the first attempt still under way. */
function isUnknown(error: unknown): boolean {
  if (!(error instanceof RefusedError)) return true
  const { status, retryAfter } = error
  return status === 0 || status >= 502 || (status === 409 && retryAfter !== null)
}
