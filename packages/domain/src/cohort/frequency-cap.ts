/** At most `messages` to one person in any `hours` hours in a row, over all pharmacies of a company. */
export interface FrequencyCap {
  readonly messages: number
  readonly hours: number
}

/** What a company starts with: two messages in any seven days. */
export const DEFAULT_CAP: FrequencyCap = { messages: 2, hours: 168 }

/**
 * A message made or planned. `keys` are everything that means the same person: number in E.164, e-mail in lower case; whoever shares
 * one of them counts together, whichever pharmacy and name it stands under.
 */
export interface CappedMessage {
  readonly keys: readonly string[]
  /** Epoch milliseconds at which it was handed over or is planned to be. */
  readonly at: number
}

/** How many of a person's messages fall in the rolling hours ending at `at`: after `at - hours` up to and including `at`. */
export function countInWindow(cap: FrequencyCap, past: readonly number[], at: number): number {
  const from = at - cap.hours * 3_600_000
  return past.filter((sent) => sent > from && sent <= at).length
}

/** Whether one more message at `at` keeps the cap. `past` are the person's messages; later ones are looked at too, so that none of them comes to lie in a window too full. */
export function keepsCap(cap: FrequencyCap, past: readonly number[], at: number): boolean {
  const until = at + cap.hours * 3_600_000
  const later = past.filter((sent) => sent > at && sent < until)
  return [at, ...later].every((end) => countInWindow(cap, past, end) < cap.messages)
}

/** The first instant from `at` on at which one more message keeps the cap; null when the cap is below one. */
export function nextUnderCap(cap: FrequencyCap, past: readonly number[], at: number): number | null {
  if (cap.messages < 1) return null
  // Only when a message leaves the window can there be room again.
  const ends = past.map((sent) => sent + cap.hours * 3_600_000).filter((end) => end > at)
  return [at, ...ends.sort((a, b) => a - b)].find((instant) => keepsCap(cap, past, instant)) ?? null
}

/**
 * Which of many queued messages go: in order of their planned time (of equal times, as given), each that keeps the cap with what was sent
 * before and with those chosen so far. The answer tells for each, in the given order, whether it goes; the others are `capped`.
 */
export function chooseUnderCap(
  cap: FrequencyCap,
  past: readonly CappedMessage[],
  queued: readonly CappedMessage[],
): boolean[] {
  const byKey = new Map<string, number[]>()
  const remember = (message: CappedMessage) => {
    for (const key of new Set(message.keys)) {
      const times = byKey.get(key)
      if (times) times.push(message.at)
      else byKey.set(key, [message.at])
    }
  }
  for (const message of past) remember(message)
  const goes = queued.map(() => false)
  const order = queued.map((_, index) => index).sort((a, b) => queued[a]!.at - queued[b]!.at || a - b)
  for (const index of order) {
    const message = queued[index]!
    if (!message.keys.every((key) => keepsCap(cap, byKey.get(key) ?? [], message.at))) continue
    goes[index] = true
    remember(message)
  }
  return goes
}
