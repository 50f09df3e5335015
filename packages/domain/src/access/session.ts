/** Seconds without a refresh after which a session ends. */
export const IDLE_SECONDS = 900
/** Seconds before the end when the warning appears. */
export const WARNING_SECONDS = 120
/** Seconds since the last refresh after which a protected call refreshes first. */
export const REFRESH_AFTER_SECONDS = 300
/** Lifetime of the session cookie, in seconds. */
export const COOKIE_SECONDS = 3600
/** Seconds after which a session ends even when active: 12 hours. */
export const ABSOLUTE_SECONDS = 12 * 3600

export type SessionState = 'open' | 'warning' | 'ended'

export interface Countdown {
  readonly state: SessionState
  /** Whole seconds left, rounded up, never below 0. */
  readonly seconds: number
}

/**
 * State of a session. All instants are epoch milliseconds: sign-in, last refresh in any tab, now. It ends 900 s after
 * the last refresh or 12 h after sign-in, whichever comes first; the warning shows for the last 120 s. A clock that moves
 * backwards never extends a session beyond its idle window.
 */
export function countdown(signedInAt: number, refreshedAt: number, now: number): Countdown {
  const idleLeft = Math.min(IDLE_SECONDS, IDLE_SECONDS - (now - refreshedAt) / 1000)
  const absoluteLeft = ABSOLUTE_SECONDS - (now - signedInAt) / 1000
  const seconds = Math.max(0, Math.ceil(Math.min(idleLeft, absoluteLeft)))
  if (seconds === 0) return { state: 'ended', seconds }
  return { state: seconds <= WARNING_SECONDS ? 'warning' : 'open', seconds }
}

/** Whether a protected call should refresh first: more than 5 minutes since the last refresh. Epoch milliseconds. */
export function refreshDue(refreshedAt: number, now: number): boolean {
  return now - refreshedAt > REFRESH_AFTER_SECONDS * 1000
}

/** Time left as minutes and seconds: 2:00, 0:09. */
export function formatCountdown(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
