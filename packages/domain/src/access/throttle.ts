/** Failed attempts without a wait; the sign-in page counts down from this number. */
export const FREE_FAILURES = 5
/** The longest wait in seconds; nobody is locked out for longer. */
export const MAX_DELAY_SECONDS = 900

/**
 * Seconds to wait before the next attempt after n failures in a row: none up to 4, then 1, 2, 4 and so on up to 15 minutes from the
 * 5th. Unknown names wait the same.
 */
export function delayAfter(failures: number): number {
  return failures < FREE_FAILURES ? 0 : Math.min(MAX_DELAY_SECONDS, 2 ** (failures - FREE_FAILURES))
}

/** What '{n} attempts remaining' shows after n failures. */
export function attemptsRemaining(failures: number): number {
  return Math.max(0, FREE_FAILURES - failures)
}
