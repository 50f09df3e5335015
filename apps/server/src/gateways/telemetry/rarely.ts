const AGAIN_MS = 60_000

/** Milliseconds by a timer that nobody sets back, as the clock of a machine may be. */
export const steadyTime = (): number => performance.now()

/**
 * Says the same thing at most once a minute, so that an outage of hours does not fill the disk with what its first line said. What is new is
 * said at once.
 * @param say hears a reason, and how often it came since it was last said, this time included
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
