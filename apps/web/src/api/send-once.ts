import { newId } from '../shared/new-id.ts'
import { RefusedError } from '../shared/refused.ts'

/** A write that is under way, or whose outcome is unknown. */
interface Sent {
  key: string
  /** Null once it has failed without an answer. */
  running: Promise<unknown> | null
  /** Its place among all attempts. */
  at: number
}

const sent = new Map<string, Sent>()
let attempts = 0

/** How many attempts have been made so far. */
export const attemptsSoFar = (): number => attempts

const UNKNOWN =
  'The server did not answer, so it may or may not have been done. Try again without changing anything: it is never done twice.'

/**
 * Sends a write that the server carries out only once. An identical write while the first is under way, as after a double click, joins the first.
 * After an attempt without an answer, the same write is sent under the same key, so that the server returns its answer instead of repeating it.
 * @param write the complete request: two writes are the same if it is
 */
export function sendOnce<T>(write: string, send: (requestKey: string) => Promise<T>): Promise<T> {
  const before = sent.get(write)
  if (before?.running) return before.running as Promise<T>
  const key = before?.key ?? newId()
  attempts += 1
  const at = attempts
  const running = send(key).then(
    (answer) => {
      sent.delete(write)
      return answer
    },
    (error) => {
      if (!isUnknown(error)) sent.delete(write)
      else sent.set(write, { key, running: null, at })
      // Our own server says itself what is known, with a code.
      const silent = error instanceof RefusedError && error.unknown && error.code === null
      throw silent ? new RefusedError(error.status, UNKNOWN, error) : error
    },
  )
  sent.set(write, { key, running, at })
  return running
}

/**
 * Whether an attempt got no answer whose `write` begins like this; it may have been done.
 * @param after only attempts after so many
 */
export const isUnanswered = (about: string, after = 0): boolean =>
  [...sent].some(([write, { running, at }]) => running === null && at > after && write.startsWith(about))

/** Whether the write may have been done: the server may have been asked, or it is not known what went wrong. */
function isUnknown(error: unknown): boolean {
  if (!(error instanceof RefusedError)) return true
  return error.unknown
}
