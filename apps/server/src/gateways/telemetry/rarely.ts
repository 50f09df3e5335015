const AGAIN_MS = 60_000

/** Milliseconds of a timer that, unlike a machine's clock, is never set back. */
export const steadyTime = (): number => performance.now()

/**
 * Repeats the same reason at most once a minute, so that an outage of hours does not fill the disk with its first line. A new reason is
 * reported at once.
 * @param say called with a reason, and how often it occurred since the last report, this time included
 */
export function rarely(say: (reason: string, times: number) => void, now = steadyTime): (reason: string) => void {
  const heard = new Map<string, { said: number; times: number }>()
  return (reason) => {
    const before = heard.get(reason)
    const times = (before?.times ?? 0) + 1
    if (before && now() - before.said < AGAIN_MS) {
      before.times = times
      return
    }
    for (const [old, { said }] of heard) if (now() - said >= AGAIN_MS) heard.delete(old)
    heard.set(reason, { said: now(), times: 0 })
    say(reason, times)
  }
}
