/** Failures evaluated without waiting; also the number the sign-in page counts down from. */
export const FREE_FAILURES = 5
/** The longest wait, in seconds: nobody is shut out for longer. */
export const MAX_DELAY_SECONDS = 900

/**
 * Seconds to wait before the next attempt after n failures in a row: none up to 4, then 1, 2, 4 ... up to 15 minutes from the
 * 5th on. Applies alike to names that do not exist.
 */
export function delayAfter(failures: number): number {
  return failures < FREE_FAILURES ? 0 : Math.min(MAX_DELAY_SECONDS, 2 ** (failures - FREE_FAILURES))
}

/** What '{n} attempts remaining' shows after n failures. */
export function attemptsRemaining(failures: number): number {
  return Math.max(0, FREE_FAILURES - failures)
}
