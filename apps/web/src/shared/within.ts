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
