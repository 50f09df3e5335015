import type { Call } from '@pillar/contract'
import { SCREENS_HEADER } from '@pillar/contract/wire/screens'
import { RefusedError } from '../shared/refused.ts'

// A page that was open during the upgrade meets newer servers from then on: only reloading helps it.
const UPGRADING = 'Pillar is being upgraded. Please try again in a moment, or reload the page.'
const RETRY_SECONDS = 3

/** The script this page runs: its name changes with every version of the screens. */
function ownScript(): string | null {
  if (typeof document === 'undefined') return null
  const src = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src
  return src?.split('/').at(-1) ?? null
}

/** Whether the answer comes from a server with other screens than this page: one of two versions while Pillar is upgraded. */
export function fromOtherVersion(headers: Headers, own = ownScript()): boolean {
  const theirs = headers.get(SCREENS_HEADER)
  return own !== null && theirs !== null && theirs !== own
}

/**
 * Checks what a server of another version answered to a read: a screen must not meet an answer it was not made for. A write is not checked,
 * because it has been done.
 * @returns the answer with the defaults of fields that an older server does not send
 * @throws RefusedError which is retried after a few seconds
 */
export function checkAnswer(call: Call, answer: unknown): unknown {
  if (call.kind !== 'read' || (call.answer ?? 'json') !== 'json') return answer
  const parsed = call.output.safeParse(answer)
  if (!parsed.success) throw upgrading()
  return parsed.data
}

/** What a refusal by a server of another version means: it may not know the call of a new screen yet. */
export const refusedByOther = (error: unknown): unknown =>
  error instanceof RefusedError && error.status === 404 && error.message === 'There is no such call.'
    ? upgrading()
    : error

const upgrading = () => new RefusedError(503, UPGRADING, { code: 'unavailable', retryAfter: RETRY_SECONDS })
