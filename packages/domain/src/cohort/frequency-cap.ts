/** At most `messages` to one person in any `hours` hours in a row, across a company's pharmacies. */
export interface FrequencyCap {
  readonly messages: number
  readonly hours: number
}

/** The default of a company: two messages in any seven days. */
export const DEFAULT_CAP: FrequencyCap = { messages: 2, hours: 168 }

/**
 * A message sent or planned. `keys` identify the person: number in E.164, e-mail in lower case; recipients who share
 * a key count as one person, at any pharmacy and under any name.
 */
export interface CappedMessage {
  readonly keys: readonly string[]
  /** Epoch milliseconds when it was or will be sent. */
  readonly at: number
}

/** How many of a person's messages fall in the rolling hours ending at `at`: after `at - hours` up to and including `at`. */
export function countInWindow(cap: FrequencyCap, past: readonly number[], at: number): number {
  const from = at - cap.hours * 3_600_000
  return past.filter((sent) => sent > from && sent <= at).length
}

/** Whether one more message at `at` stays within the limit. `past` are the person's messages; later ones are checked too, so that none of their windows overflows. */
export function keepsCap(cap: FrequencyCap, past: readonly number[], at: number): boolean {
  const until = at + cap.hours * 3_600_000
  const later = past.filter((sent) => sent > at && sent < until)
  return [at, ...later].every((end) => countInWindow(cap, past, end) < cap.messages)
}

/** The first instant from `at` on when one more message is within the limit; null when the limit is below one. */
export function nextUnderCap(cap: FrequencyCap, past: readonly number[], at: number): number | null {
  if (cap.messages < 1) return null
  // Room appears only when a message leaves the window.
  const ends = past.map((sent) => sent + cap.hours * 3_600_000).filter((end) => end > at)
  return [at, ...ends.sort((a, b) => a - b)].find((instant) => keepsCap(cap, past, instant)) ?? null
}

/**
 * Which queued messages may go: in order of planned time (ties in the given order), each that stays within the limit together with those sent
 * before and those picked so far. Answers for each message in the given order; the others are `capped`.
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
