export const REFRESH_AFTER_MS = 300_000
export const WINDOW_MS = 900_000
export const WARNING_MS = 120_000

/** Whole seconds left of the window that began at the last refresh, never below 0. */
export function secondsLeft(lastRefresh: number, now: number): number {
  return Math.max(0, Math.ceil((lastRefresh + WINDOW_MS - now) / 1000))
}

/** Minutes and seconds as the warning shows them: 1:42. */
export function clockText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
